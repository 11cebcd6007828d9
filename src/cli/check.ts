import type * as z from "zod";
import { DaybookError } from "../base/errors.ts";
import type { Operation } from "../operations/operation.ts";
import { inputsOf, type Input } from "./inputs.ts";

/** Checks the input, and says every problem at once by the name it is typed with. */
export function checkInput(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const checked = operation.input.safeParse(input);
  if (checked.success) return checked.data;
  const known = inputsOf(operation);
  const problems = checked.error.issues.map((issue) => {
    const about = known.find(({ name }) => name === issue.path[0]);
    return about === undefined ? issue.message : problem(about, input[about.name], issue);
  });
  throw new DaybookError("invalid", `${problems.join("; ")}.`, { details: { problems } });
}

function problem({ label, words }: Input, value: unknown, issue: z.core.$ZodIssue): string {
  return value === undefined ? `${label} is missing: ${words}` : `${label} ${complaint(issue)}`;
}

function complaint(issue: z.core.$ZodIssue): string {
  if (issue.code === "too_small") return `must be at least ${issue.minimum}`;
  if (issue.code === "too_big") return `must be at most ${issue.maximum}`;
  if (issue.code !== "invalid_type") return `is not right: ${issue.message}`;
  return issue.expected === "int" ? "must be a whole number" : `must be a ${issue.expected}`;
}
