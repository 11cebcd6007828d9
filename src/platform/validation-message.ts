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
  return `${name} ${isMissing ? "is missing" : issueMessage(issue)}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined,
    value,
  );
}

/** The problem of a value, to follow its name: `"limit" must be at most 20`. */
export function issueMessage(issue: z.core.$ZodIssue): string {
  if (issue.code === "too_small") {
    const least = issue.inclusive === false ? "over" : "at least";
    return issue.origin === "string" ? "is empty" : `must be ${least} ${issue.minimum}`;
  }
  if (issue.code === "too_big") return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
  if (issue.code === "invalid_value") return `must be one of ${issue.values.join(", ")}`;
  if (issue.code !== "invalid_type") return `is not valid: ${issue.message}`;
  return `must be ${shapes[issue.expected] ?? `a ${issue.expected}`}`;
}

const shapes: Readonly<Record<string, string>> = {
  int: "a whole number",
  array: "a list",
  object: "an object",
  record: "an object",
};

function unitOf(origin: string): string {
  return origin === "string" ? " characters" : "";
}
