import type * as z from "zod";
import { DaybookError } from "../platform/errors.ts";
import { nearest } from "../platform/nearest.ts";
import { quote } from "../platform/text.ts";
import { issueMessage } from "../platform/validation-message.ts";
import type { Caller, Installation, Operation, Reader } from "./operation.ts";
import { allows } from "./scope.ts";

export interface CallResult {
  readonly output: unknown;
  readonly reader: Reader;
}

/** Checks scope and input, and runs the operation in the caller's book. */
export async function callOperation(
  installation: Installation,
  operation: Operation,
  input: unknown,
  caller: Caller,
): Promise<CallResult> {
  if (!allows(caller.scopes, operation.scope)) {
    throw new DaybookError(
      "refused",
      `This token may not call "${operation.command.name}": it needs the scope "${operation.scope}".`,
      { details: { scope: operation.scope } },
    );
  }
  const checked = checkInput(operation, input);
  const own = await installation.readProfile(caller.owner);
  const profile = { ...own, language: caller.language ?? own.language };
  const output = await operation.run(checked, { ...installation, ...caller, profile });
  const { language, zone } = profile;
  return { output, reader: { language, zone, now: installation.now() } };
}

/** A long input may have as many problems as items; only the first are reported. */
const problemsMax = 20;

/** Checks an input and reports every problem at once, with the same text in every interface. */
export function checkInput(operation: Operation, input: unknown): Record<string, unknown> {
  const given = canonicalInput(operation, input);
  const checked = operation.input.safeParse(given);
  if (checked.success) return checked.data;
  const all = checked.error.issues.flatMap((issue) => problemsOf(operation, given, issue));
  const problems = all.slice(0, problemsMax);
  const more = all.length > problemsMax ? [`and ${all.length - problemsMax} more`] : [];
  const sentence = [...problems.map(({ text }) => text), ...more].join("; ");
  throw new DaybookError("invalid", sentence.endsWith("?") ? sentence : `${sentence}.`, {
    details: { problems },
  });
}

type GivenInput = Readonly<Record<string, unknown>>;

/** The input under its canonical names; throws when a name is given twice, once as an alias. */
function canonicalInput(operation: Operation, input: unknown): GivenInput {
  const { aliases = {}, ignored = [] } = operation;
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new DaybookError("invalid", "The input must be an object with names and values.");
  }
  const given = new Map<string, unknown>();
  for (const [name, value] of Object.entries(input)) {
    if (ignored.includes(name)) continue;
    const canonical = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
    if (given.has(canonical)) {
      throw new DaybookError("invalid", `"${canonical}" is given twice: give it once.`);
    }
    given.set(canonical, value);
  }
  const all = Object.fromEntries(given);
  return operation.adapt?.(all) ?? all;
}

/** The problems of one issue; the path names the input, and is empty for the input itself. */
function problemsOf(
  { input }: Operation,
  given: GivenInput,
  issue: z.core.$ZodIssue,
): { readonly path: string; readonly text: string }[] {
  if (issue.code === "unrecognized_keys") {
    const parent = issue.path.join(".");
    return issue.keys.map((name) =>
      parent === ""
        ? { path: name, text: unknownName(name, Object.keys(input.shape)) }
        : { path: `${parent}.${name}`, text: `"${parent}" takes no ${quote(name)}` },
    );
  }
  const [name = "", ...inner] = issue.path.map(String);
  const path = [name, ...inner].join(".");
  if (inner.length === 0 && given[name] === undefined) {
    const { description = "" } = (input.shape[name] as z.ZodType | undefined) ?? {};
    return [{ path, text: `"${path}" is missing: ${description.replace(/\.$/, "")}` }];
  }
  return [{ path, text: issueMessage(`"${path}"`, issue) }];
}

function unknownName(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  const advice =
    meant === undefined ? `the inputs are ${names.join(", ")}` : `did you mean "${meant}"?`;
  return `There is no input ${quote(name)}: ${advice}`;
}
