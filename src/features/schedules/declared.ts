import { createHash } from "node:crypto";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { Body } from "../../kernel/shape.ts";
import type { DraftOf, EditOf } from "../../kernel/unit.ts";
import { canonical } from "../../platform/json.ts";
import type { TaskKind } from "../tasks/index.ts";
import { atItsEnd } from "./backlog.ts";
import { editedSchedule } from "./change.ts";
import { unitMax } from "./due-slots.ts";
import { type ScheduleKind } from "./kind.ts";
import { makeSchedule, type MakeFacts } from "./make-schedule.ts";

type Schedule = LedgerRecord<ScheduleKind>;

/** A schedule that somebody set down, and keeps set down, in a file or in code. */
export interface Declared {
  /** By which it is found again. */
  readonly key: string;
  readonly body: Body<ScheduleKind>;
  /** What was changed elsewhere stays, until it is changed here. */
  readonly adopt: boolean;
}

/** What becomes of one. */
export type Step =
  | { readonly what: "create"; readonly key: string; readonly draft: DraftOf<ScheduleKind> }
  | {
      readonly what: "change";
      readonly key: string;
      readonly edit: EditOf<ScheduleKind>;
      /** What differs, as the settings call it. */
      readonly fields: readonly string[];
      /** It was changed elsewhere, and is set back. */
      readonly isDrift: boolean;
    }
  | { readonly what: "keep"; readonly key: string; readonly fields: readonly string[] }
  | {
      readonly what: "remove";
      readonly key: string;
      readonly edit: EditOf<ScheduleKind>;
      /** Slots that came, and that nobody has decided. */
      readonly rows: readonly DraftOf<TaskKind>[];
    }
  | { readonly what: "same"; readonly key: string };

export const removedReason = "removed from config";

/**
 * What makes one owner's declared schedules as they are set down. Those that nobody declared are not looked
 * at; nor is whether one is paused or disabled, for that was said elsewhere and on purpose.
 */
export function planDeclared(
  declared: readonly Declared[],
  live: readonly Schedule[],
  facts: MakeFacts,
): readonly Step[] {
  const known = new Map(
    live.flatMap((each) => (each.body.declared ? [[each.body.declared, each]] : [])),
  );
  const wanted = new Set(declared.map(({ key }) => key));
  const gone = [...known].filter(([key]) => !wanted.has(key));
  // All of it is one unit.
  const rowsMax = Math.max(1, Math.floor(unitMax / gone.length));
  return [
    ...declared.map((one) => stepFor(one, known.get(one.key), facts)),
    ...gone.map(([key, record]): Step => ({
      what: "remove",
      key,
      ...removedSchedule(record, facts.now, rowsMax),
    })),
  ];
}

function stepFor(one: Declared, record: Schedule | undefined, facts: MakeFacts): Step {
  const { key } = one;
  const body = { ...one.body, declared: key, declaredHash: hashOf(one.body) };
  if (record === undefined) return { what: "create", key, draft: makeSchedule(body, facts) };
  const differs = differing(record.body, body);
  const fields = differs.map((name) => settings[name] ?? name).toSorted();
  const isNewHere = record.body.declaredHash !== body.declaredHash;
  if (fields.length === 0 && !isNewHere) return { what: "same", key };
  const isDrift = record.body.declaredHash !== hashOf(record.body);
  if (isDrift && !isNewHere && one.adopt) return { what: "keep", key, fields };
  // Where the words for it are the same, an interval goes on as it was counted.
  const sameTimes = !differs.includes("whenText") && !differs.includes("zone");
  const changes = sameTimes ? { ...body, cadence: record.body.cadence } : body;
  // A budget that is said no more goes.
  const { budget: _, ...kept } = record.body;
  const edit = editedSchedule({ ...record, body: kept }, changes, facts.now, facts.minGapMs);
  return { what: "change", key, edit, fields, isDrift };
}

/** Where the settings have another name for it. */
const settings: Readonly<Record<string, string>> = {
  whenText: "when",
  zone: "timezone",
  timeoutMs: "timeout",
};

/** It is set down no more, and ends. */
export function removedSchedule(
  record: Schedule,
  now: number,
  rowsMax?: number,
): { edit: EditOf<ScheduleKind>; rows: readonly DraftOf<TaskKind>[] } {
  const { id, revision } = record;
  const { outcome, rows } = atItsEnd(record, now, removedReason, rowsMax);
  const edit = {
    kind: "schedule",
    id,
    ifRevision: revision,
    ends: "completed",
    outcome: { ...outcome, reason: removedReason },
    note: removedReason,
  } as const;
  return { edit, rows };
}

/** What was asked, without what follows from the moment it was asked in. */
function essence(body: Body<ScheduleKind>): Readonly<Record<string, unknown>> {
  const { cadence, run, declared: _, declaredHash: __, ...asked } = body;
  const zone = "zone" in cadence ? cadence.zone : null;
  // What signs calls is made by chance, unless a handler has it set.
  const isByChance = "http" in run && body.event === undefined;
  return { ...asked, run: isByChance ? { http: run.http } : run, zone };
}

function differing(before: Body<ScheduleKind>, after: Body<ScheduleKind>): readonly string[] {
  const [old, fresh] = [essence(before), essence(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])];
  const text = (value: unknown): string => (value === undefined ? "" : canonical(value));
  return names.filter((name) => text(old[name]) !== text(fresh[name]));
}

function hashOf(body: Body<ScheduleKind>): string {
  return createHash("sha256")
    .update(canonical(essence(body)))
    .digest("hex")
    .slice(0, 16);
}
