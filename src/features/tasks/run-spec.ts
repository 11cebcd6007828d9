import * as z from "zod";
import { json } from "../../kernel/schemas.ts";
import type { Json } from "../../platform/json.ts";
import type { TaskKind, Retry } from "./kind.ts";
import type { TaskEvent } from "./task-event.ts";

/** The workspace that it runs in, by its name; absent: none is waited for. */
const inWorkspace = { in: z.string().exactOptional() };

/** What a run is: the key says how it runs. */
export const runSpec = z.union([
  z.strictObject({
    command: z.array(z.string()).readonly(),
    cwd: z.string().exactOptional(),
    ...inWorkspace,
  }),
  z.strictObject({ task: z.string(), input: json, ...inWorkspace }),
  z.strictObject({ http: z.string(), secret: z.string(), ...inWorkspace }),
  z.strictObject({ agent: z.string(), ...inWorkspace }),
  /** Nothing runs here: a job elsewhere pings. Late by more than the grace, it is missed. */
  z.strictObject({ ping: z.string(), graceMs: z.number() }),
]);
export type RunSpec = z.output<typeof runSpec>;

/** Who runs it, with what, and the workspace that must run before. */
export type RunBy = Pick<TaskKind["body"], "name" | "input" | "in">;

/** Commands in workspaces have a runner of their own; what else has a workspace only waits for it. */
const workspaceRunner = "workspace";

/** The run as a task has it. */
export function runBy(run: RunSpec): RunBy {
  if ("ping" in run) return { name: "ping", input: run };
  const { in: workspace, ...rest } = run;
  if ("task" in rest) return runnerNamed(rest.task, rest.input, workspace);
  if ("command" in rest) return runnerNamed("command", rest, workspace);
  if ("http" in rest) return runnerNamed("http", rest, workspace);
  return runnerNamed("agent", rest, workspace);
}

function runnerNamed(name: string, input: RunBy["input"], workspace: string | undefined): RunBy {
  if (workspace === undefined) return { name, input };
  return { name: name === "command" ? workspaceRunner : name, input, in: workspace };
}

/** The workspace that runs happen in, by its name. */
export function workspaceOf(run: RunSpec): string | undefined {
  return "ping" in run ? undefined : run.in;
}

/** What a handler runs. Texts may hold placeholders for the event's fields: `{{payload.pr_number}}`. `in` is the workspace, by its name. */
export type RunTemplate =
  | { readonly command: readonly string[]; readonly cwd?: string; readonly in?: string }
  | { readonly agent: string; readonly in?: string }
  | { readonly http: string; readonly secret: string; readonly in?: string }
  /** A function by its name; without an input it is given the task. */
  | { readonly task: string; readonly input?: Json; readonly in?: string };

/** Between two attempts of a task of a handler. */
export const retryMs = 60_000;

export function retryOf(retries: number): Retry {
  return { attempts: retries + 1, firstMs: retryMs, factor: 1, maxMs: retryMs };
}

/** The runner of a handler's task and its input; without a template, workers outside run it. */
export function runnerOf(
  { name, run }: { readonly name: string; readonly run?: RunTemplate },
  event: TaskEvent,
): RunBy {
  if (run === undefined) return { name, input: null };
  const values = valuesOf(event);
  const { in: workspace } = run; // never from an event
  if ("task" in run) return runnerNamed(run.task, run.input ?? null, workspace);
  if ("command" in run) return runnerNamed("command", commandOf(run, values), workspace);
  if ("http" in run) return runnerNamed("http", { http: run.http, secret: run.secret }, workspace);
  return runnerNamed("agent", { agent: fillTemplate(run.agent, values) }, workspace);
}

function commandOf(run: Extract<RunTemplate, { command: unknown }>, values: TemplateValues): Json {
  const { command, cwd } = run;
  const [file = "", ...args] = command;
  // An event never chooses the program.
  const argv = [file, ...args.map((each) => fillTemplate(each, values))];
  return { command: argv, ...(cwd === undefined ? {} : { cwd }) };
}

function valuesOf({
  name,
  type,
  repo,
  payload,
  taskType,
  sessionId,
  answer,
}: TaskEvent): TemplateValues {
  const resumed = { session_id: sessionId ?? null, answer: answer ?? null };
  return { name, type, repo, payload, task_type: taskType, ...resumed };
}

/** What a placeholder may name. */
export interface TemplateValues {
  readonly [name: string]: Json;
}

const placeholder = /\{\{\s*([A-Za-z0-9_.-]{1,200})\s*\}\}/g;

/** Replaces placeholders such as `{{payload.pr_number}}` by their values; without a value, by nothing. */
export function fillTemplate(text: string, values: TemplateValues): string {
  return text.replaceAll(placeholder, (_, path: string) => shown(at(values, path.split("."))));
}

function at(value: Json, path: readonly string[]): Json {
  return path.reduce<Json>((inner, name) => {
    const isOpen = typeof inner === "object" && inner !== null && Object.hasOwn(inner, name);
    return isOpen ? ((inner as TemplateValues)[name] ?? null) : null;
  }, value);
}

function shown(value: Json): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
