import * as z from "zod";
import type { Claimed } from "../../kernel/record.ts";
import { json } from "../../kernel/schemas.ts";
import { backoffMs, type Backoff } from "../../platform/backoff.ts";
import type { Json } from "../../platform/json.ts";
import { attemptOf, type TaskKind, type Retry } from "./kind.ts";
import type { TaskEvent } from "./task-event.ts";

/** The name of the workspace that it runs in; absent: it needs none. */
const inWorkspace = { in: z.string().exactOptional() };

const commandRun = z.strictObject({
  command: z.array(z.string()).readonly(),
  cwd: z.string().exactOptional(),
  ...inWorkspace,
});
const httpRun = z.strictObject({ http: z.string(), secret: z.string(), ...inWorkspace });
const agentRun = z.strictObject({ agent: z.string(), ...inWorkspace });

/** What a schedule runs. The key names the runner. */
export const runSpec = z.union([
  commandRun,
  z.strictObject({ task: z.string(), input: json, ...inWorkspace }),
  httpRun,
  agentRun,
  /** Nothing runs here: a job elsewhere pings. A ping that is later than the grace period is missed. */
  z.strictObject({ ping: z.string(), graceMs: z.number() }),
]);
export type RunSpec = z.output<typeof runSpec>;

/** The runner of a task, its input, and the workspace that must run first. */
export type RunnerInput = Pick<TaskKind["body"], "name" | "input" | "in">;

/** Commands in workspaces have a runner of their own; any other run only waits for its workspace. */
const workspaceRunner = "workspace";

/** The runner of a run, with its input. */
export function runnerInput(run: RunSpec): RunnerInput {
  if ("ping" in run) return { name: "ping", input: run };
  const { in: workspace, ...rest } = run;
  if ("task" in rest) return inputFor(rest.task, rest.input, workspace);
  if ("command" in rest) return inputFor("command", rest, workspace);
  if ("http" in rest) return inputFor("http", rest, workspace);
  return inputFor("agent", rest, workspace);
}

function inputFor(name: string, input: Json, workspace: string | undefined): RunnerInput {
  if (workspace === undefined) return { name, input };
  return { name: name === "command" ? workspaceRunner : name, input, in: workspace };
}

/** The name of the workspace of a run. */
export function workspaceOf(run: RunSpec): string | undefined {
  return "ping" in run ? undefined : run.in;
}

/** What a handler runs. Its texts may name fields of the event: `{{payload.pr_number}}`. */
export type RunTemplate =
  | z.output<typeof commandRun | typeof httpRun | typeof agentRun>
  /** A function by its name; without an input it gets the task. */
  | { readonly task: string; readonly input?: Json; readonly in?: string };

/** The pauses between the attempts of a handler's task, unless it has its own. */
const minute: Backoff = { firstMs: 60_000, factor: 1, maxMs: 60_000 };

export function retryOf(retries: number, pauses = minute): Retry {
  return { attempts: retries + 1, ...pauses };
}

/** The pause of a handler's task after an attempt: the whole pause of its curve. */
export function retryMsOf(record: Claimed<TaskKind>): number {
  return backoffMs(record.body.retry ?? minute, attemptOf(record), 1);
}

/** The runner of a handler's task, with its input. Without a template, external workers run it. */
export function handlerRunner(
  { name, run }: { readonly name: string; readonly run?: RunTemplate },
  event: TaskEvent,
): RunnerInput {
  return run === undefined ? { name, input: null } : runnerInput(filledRun(run, event));
}

/** An event fills in texts. It never chooses the program, the address or the workspace. */
function filledRun(run: RunTemplate, event: TaskEvent): RunSpec {
  if ("task" in run) return { input: null, ...run };
  const values = valuesOf(event);
  if ("command" in run) {
    const [program = "", ...args] = run.command;
    return { ...run, command: [program, ...args.map((each) => fillTemplate(each, values))] };
  }
  return "agent" in run ? { ...run, agent: fillTemplate(run.agent, values) } : run;
}

/** The values that a placeholder may name. */
export interface TemplateValues {
  readonly [name: string]: Json;
}

function valuesOf(event: TaskEvent): TemplateValues {
  const { name, type, repo, payload, taskType, sessionId = null, answer = null } = event;
  return { name, type, repo, payload, task_type: taskType, session_id: sessionId, answer };
}

const placeholder = /\{\{\s*([A-Za-z0-9_.-]{1,200})\s*\}\}/g;

/** Replaces placeholders such as `{{payload.pr_number}}` by their values; one without a value becomes empty. */
export function fillTemplate(text: string, values: TemplateValues): string {
  return text.replaceAll(placeholder, (_, path: string) => textOf(at(values, path.split("."))));
}

function at(value: Json, path: readonly string[]): Json {
  return path.reduce<Json>((inner, name) => {
    const isOpen = typeof inner === "object" && inner !== null && Object.hasOwn(inner, name);
    return isOpen ? ((inner as TemplateValues)[name] ?? null) : null;
  }, value);
}

function textOf(value: Json): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
