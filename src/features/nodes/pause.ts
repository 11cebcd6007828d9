import * as z from "zod";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { AnyRecord, LedgerRecord } from "../../kernel/record.ts";
import { moment } from "../../kernel/schemas.ts";
import { parseTarget } from "../../kernel/target.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { cached } from "../../platform/cached.ts";
import type { Clock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import { pauseHold } from "./holds.ts";
import { systemOwner } from "./node.ts";

export const pausableKinds = ["notification", "schedule", "task", "nag"] as const;

/** What is paused: everything, one kind, one owner's records, or what goes to one channel. */
const scope = z.union([
  z.strictObject({ all: z.literal(true) }).readonly(),
  z.strictObject({ kind: z.enum(pausableKinds) }).readonly(),
  z.strictObject({ owner: z.string() }).readonly(),
  z.strictObject({ channel: z.string() }).readonly(),
]);
export type PauseScope = z.output<typeof scope>;

/** Pauses many records at once. All pauses are in the system's own book, where every node reads them. */
export const pauseKind = defineKind({
  name: "pause",
  body: z.strictObject({
    scope,
    reason: z.string().nullable(),
    /** When it ends by itself; absent: when somebody resumes. */
    until: moment.exactOptional(),
  }),
  outcome: z.null(),
  states: { active: ["over"] },
});
export interface PauseKind extends KindOf<typeof pauseKind> {}

export type Pause = LedgerRecord<PauseKind>;

const reasonCharsMax = 1_000;

export function makePause(body: PauseKind["body"], now: number): DraftOf<PauseKind> {
  const { until = Infinity, reason, scope } = body;
  if (until <= now) {
    throw new DaybookError("invalid", "That time is over: say a later one, or none.");
  }
  if ((reason ?? "").length > reasonCharsMax) {
    const sentence = `The reason is over ${reasonCharsMax} characters: shorten it.`;
    throw new DaybookError("too_large", sentence);
  }
  return { kind: "pause", body, state: "active", holds: [pauseHold(scopeText(scope))] };
}

/** `all`, `kind task`, `owner mina`, `channel ntfy`. */
export function scopeText(scope: PauseScope): string {
  if ("all" in scope) return "all";
  if ("kind" in scope) return `kind ${scope.kind}`;
  return "owner" in scope ? `owner ${scope.owner}` : `channel ${scope.channel}`;
}

/** `all rested (holiday)`: the scope, the verb in that form, and the reason. */
export function restText({ body: { scope, reason } }: Pause, verb: "rests" | "rested"): string {
  return `${scopeText(scope)} ${verb}${reason === null ? "" : ` (${reason})`}`;
}

export function isInForce({ body, endedAt }: Pause, now: number): boolean {
  return endedAt === null && (body.until ?? Infinity) > now;
}

/** Whether nothing of a kind is to be looked at. Nodes and chores never rest. */
export function restingKind(
  pauses: readonly Pause[],
  kind: string,
  now: number,
): Pause | undefined {
  if (!pausableKinds.some((each) => each === kind)) return undefined;
  return pauses.find((pause) => {
    const { scope } = pause.body;
    const isMeant = "all" in scope || ("kind" in scope && scope.kind === kind);
    return isMeant && isInForce(pause, now);
  });
}

/** The pause that covers a record, by itself or with all of its kind. */
export function restingRecord(
  pauses: readonly Pause[],
  record: AnyRecord,
  now: number,
): Pause | undefined {
  if (!pausableKinds.some((each) => each === record.kind)) return undefined;
  return pauses.find((pause) => isInForce(pause, now) && isAbout(pause.body.scope, record));
}

/** Why one record rested at a time that lies back. */
export function restedRecord(
  pauses: readonly Pause[],
  record: AnyRecord,
  at: number,
): Pause | undefined {
  return pauses.find(({ body: { scope, until }, createdAt, endedAt }) => {
    const end = Math.min(until ?? Infinity, endedAt ?? Infinity);
    return createdAt <= at && at < end && isAbout(scope, record);
  });
}

function isAbout(scope: PauseScope, record: AnyRecord): boolean {
  if ("all" in scope) return true;
  if ("kind" in scope) return scope.kind === record.kind;
  if ("owner" in scope) return scope.owner === record.owner;
  // A notification's lane is its target.
  if (record.kind !== "notification" || record.lane === null) return false;
  return parseTarget(record.lane).channel === scope.channel;
}

/** All pauses that nobody has ended, in force or expired. */
export async function readPauses(ledger: Ledger): Promise<readonly Pause[]> {
  const book = ledger.of(systemOwner, systemOwner);
  return Array.fromAsync(recordsIn(book, { kind: pauseKind, live: true }));
}

const newestMax = 100;

/** The newest pauses, ended ones too: explain says which of them covered a record. */
export async function readNewestPauses(ledger: Ledger): Promise<readonly Pause[]> {
  const book = ledger.of(systemOwner, systemOwner);
  const { records } = await book.list({ kind: pauseKind, order: "newest", limit: newestMax });
  return records;
}

/** Heard of after this long at most. */
export const pauseHeardMs = 1_000;

/** For those who need them all the time: cached for a moment. */
export function pauseReader(
  ledger: Ledger,
  clock: Pick<Clock, "mono">,
): () => Promise<readonly Pause[]> {
  const read = cached(clock, pauseHeardMs, readPauses);
  return () => read(ledger);
}
