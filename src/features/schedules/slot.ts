import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf, Hold, Key } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { present } from "../../platform/json.ts";
import { firesBetween } from "../../time/cadence.ts";
import { makeTask, type Slot, type TaskKind, runnerInput, type RunSpec } from "../tasks/index.ts";
import type { DueSlots } from "./due-slots.ts";
import { handlerSlot, type Labels } from "./handler-slot.ts";
import { runHold } from "./holds.ts";
import type { ScheduleKind } from "./kind.ts";
import { outcomeOf } from "./next-fire.ts";

type Schedule = Pick<LedgerRecord<ScheduleKind>, "id" | "body">;

/** One run of a schedule, before it becomes a task. */
export interface Run {
  /** When it is to fire, or when it was requested. */
  at: number;
  because: Slot["because"];
  key?: Key | undefined;
  /** Taken at once, or the unit is refused. */
  holds?: readonly Hold[] | undefined;
  /** Taken when it starts. */
  turns?: readonly string[] | undefined;
  wakeAt?: number | undefined;
  /** Of a handler's schedule. */
  labels?: Labels | undefined;
  /** The slot does not run. */
  ends?: { state: "skipped" | "missed"; reason: string; at: number } | undefined;
}

/** A run as a task. It has the schedule as it is now: later edits do not change it. */
export function slotTask(record: Schedule, run: Run): DraftOf<TaskKind> {
  const { key, holds, ends, turns, at, because } = run;
  const { body, id } = record;
  const { turnsPerRun, costPerRun } = body.budget ?? {};
  const slot: Slot = present({
    schedule: id,
    name: body.name,
    at,
    because,
    notify: body.notify,
    rerun: body.rerun,
    turnsMax: turnsPerRun,
    costMax: costPerRun,
  });
  const { name, input, ...more } = workOf(body, run);
  const request: TaskKind["body"] = present({
    name,
    input: ends === undefined ? input : null, // a thousand missed slots need no copies of it
    at,
    target: body.target,
    origin: body.origin,
    timeoutMs: body.timeoutMs,
    slot,
    turns,
    ...more,
  });
  const draft = makeTask(request, { key, holds, ends, wakeAt: wakeAtOf(body.run, run) });
  if (request.event === undefined) return { ...draft, parent: id };
  return { ...draft, ...placementOf(body, run), parent: id, priority: "low" };
}

/** A task for workers outside has a lane of its own, so that a worker can claim it alone. */
function placementOf(
  { event }: Schedule["body"],
  { labels, ends }: Run,
): Pick<DraftOf<TaskKind>, "id" | "lane"> {
  if (labels === undefined || ends !== undefined) return {};
  return { id: labels.task, lane: event?.capacity === null ? labels.task : undefined };
}

type Work = Pick<TaskKind["body"], "name" | "input" | "in" | "event" | "retry" | "turns" | "rate">;

/** The runner and its input. A handler's task takes one of the handlers' slots beside its own turn. */
function workOf({ run: spec, event, target }: Schedule["body"], run: Run): Work {
  if (event === undefined || "ping" in spec) return runnerInput(spec);
  const { turns, holds, ends, labels } = run;
  if (ends !== undefined) {
    const { turns: _, ...rest } = handlerSlot({ ...event, payload: {} }, { run: spec, target });
    return rest;
  }
  return handlerSlot(event, { run: spec, target, turns: turns ?? holds, labels });
}

/** The key of a slot: a (schedule, slot) pair exists once. */
export function slotKey(scheduleId: string, at: number): Key {
  const name = `slot:${scheduleId}:${at}`;
  return { name, asked: name };
}

/** Why slots do not run. */
export interface PassedSlots {
  /** Slots before this were paused. */
  readonly pausedUntil: number;
  readonly decidedAt: number;
  /** Why a slot that was not paused is missed. */
  reasonFor(at: number): string;
  /** The reason of several slots that share a row. */
  sharedReason?(count: number, span: string): string;
}

/** A row for each slot, and one shared row for those before them. */
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
  const reason = passed.sharedReason?.(count, span) ?? `${count} slots ${span}`;
  return { ...passedTask(record, at, { ...passed, reasonFor: () => reason }), note: reason };
}

function passedTask(
  record: Schedule,
  at: number,
  { pausedUntil, decidedAt, reasonFor }: PassedSlots,
): DraftOf<TaskKind> {
  const end =
    at < pausedUntil
      ? ({ state: "skipped", reason: "paused" } as const)
      : ({ state: "missed", reason: reasonFor(at) } as const);
  const ends = { ...end, at: decidedAt };
  return slotTask(record, { at, because: "cadence", key: slotKey(record.id, at), ends });
}

/** A ping is not run: it is due when its grace has ended. */
function wakeAtOf(run: RunSpec, { at, wakeAt = at }: Run): number {
  return "ping" in run ? Math.max(wakeAt, at + run.graceMs) : wakeAt;
}

/** A requested run. Refused as `held` while another one runs, unless runs may overlap. */
export function runNow(record: LedgerRecord<ScheduleKind>, now: number): DraftOf<TaskKind> {
  if ("ping" in record.body.run) {
    throw new DaybookError(
      "refused",
      "A watch waits for pings and runs nothing: run its job where it lives.",
    );
  }
  const holds = record.body.overlap === "allow" ? [] : [runHold(record.id)];
  return slotTask(record, { at: now, because: "run now", holds, wakeAt: now });
}

/** Past slots, to run one after another. A slot that has a row stays as it is. */
export function backfillSlots(
  record: LedgerRecord<ScheduleKind>,
  from: number,
  to: number,
  limit: number,
): readonly DraftOf<TaskKind>[] {
  if (from > to) throw new DaybookError("invalid", '"to" is before "from": swap the two times.');
  const { id, body } = record;
  // Undecided slots are left to the controller.
  const until = Math.min(to, outcomeOf(record).cursor);
  const { fires, earlier } = firesBetween(body.cadence, from - 1, until, limit);
  if (earlier > 0) {
    const count = earlier + fires.length;
    const sentence = `This range has ${count} slots, over the limit of ${limit}: choose a shorter one.`;
    throw new DaybookError("too_large", sentence, { details: { count, limit } });
  }
  const turns = body.overlap === "allow" ? undefined : [runHold(id)];
  return fires.map((at) =>
    slotTask(record, { at, because: "backfill", key: slotKey(id, at), turns }),
  );
}
