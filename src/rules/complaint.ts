import type * as z from "zod";

/** What is wrong with a value, to be said after its name: `"limit" must be at most 20`. */
export function complaint(issue: z.core.$ZodIssue): string {
  if (issue.code === "too_small") {
    const least = issue.inclusive === false ? "over" : "at least";
    return issue.origin === "string" ? "is empty" : `must be ${least} ${issue.minimum}`;
  }
  if (issue.code === "too_big") return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
  if (issue.code === "invalid_value") return `must be one of ${issue.values.join(", ")}`;
  if (issue.code !== "invalid_type") return `is not right: ${issue.message}`;
  return `must be ${shapes[issue.expected] ?? `a ${issue.expected}`}`;
}

const shapes: Readonly<Record<string, string>> = {
  int: "a whole number",
  array: "a list",
  object: "an object",
};

function unitOf(origin: string): string {
  return origin === "string" ? " characters" : "";
}
