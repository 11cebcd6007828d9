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
    /** When it ends by itself; absent: it ends only by a resume. */
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
    throw new DaybookError("invalid", "That time has passed: choose a later one, or none.");
  }
  if ((reason ?? "").length > reasonCharsMax) {
    const sentence = `The reason is longer than ${reasonCharsMax} characters: shorten it.`;
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

/** `all was paused (holiday)`: the scope, the verb and the reason. */
export function pauseText({ body: { scope, reason } }: Pause, verb: "is" | "was"): string {
  return `${scopeText(scope)} ${verb} paused${reason === null ? "" : ` (${reason})`}`;
}

export function isInForce({ body, endedAt }: Pause, now: number): boolean {
  return endedAt === null && (body.until ?? Infinity) > now;
}

/** The pause that covers a whole kind. Nodes and chores are never paused. */
export function pauseOfKind(
  pauses: readonly Pause[],
  kind: string,
  now: number,
): Pause | undefined {
  if (!pausableKinds.some((each) => each === kind)) return undefined;
  return pauses.find((pause) => {
    const { scope } = pause.body;
    const isCovered = "all" in scope || ("kind" in scope && scope.kind === kind);
    return isCovered && isInForce(pause, now);
  });
}

/** What the scope of a pause is compared with. */
type Covered = Pick<AnyRecord, "kind" | "owner" | "lane">;

/** The pause that covers a record, alone or with all of its kind. */
export function pauseOfRecord(
  pauses: readonly Pause[],
  record: Covered,
  now: number,
): Pause | undefined {
  if (!pausableKinds.some((each) => each === record.kind)) return undefined;
  return pauses.find((pause) => isInForce(pause, now) && covers(pause.body.scope, record));
}

/** The pause that covered a record at an earlier time. */
export function earlierPauseOf(
  pauses: readonly Pause[],
  record: Covered,
  at: number,
): Pause | undefined {
  return pauses.find(({ body: { scope, until }, createdAt, endedAt }) => {
    const end = Math.min(until ?? Infinity, endedAt ?? Infinity);
    return createdAt <= at && at < end && covers(scope, record);
  });
}

function covers(scope: PauseScope, record: Covered): boolean {
  if ("all" in scope) return true;
  if ("kind" in scope) return scope.kind === record.kind;
  if ("owner" in scope) return scope.owner === record.owner;
  // A notification's lane is its target.
  if (record.kind !== "notification" || record.lane === null) return false;
  return parseTarget(record.lane).channel === scope.channel;
}

/** All pauses that have not been ended by a resume, in force or expired. */
export async function readPauses(ledger: Ledger): Promise<readonly Pause[]> {
  const book = ledger.of(systemOwner, systemOwner);
  return Array.fromAsync(recordsIn(book, { kind: pauseKind, live: true }));
}

const newestMax = 100;

/** The newest pauses, ended ones included: explain shows which of them covered a record. */
export async function readNewestPauses(ledger: Ledger): Promise<readonly Pause[]> {
  const book = ledger.of(systemOwner, systemOwner);
  const { records } = await book.list({ kind: pauseKind, order: "newest", limit: newestMax });
  return records;
}

/** Nodes act on a new pause after this long at most. */
export const pauseReadMs = 1_000;

/** Reads the pauses, cached for a moment. */
export function pauseReader(
  ledger: Ledger,
  clock: Pick<Clock, "mono">,
): () => Promise<readonly Pause[]> {
  const read = cached(clock, pauseReadMs, readPauses);
  return () => read(ledger);
}
