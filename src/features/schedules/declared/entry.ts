import type { Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { present } from "../../../platform/json.ts";
import { momentOptions } from "../../accounts/index.ts";
import { checkedRoute } from "../../notifications/index.ts";
import {
  type Runnable,
  runnable,
  timeoutOf,
  runWorkspacesIn,
  type RunTemplate,
  type RunSpec,
} from "../../tasks/index.ts";
import { makeSchedule } from "../draft.ts";
import type { ScheduleEvent } from "../handler-slot.ts";
import type { ScheduleKind } from "../kind.ts";
import { factsIn } from "../operations/limits.ts";
import { requireWhen, withTime } from "../operations/parsed-inputs.ts";
import type { DeclaredEntry, OfHandler } from "../ports.ts";
import type { Declared } from "./plan.ts";

type Body = ScheduleKind["body"];
type HandlerWork = Pick<Runnable, "run" | "timeoutMs"> & { readonly event: ScheduleEvent };

/** The run of a handler's schedule, checked, and the event of its tasks. */
async function handlerWork(own: OfHandler, context: Context): Promise<HandlerWork> {
  const { handler, capacity, ...same } = own;
  const { name, run, channels, retries, pauses, timeoutMs } = handler;
  const rate = handler.rate && { name, ...handler.rate };
  const limits = { retries, capacity, ...present({ pauses, rate }) };
  const event = { ...same, handler: name, channels, ...limits };
  // Outside workers do not count towards the capacity of this machine.
  if (run === undefined) {
    const outside = { ...event, capacity: null };
    return { run: { task: name, input: null }, event: outside, timeoutMs };
  }
  return { run: await runOf(run, context), event, timeoutMs };
}

async function runOf(run: RunTemplate, context: Context): Promise<RunSpec> {
  if ("task" in run) {
    if (run.in !== undefined) await runWorkspacesIn(context).checkRunIn(run.in, context);
    // Without an input, the function gets the task.
    return present({ task: run.task, input: run.input ?? null, in: run.in });
  }
  // The settings have the secret of its calls, so none is generated.
  if ("http" in run) return (await runnable({ http: run.http, in: run.in }, context, run)).run;
  if ("agent" in run) return (await runnable(run, context)).run;
  return (await runnable({ ...run, command: [...run.command] }, context)).run;
}

interface NamedEntry {
  name: string;
  entry: DeclaredEntry;
  live: readonly LedgerRecord<ScheduleKind>[];
  context: Context;
}

/** Reads and checks one declaration. */
export async function readEntry(
  key: string,
  { name: defaultName, entry, live, context }: NamedEntry,
): Promise<Declared & { secret: string | undefined }> {
  const before = live.find(({ body }) => body.declared === key)?.body.run;
  const { owner: _, place: __, of, when, cadence: data, timezone, run, target, ...rest } = entry;
  const { name = defaultName, timeout, adopt, ...same } = rest;
  const { cadence, whenText } = requireWhen(
    { when, cadence: data },
    momentOptions(context, timezone),
  );
  const work: HandlerWork | Runnable =
    of === undefined ? await runnable(run, context, before) : await handlerWork(of, context);
  // A handler's target is checked when a message is sent, as for its other tasks.
  const route = of === undefined || !target ? await checkedRoute(target, context) : { target };
  // A change is detected by this text, so a rule with another start needs another text.
  const from = data?.type === "rrule" && data.start ? ` from ${data.start}` : "";
  const body: Body = {
    ...same,
    name,
    cadence,
    whenText: whenText + from,
    run: work.run,
    timeoutMs: timeoutOf(timeout, work.timeoutMs),
    event: "event" in work ? work.event : undefined,
    target: route.target,
    origin: null,
  };
  withTime({ when }, () => makeSchedule(body, factsIn(context, context.now()))); // an error names this entry
  return { key, body, adopt, secret: "secret" in work ? work.secret : undefined };
}
