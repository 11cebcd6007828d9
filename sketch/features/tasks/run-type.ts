import * as z from "zod";
import type { Context } from "../../kernel/operation.ts";
import { registry } from "../../kernel/port.ts";
import { DaybookError } from "../../platform/errors.ts";
import { json } from "../../platform/json.ts";
import type { TaskKind } from "./kind.ts";

/** Who runs a task, and with what. */
type RunBy = Pick<TaskKind["body"], "name" | "input" | "in">;

/** One way to run something, by name: command, http, agent, function, ping, handler, workspace. */
export interface RunType<Input = unknown> {
  readonly name: string;
  readonly input: z.ZodType<Input>;
  /** Throws when that cannot be run here, or this caller may not. */
  runnable(input: Input, context: Context): void;
  draft(input: Input, workspace: string | undefined): RunBy;
}

export function runType<Input>(type: RunType<Input>): RunType {
  return type;
}

export const runTypes = registry<RunType>("tasks.runTypes");

/** What is stored of a run that is to be made later, such as a schedule's. */
export const runSpec = z.strictObject({
  type: z.string(),
  input: json,
  in: z.string().optional(),
});
export type RunSpec = z.output<typeof runSpec>;

/** The run as a task has it; with a context, checked for who asks. */
export function runBy(
  types: readonly RunType[],
  { type, input, in: workspace }: RunSpec,
  context?: Context,
): RunBy {
  const found = types.find(({ name }) => name === type);
  if (found === undefined) {
    const known = types.map(({ name }) => name).join(", ");
    throw new DaybookError("invalid", `Unknown run type "${type}". Known: ${known}.`);
  }
  const parsed = found.input.parse(input);
  if (context !== undefined) found.runnable(parsed, context);
  return found.draft(parsed, workspace);
}

export const command = runType({
  name: "command",
  input: z.strictObject({ argv: z.array(z.string()).min(1) }),
  runnable: () => undefined,
  draft: (input, workspace) => ({
    name: workspace === undefined ? "command" : "workspace",
    input,
    in: workspace,
  }),
});

/** A function of the program, by its name: another node over the same ledger may have it. */
export const namedFunction = runType({
  name: "function",
  input: z.strictObject({ task: z.string(), input: json }),
  runnable: () => undefined,
  draft: ({ task, input }, workspace) => ({ name: task, input, in: workspace }),
});
