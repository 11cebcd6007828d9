import type { Context } from "../../../kernel/operation.ts";
import type { Runnable } from "../../tasks/operations/run-types.ts";
import { runnable } from "../../tasks/operations/runnable.ts";
import { runWorkspacesIn } from "../../tasks/ports.ts";
import type { RunSpec, RunTemplate } from "../../tasks/run-spec.ts";
import type { Payload } from "../../tasks/task-event.ts";
import type { ScheduleEvent } from "../handler-slot.ts";

/** What a handler does again and again, as it is set down. */
export interface OfHandler {
  readonly handler: {
    readonly name: string;
    /** Absent: workers from outside claim its tasks. */
    readonly run?: RunTemplate;
    readonly channels: readonly string[];
    readonly retries: number;
    readonly timeoutMs: number;
  };
  /** What it is called there. */
  readonly name: string;
  readonly taskType: string;
  readonly payload: Payload;
  readonly repo: string | null;
  /** How many tasks of handlers may be at work at once. */
  readonly places: number;
}

type Work = Pick<Runnable, "run" | "timeoutMs" | "secret"> & { readonly event: ScheduleEvent };

/** Who runs it, if that can be run here, and what its tasks are about. */
export async function workOf(own: OfHandler, context: Context): Promise<Work> {
  const { handler, places, ...same } = own;
  const { name, run, channels, retries, timeoutMs } = handler;
  const event = { ...same, handler: name, channels, retries, places };
  // Whoever works outside takes no place of this machine.
  if (run === undefined) {
    const outside = { ...event, places: null };
    return { run: { task: name, input: null }, event: outside, timeoutMs };
  }
  return { run: await runOf(run, context), event, timeoutMs };
}

async function runOf(run: RunTemplate, context: Context): Promise<RunSpec> {
  const place = run.in === undefined ? {} : { in: run.in };
  if ("task" in run) {
    if (run.in !== undefined) await runWorkspacesIn(context).checkRunIn(run.in, context);
    // Without an input it is given the task.
    return { task: run.task, input: run.input ?? null, ...place };
  }
  // What signs its calls is set, and not made by chance.
  if ("http" in run) return (await runnable({ http: run.http, ...place }, context, run)).run;
  if ("agent" in run) return (await runnable(run, context)).run;
  return (await runnable({ ...run, command: [...run.command] }, context)).run;
}
