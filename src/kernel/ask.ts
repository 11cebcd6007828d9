import type * as z from "zod";
import { DaybookError } from "../platform/errors.ts";
import { nearest } from "../platform/nearest.ts";
import { quote } from "../platform/text.ts";
import { issueMessage } from "../platform/validation-message.ts";
import type { Caller, Installation, Operation, Reader } from "./operation.ts";
import { allows } from "./scope.ts";

export interface Answer<Output = unknown> {
  readonly output: Output;
  readonly reader: Reader;
}

/** Checks scope and input, and runs the operation in the caller's book. */
export async function ask(
  installation: Installation,
  operation: Operation,
  input: unknown,
  caller: Caller,
): Promise<Answer> {
  if (!allows(caller.scopes, operation.scope)) {
    throw new DaybookError(
      "refused",
      `This token may not ask for "${operation.command.name}": it needs the scope "${operation.scope}".`,
      { details: { scope: operation.scope } },
    );
  }
  const checked = checkInput(operation, input);
  const profile = await installation.readProfile(caller.owner);
  const output = await operation.run(checked, { ...installation, ...caller, profile });
  const { language, zone } = profile;
  return { output, reader: { language, zone, now: installation.now() } };
}

/** A long input may have as many problems as items; only the first are reported. */
const problemsMax = 20;

/** Checks an input and reports every problem at once, with the same text in every interface. */
export function checkInput(operation: Operation, input: unknown): Record<string, unknown> {
  const given = named(operation, input);
  const checked = operation.input.safeParse(given);
  if (checked.success) return checked.data;
  const problems = checked.error.issues.flatMap((issue) => problemsOf(operation, given, issue));
  const shown = problems.slice(0, problemsMax).map(({ text }) => text);
  const more = problems.length - shown.length;
  const sentence = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
  throw new DaybookError("invalid", sentence.endsWith("?") ? sentence : `${sentence}.`, {
    details: { problems: problems.slice(0, problemsMax) },
  });
}

interface Problem {
  /** The path of the input; empty for the whole. */
  readonly path: string;
  readonly text: string;
}

/** The input under its canonical names; throws when a name is given twice, once as an alias. */
function named(operation: Operation, input: unknown): Readonly<Record<string, unknown>> {
  const { aliases = {}, ignored = [] } = operation;
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new DaybookError("invalid", "The input must be an object with names and values.");
  }
  const given = new Map<string, unknown>();
  for (const [name, value] of Object.entries(input)) {
    if (ignored.includes(name)) continue;
    const known = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
    if (given.has(known)) {
      throw new DaybookError("invalid", `"${known}" is given twice: say it once.`);
    }
    given.set(known, value);
  }
  const all = Object.fromEntries(given);
  return operation.adapt?.(all) ?? all;
}

function problemsOf(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  issue: z.core.$ZodIssue,
): Problem[] {
  const known = Object.keys(operation.input.shape);
  if (issue.code === "unrecognized_keys" && issue.path.length > 0) {
    const within = issue.path.join(".");
    const text = (name: string): string => `"${within}" takes no ${quote(name)}`;
    return issue.keys.map((name) => ({ path: `${within}.${name}`, text: text(name) }));
  }
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((name) => ({ path: name, text: unknown(name, known) }));
  }
  const [name = "", ...inner] = issue.path.map(String);
  const path = [name, ...inner].join(".");
  if (inner.length === 0 && given[name] === undefined) {
    const words = (operation.input.shape[name] as z.ZodType | undefined)?.description ?? "";
    return [{ path, text: `"${path}" is missing: ${words}` }];
  }
  return [{ path, text: `"${path}" ${issueMessage(issue)}` }];
}

function unknown(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  const advice = meant === undefined ? `known are ${known.join(", ")}` : `did you mean "${meant}"?`;
  return `There is no input ${quote(name)}: ${advice}`;
}
