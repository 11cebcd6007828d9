import { createHash, timingSafeEqual } from "node:crypto";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { Live, Outcome } from "../../kernel/shape.ts";
import type { Draft, DraftOf, EditOf } from "../../kernel/unit.ts";
import { idFrom } from "../../platform/ids.ts";
import { harmless, oneLine } from "../../platform/text.ts";
import {
  makeNotification,
  type NotificationKind,
  type NoticeReader,
} from "../notifications/index.ts";
import { type TaskKind, summaryOf, emptyOutcome, type TaskOutcome } from "../tasks/index.ts";
import type { ScheduleKind } from "./kind.ts";
import { outcomeOf } from "./next-fire.ts";
import { countRun } from "./run-count.ts";
import { slotTask } from "./slot.ts";
import { textsOf } from "./texts.ts";
import { nextPing, missedBefore } from "./watch.ts";

type Schedule = LedgerRecord<ScheduleKind>;

/** What somebody says of a run elsewhere. */
export interface Ping {
  /** Its exit status; null when it only says that it failed. */
  readonly exit: number | null;
  readonly text: string;
  /** It said more than is kept. */
  readonly isCut?: boolean;
}

/** More of what a run said is not kept. */
export const pingBytesMax = 64 * 1024;
const reasonCharsMax = 300;

/** The end of what a run said, whole characters: how it came out stands there. */
export function endOf(said: Uint8Array): Pick<Ping, "text" | "isCut"> {
  let from = said.length - pingBytesMax;
  if (from <= 0) return { text: new TextDecoder().decode(said), isCut: false };
  while (((said[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return { text: new TextDecoder().decode(said.subarray(from)), isCut: true };
}

/** A run began: how long it takes will be known. */
export function began(record: Schedule, now: number): EditOf<ScheduleKind> {
  const { id, revision } = record;
  const outcome = { ...outcomeOf(record), startedAt: now };
  return { kind: "schedule", id, ifRevision: revision, outcome };
}

/**
 * A run ended: what it changes in the watch, and its row, are one unit. So are the rows of those that were to come
 * before and did not: nobody is told of them, for it has just reported.
 */
export function ended(
  record: Schedule,
  ping: Ping,
  reader: NoticeReader,
  now: number,
): { runId: string; edit: EditOf<ScheduleKind>; append: readonly Draft[] } {
  const { kind, id, revision } = record;
  const state = ping.exit === 0 ? "completed" : "failed";
  const reason = reasonOf(ping);
  const about = { schedule: record, others: [], reader, concurrency: undefined };
  const { edit = { kind, id, ifRevision: revision }, notices } = countRun(
    { state, reason, cost: 0 },
    about,
    { now, jitter: 0 },
  );
  const { isMissing = false, isNotified: isTold } = outcomeOf(record);
  const isBack = state === "completed" && isMissing && !isTold;
  // It is the newest of them, so it is written last; no other is taken in this revision.
  const runId = idFrom(JSON.stringify(["ping", id, revision]));
  const row = { ...rowOf(record, ping, { state, reason, now }), id: runId };
  const back = isBack ? [backNotice(record, reader, now)] : [];
  const append = [...missedBefore(record, now), row, ...notices, ...back];
  return { runId, edit: waiting(record, edit, now), append };
}

function reasonOf({ exit, text }: Ping): string | null {
  if (exit === 0) return null;
  const said = oneLine(text.trimEnd().split("\n").at(-1) ?? "", reasonCharsMax);
  const how = exit === null ? "it said that it failed" : `it ended with exit ${exit}`;
  return said === "" ? how : `${how}: ${said}`;
}

/** It is written as it ended, so what it said stands in the record: a stream needs a lease. */
function rowOf(
  record: Schedule,
  { exit, text, isCut = false }: Ping,
  { state, reason, now }: { state: "completed" | "failed"; reason: string | null; now: number },
): DraftOf<TaskKind> {
  const { kind, queue, body } = slotTask(record, { at: now, because: "cadence" });
  const said = harmless(text.toWellFormed());
  const outcome: TaskOutcome = {
    ...emptyOutcome,
    startedAt: outcomeOf(record).startedAt ?? now,
    finishedAt: now,
    reason,
    exit,
    summary: summaryOf(said),
    outputBytes: Buffer.byteLength(said),
    outputCut: isCut,
    result: said === "" ? null : said,
  };
  const ends = { ends: state, ...(reason === null ? {} : { note: reason }) };
  const placed = queue === undefined ? {} : { queue };
  return { kind, ...placed, body: { ...body, input: null }, parent: record.id, outcome, ...ends };
}

/** The watch waits for the next one from here on. */
function waiting(record: Schedule, edit: EditOf<ScheduleKind>, now: number): EditOf<ScheduleKind> {
  const { startedAt: _, isMissing = false, ...seen } = edit.outcome ?? outcomeOf(record);
  const isBad = seen.lastRunState !== "completed";
  const outcome: Outcome<ScheduleKind> = {
    ...seen,
    cursor: Math.max(seen.cursor, now),
    // Who was told that nothing came is told when it works.
    isNotified: seen.isNotified || (isMissing && isBad),
  };
  const state = "ends" in edit ? record.state : (edit.state ?? record.state);
  const { kind, id, ifRevision = record.revision } = edit;
  const { nextRunAt, wakeAt } = nextPing(state, record.body, outcome);
  const left = { outcome: { ...outcome, nextRunAt }, wakeAt, state: state as Live<ScheduleKind> };
  // It may be pinged although no ping is expected any more: only its owner ends it.
  return { kind, id, ifRevision, ...left };
}

function backNotice(
  { body }: Schedule,
  { language }: NoticeReader,
  now: number,
): DraftOf<NotificationKind> {
  const { name, target, origin } = body;
  const message = textsOf(language).reportsAgain({ name });
  return makeNotification({ message, at: now, atText: "now", target, origin, type: "notice" });
}

/** What finds a watch and proves the right to ping it, without any other login. */
export interface PingToken {
  readonly owner: string;
  readonly id: string;
  readonly secret: string;
}

export const pingSecretBytes = 24;
const charsMax = 1_000;

/** A book is its owner's, so the token names the owner too. */
export function pingToken(owner: string, id: string, secret: string): string {
  return [Buffer.from(owner).toString("base64url"), id, secret].join(".");
}

export function pingSecret(bytes: Uint8Array): string {
  if (bytes.length !== pingSecretBytes)
    throw new Error(`A secret has ${pingSecretBytes} random bytes.`);
  return Buffer.from(bytes).toString("base64url");
}

/** Nothing when it cannot be one. */
export function readPingToken(token: string): PingToken | undefined {
  if (token.length > charsMax || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return undefined;
  const [name = "", id = "", secret = ""] = token.split(".");
  const owner = Buffer.from(name, "base64url").toString();
  // Several texts decode to one owner: only the one that we gave counts.
  if (pingToken(owner, id, secret) !== token || !isName(owner) || !isName(id)) return undefined;
  return { owner, id, secret };
}

export function pingHash(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

export function isPingSecret(secret: string, hash: string): boolean {
  const [a, b] = [Buffer.from(pingHash(secret)), Buffer.from(hash)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** What a store takes as a name. */
function isName(text: string): boolean {
  return text !== "" && text === text.trim() && text.length <= 256 && !text.includes("\0");
}
