import { createHash } from "node:crypto";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { Body } from "../../../kernel/shape.ts";
import type { DraftOf, EditOf } from "../../../kernel/unit.ts";
import { canonical } from "../../../platform/json.ts";
import type { TaskKind } from "../../tasks/index.ts";
import { atItsEnd } from "../backlog.ts";
import { editedSchedule } from "../change.ts";
import { makeSchedule, type MakeFacts } from "../draft.ts";
import { unitMax } from "../due-slots.ts";
import { type ScheduleKind } from "../kind.ts";

type Schedule = LedgerRecord<ScheduleKind>;

/** A schedule that a file or a program declares. */
export interface Declared {
  /** The key that finds its record again. */
  readonly key: string;
  readonly body: Body<ScheduleKind>;
  /** Changes from elsewhere stay until the declaration changes. */
  readonly adopt: boolean;
}

/** What applying the declarations does to one schedule. */
export type Step =
  | { readonly what: "create"; readonly key: string; readonly draft: DraftOf<ScheduleKind> }
  | {
      readonly what: "change";
      readonly key: string;
      readonly edit: EditOf<ScheduleKind>;
      /** The fields that differ, by their names in the settings. */
      readonly fields: readonly string[];
      /** It was changed elsewhere, and is reset. */
      readonly isDrift: boolean;
    }
  | { readonly what: "keep"; readonly key: string; readonly fields: readonly string[] }
  | {
      readonly what: "remove";
      readonly key: string;
      readonly edit: EditOf<ScheduleKind>;
      /** The rows of its undecided slots. */
      readonly rows: readonly DraftOf<TaskKind>[];
    }
  | { readonly what: "same"; readonly key: string };

export const removedReason = "removed from config";

/**
 * The steps that make one owner's schedules match the declarations. Undeclared schedules are not touched, and neither is
 * a pause or a disabled state, which were set elsewhere on purpose.
 */
export function planDeclared(
  declared: readonly Declared[],
  live: readonly Schedule[],
  facts: MakeFacts,
): readonly Step[] {
  const existing = new Map(
    live.flatMap((each) => (each.body.declared ? [[each.body.declared, each]] : [])),
  );
  const wanted = new Set(declared.map(({ key }) => key));
  const removed = [...existing].filter(([key]) => !wanted.has(key));
  // All steps are one unit.
  const rowsMax = Math.max(1, Math.floor(unitMax / removed.length));
  return [
    ...declared.map((one) => stepFor(one, existing.get(one.key), facts)),
    ...removed.map(([key, record]): Step => ({
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
  const names = differing(record.body, body);
  const fields = names.map((name) => settingNames[name] ?? name).toSorted();
  const isRedeclared = record.body.declaredHash !== body.declaredHash;
  if (fields.length === 0 && !isRedeclared) return { what: "same", key };
  const isDrift = record.body.declaredHash !== hashOf(record.body);
  if (isDrift && !isRedeclared && one.adopt) return { what: "keep", key, fields };
  // With the same text, an interval keeps the start that it is counted from.
  const isSameTime = !names.includes("whenText") && !names.includes("zone");
  const changes = isSameTime ? { ...body, cadence: record.body.cadence } : body;
  // A budget that is no longer declared is removed.
  const { budget: _, ...kept } = record.body;
  const edit = editedSchedule({ ...record, body: kept }, changes, facts.now, facts.minGapMs);
  return { what: "change", key, edit, fields, isDrift };
}

/** Fields that have another name in the settings. */
const settingNames: Readonly<Record<string, string>> = {
  whenText: "when",
  zone: "timezone",
  timeoutMs: "timeout",
};

/** Ends a schedule that is no longer declared. */
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

/** The declared parts of a body, without those that depend on the time of the request. */
function declaredParts(body: Body<ScheduleKind>): Readonly<Record<string, unknown>> {
  const { cadence, run, declared: _, declaredHash: __, ...parts } = body;
  const zone = "zone" in cadence ? cadence.zone : null;
  // The secret of a call is random, unless a handler's settings have it.
  const hasRandomSecret = "http" in run && body.event === undefined;
  return { ...parts, run: hasRandomSecret ? { http: run.http } : run, zone };
}

function differing(before: Body<ScheduleKind>, after: Body<ScheduleKind>): readonly string[] {
  const [old, fresh] = [declaredParts(before), declaredParts(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])];
  const text = (value: unknown): string => (value === undefined ? "" : canonical(value));
  return names.filter((name) => text(old[name]) !== text(fresh[name]));
}

function hashOf(body: Body<ScheduleKind>): string {
  return createHash("sha256")
    .update(canonical(declaredParts(body)))
    .digest("hex")
    .slice(0, 16);
}
