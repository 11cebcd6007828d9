import type { Json } from "../../platform/json.ts";
import type { Retry } from "./kind.ts";
import { runnerNamed, type RunBy } from "./run-spec.ts";
import type { TaskEvent } from "./task-event.ts";
import { filled, type Said } from "./template.ts";

/** What a handler runs. Texts may name what the event says: `{{payload.pr_number}}`. `in` is the workspace, by its name. */
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

/** Who runs a task of a handler, and what that is given; without a template, workers from outside do. */
export function runnerOf(
  { name, run }: { readonly name: string; readonly run?: RunTemplate },
  event: TaskEvent,
): RunBy {
  if (run === undefined) return { name, input: null };
  const said = saidOf(event);
  const { in: workspace } = run; // never an event's to say
  if ("task" in run) return runnerNamed(run.task, run.input ?? null, workspace);
  if ("command" in run) return runnerNamed("command", commandOf(run, said), workspace);
  if ("http" in run) return runnerNamed("http", { http: run.http, secret: run.secret }, workspace);
  return runnerNamed("agent", { agent: filled(run.agent, said) }, workspace);
}

function commandOf(run: Extract<RunTemplate, { command: unknown }>, said: Said): Json {
  const { command, cwd } = run;
  const [file = "", ...args] = command;
  // What is run is never an event's to say.
  const argv = [file, ...args.map((each) => filled(each, said))];
  return { command: argv, ...(cwd === undefined ? {} : { cwd }) };
}

function saidOf({ name, type, repo, payload, taskType, sessionId, answer }: TaskEvent): Said {
  const resumed = { session_id: sessionId ?? null, answer: answer ?? null };
  return { name, type, repo, payload, task_type: taskType, ...resumed };
}
