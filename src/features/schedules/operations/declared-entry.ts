import type { Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
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
import type { Declared } from "../declared.ts";
import type { ScheduleEvent } from "../handler-slot.ts";
import type { ScheduleKind } from "../kind.ts";
import { makeSchedule } from "../make-schedule.ts";
import type { DeclaredEntry, OfHandler } from "../ports.ts";
import { requireWhen, withTime } from "./input-when.ts";
import { makingIn } from "./limits.ts";

type Body = ScheduleKind["body"];
type Work = Pick<Runnable, "run" | "timeoutMs" | "secret"> & { readonly event: ScheduleEvent };

/** Who runs it, if that can be run here, and what its tasks are about. */
async function workOf(own: OfHandler, context: Context): Promise<Work> {
  const { handler, capacity, ...same } = own;
  const { name, run, channels, retries, timeoutMs } = handler;
  const event = { ...same, handler: name, channels, retries, capacity };
  // Whoever works outside takes no place of this machine.
  if (run === undefined) {
    const outside = { ...event, capacity: null };
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

interface Found {
  name: string;
  one: DeclaredEntry;
  live: readonly LedgerRecord<ScheduleKind>[];
  context: Context;
}

export async function declaredFrom(
  key: string,
  { name, one, live, context }: Found,
): Promise<Declared & { secret?: string }> {
  const before = live.find(({ body }) => body.declared === key)?.body.run;
  const { owner: _, place: __, of, when, cadence: data, timezone, run, target, ...rest } = one;
  const { name: called = name, timeout, adopt, ...same } = rest;
  const { cadence, whenText } = requireWhen(
    { when, cadence: data },
    momentOptions(context, timezone),
  );
  const ran = of === undefined ? await runnable(run, context, before) : await workOf(of, context);
  // Where a handler speaks is looked at when it does, as for its other work.
  const route = of === undefined || !target ? await checkedRoute(target, context) : { target };
  const timeoutMs = timeoutOf(timeout, ran.timeoutMs);
  // By these words a change is seen: a rule that starts at another time is another.
  const from = data?.type === "rrule" && data.start ? ` from ${data.start}` : "";
  const times = { cadence, whenText: whenText + from };
  const what = { name: called, ...times, run: ran.run, timeoutMs };
  const event = "event" in ran ? { event: ran.event } : {};
  const body: Body = { ...same, ...what, ...event, target: route.target, origin: null };
  const making = makingIn(context, context.now());
  withTime({ when }, () => makeSchedule(body, making)); // what cannot be made is told of by its name
  return { key, body, adopt, ...(ran.secret === undefined ? {} : { secret: ran.secret }) };
}
