import type * as z from "zod";
import { quote } from "./text.ts";

/** All problems of a value in one line: `"source" is missing; it may not have "colour"`. */
export function validationMessage(value: unknown, { issues }: z.core.$ZodError): string {
  return issues.map((issue) => problemOf(value, issue)).join("; ");
}

function problemOf(value: unknown, issue: z.core.$ZodIssue): string {
  const name = issue.path.length === 0 ? "it" : quote(issue.path.join("."));
  if (issue.code === "unrecognized_keys") {
    return `${name} may not have ${issue.keys.map(quote).join(", ")}`;
  }
  const isMissing = issue.path.length > 0 && valueAt(value, issue.path) === undefined;
  return isMissing ? `${name} is missing` : issueMessage(name, issue);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined,
    value,
  );
}

/** The problem of a value, under its name: `"limit" must be at most 20`. */
export function issueMessage(name: string, issue: z.core.$ZodIssue): string {
  if (issue.code === "too_small") {
    if (issue.origin === "string") return `${name} is empty`;
    const isOver = issue.inclusive === false;
    return isOver
      ? `${name} must be over ${issue.minimum}`
      : `${name} must be at least ${issue.minimum}`;
  }
  if (issue.code === "too_big") {
    return issue.origin === "string"
      ? `${name} must be at most ${issue.maximum} characters`
      : `${name} must be at most ${issue.maximum}`;
  }
  if (issue.code === "invalid_value") return `${name} must be one of ${issue.values.join(", ")}`;
  if (issue.code !== "invalid_type") return `${name} is not valid: ${issue.message}`;
  return `${name} must be ${shapes[issue.expected] ?? `a ${issue.expected}`}`;
}

const shapes: Readonly<Record<string, string>> = {
  int: "a whole number",
  array: "a list",
  string: "a string",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
};
