import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf, Hold, Key } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { firesBetween } from "../../time/cadence.ts";
import { makeTask, type Slot, type TaskKind, runnerInput, type RunSpec } from "../tasks/index.ts";
import type { DueSlots } from "./due-slots.ts";
import { handlerSlot, type Labels } from "./handler-slot.ts";
import { runHold } from "./holds.ts";
import type { ScheduleKind } from "./kind.ts";
import { outcomeOf } from "./next-fire.ts";

type Schedule = Pick<LedgerRecord<ScheduleKind>, "id" | "body">;

/** One run of a schedule, and how it is put down. */
export interface Run {
  /** When it was to fire, or when it was asked for. */
  at: number;
  because: Slot["because"];
  key?: Key;
  /** Taken now, or the unit is refused. */
  holds?: readonly Hold[];
  /** Taken when it starts. */
  turns?: readonly string[];
  wakeAt?: number;
  /** Of a handler's. */
  labels?: Labels;
  /** It does not run at all. */
  ends?: { state: "skipped" | "missed"; reason: string; at: number };
}

/** A run as a task, with the schedule as it is now: a later edit changes nothing of it. */
export function slotTask(record: Schedule, run: Run): DraftOf<TaskKind> {
  const { key, holds, ends, turns, at, because } = run;
  const { body, id } = record;
  const { turnsPerRun, costPerRun } = body.budget ?? {};
  const slot: Slot = {
    schedule: id,
    name: body.name,
    at,
    because,
    notify: body.notify,
    rerun: body.rerun,
    ...(turnsPerRun === undefined ? {} : { turnsMax: turnsPerRun }),
    ...(costPerRun === undefined ? {} : { costMax: costPerRun }),
  };
  const { name, input, ...more } = workOf(body, run);
  const request: TaskKind["body"] = {
    name,
    input: ends === undefined ? input : null, // a thousand missed ones need not carry it
    at,
    target: body.target,
    origin: body.origin,
    timeoutMs: body.timeoutMs,
    slot,
    ...(turns === undefined ? {} : { turns }),
    ...more,
  };
  const draft = makeTask(request, {
    ...(key === undefined ? {} : { key }),
    ...(holds === undefined ? {} : { holds }),
    ...(ends === undefined ? { wakeAt: firstLook(body.run, run) } : { ends }),
  });
  if (request.event === undefined) return { ...draft, parent: id };
  return { ...draft, ...namedAs(body, run), parent: id, priority: "low" };
}

/** One that is worked outside has a lane of its own: so it can be claimed, and no other with it. */
function namedAs(
  { event }: Schedule["body"],
  { labels, ends }: Run,
): Pick<DraftOf<TaskKind>, "id" | "lane"> {
  if (labels === undefined || ends !== undefined) return {};
  return { id: labels.task, ...(event?.capacity === null ? { lane: labels.task } : {}) };
}

type Work = Pick<TaskKind["body"], "name" | "input" | "in" | "event" | "retry" | "turns">;

/** Who runs it and what for. A handler's task has a place among those of handlers beside its own turn. */
function workOf({ run: spec, event, target }: Schedule["body"], run: Run): Work {
  if (event === undefined || "ping" in spec) return runnerInput(spec);
  const { turns, holds, ends, labels } = run;
  if (ends !== undefined) {
    const { turns: _, ...rest } = handlerSlot({ ...event, payload: {} }, { run: spec, target });
    return rest;
  }
  return handlerSlot(event, { run: spec, target, turns: turns ?? holds, labels });
}

/** The name a slot has: a (schedule, slot) pair exists once, however it came about. */
export function slotKey(scheduleId: string, at: number): Key {
  const name = `slot:${scheduleId}:${at}`;
  return { name, asked: name };
}

/** Slots that do not run, and why. */
export interface PassedSlots {
  /** Those before this came in a pause. */
  readonly pausedUntil: number;
  readonly decidedAt: number;
  /** Why one that did not come in a pause is missed. */
  reasonFor(at: number): string;
  /** The same for many that have one row together. */
  wordsFor?(count: number, span: string): string;
}

/** A row for each; and one together for those before them. */
export function passedTasks(
  record: Schedule,
  { first, before }: Pick<DueSlots, "first" | "before">,
  passed: PassedSlots,
): readonly DraftOf<TaskKind>[] {
  const rows = first.map((at) => passedTask(record, at, passed));
  if (before === undefined) return rows;
  return [passedTogether(record, before, passed), ...rows];
}

export function passedTogether(
  record: Schedule,
  { at, count, span }: NonNullable<DueSlots["before"]>,
  passed: PassedSlots,
): DraftOf<TaskKind> {
  if (count === 1) return passedTask(record, at, passed);
  const words = passed.wordsFor?.(count, span) ?? `${count} slots ${span}`;
  return { ...passedTask(record, at, { ...passed, reasonFor: () => words }), note: words };
}

function passedTask(
  record: Schedule,
  at: number,
  { pausedUntil, decidedAt, reasonFor }: PassedSlots,
): DraftOf<TaskKind> {
  const became =
    at < pausedUntil
      ? ({ state: "skipped", reason: "paused" } as const)
      : ({ state: "missed", reason: reasonFor(at) } as const);
  const ends = { ...became, at: decidedAt };
  return slotTask(record, { at, because: "cadence", key: slotKey(record.id, at), ends });
}

/** Nobody runs a ping: somebody looks when its time is over. */
function firstLook(run: RunSpec, { at, wakeAt = at }: Run): number {
  return "ping" in run ? Math.max(wakeAt, at + run.graceMs) : wakeAt;
}

/** A run that somebody asked for. Refused as `held` while another is at work, unless they may overlap. */
export function runNow(record: LedgerRecord<ScheduleKind>, now: number): DraftOf<TaskKind> {
  if ("ping" in record.body.run) {
    throw new DaybookError("refused", "Nothing runs here: it waits to be pinged.");
  }
  const holds = record.body.overlap === "allow" ? [] : [runHold(record.id)];
  return slotTask(record, { at: now, because: "run now", holds, wakeAt: now });
}

/** Slots that lie back, to be run one after another. One that has a row already stays as it is. */
export function backfillSlots(
  record: LedgerRecord<ScheduleKind>,
  from: number,
  to: number,
  limit: number,
): readonly DraftOf<TaskKind>[] {
  if (from > to) throw new DaybookError("invalid", "It ends before it begins: swap the two times.");
  const { id, body } = record;
  // What is not decided yet comes by itself.
  const until = Math.min(to, outcomeOf(record).cursor);
  const { fires, earlier } = firesBetween(body.cadence, from - 1, until, limit);
  if (earlier > 0) {
    const count = earlier + fires.length;
    const sentence = `These are ${count} slots, more than ${limit} at once: choose a shorter time.`;
    throw new DaybookError("too_large", sentence, { details: { count, limit } });
  }
  const turns = body.overlap === "allow" ? {} : { turns: [runHold(id)] };
  return fires.map((at) =>
    slotTask(record, { at, because: "backfill", key: slotKey(id, at), ...turns }),
  );
}
