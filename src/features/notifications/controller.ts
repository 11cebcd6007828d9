import type { Controller, LeaseHandle } from "../../kernel/controller.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Verdict, Facts } from "../../kernel/verdict.ts";
import type { Json } from "../../platform/json.ts";
import { plainProfile } from "../accounts/index.ts";
import { type BusyTime, busyUntil } from "./busy-times.ts";
import { unmarked } from "./channel.ts";
import { emitDelivery } from "./delivery-events.ts";
import { type DeliveryHook, type DeliveryReads, finishHooks, readHooks } from "./delivery-hook.ts";
import {
  afterSending,
  beforeSending,
  lanePauseMs,
  type SendResult,
  withProgress,
} from "./delivery.ts";
import { progressOf, digests as digestsOf } from "./digest.ts";
import { expiredReason, hasExpired } from "./expiry.ts";
import { notifyOwner } from "./failure-notice.ts";
import { obeysQuietHours } from "./hold.ts";
import { parentWake, type NotificationKind, notificationKind } from "./kind.ts";
import { longTexts } from "./long-text.ts";
import { markLookup, type Marked } from "./mark.ts";
import { digestText, messageFrom, renderedFor, type Rendered } from "./message.ts";
import type { OutputReader } from "./ports.ts";
import { quietUntil } from "./quiet-hours.ts";
import { progressSaver, sender, type Send, type SenderOptions } from "./sender.ts";
import { type Threads, threadLookup } from "./thread.ts";
import { withoutDigest } from "./wait-verdict.ts";

interface DelivererOptions extends SenderOptions {
  ledger: Ledger;
  /** The language, zone and quiet hours of an owner. */
  profile(owner: string): Promise<Profile>;
  /** Called before each attempt. */
  onAttempt?(record: Notification): void;
  /** What features above add to the end of a notification. */
  hooks?: readonly DeliveryHook[];
  /** The owner's busy times, by their start. */
  busy?(owner: string): Promise<readonly BusyTime[]>;
  /** Reads the complete output of a run whose message has only its beginning. */
  readOutput?: OutputReader | undefined;
}

/** The result of an attempt, and the owner's settings for a notice about it. */
interface Observation {
  readonly seen: SendResult;
  readonly reader: Profile;
  /** The progress that the attempt saved, if any. */
  readonly progress: Json | undefined;
  /** The facts that the hooks read. */
  readonly reads: DeliveryReads;
}

type Notification = Claimed<NotificationKind>;

/** Sends notifications: one attempt is one send on the target's channel. */
export function deliverer(options: DelivererOptions): Controller<NotificationKind, Observation> {
  const { profile, ledger, hooks = [] } = options;
  const threads = threadLookup(ledger, options.channels);
  const attempt = attempts(options, threads);
  return {
    name: "deliverer",
    kind: notificationKind,
    pollMs: 5_000,
    before,
    async act(record, handle) {
      options.onAttempt?.(record);
      const reader = await profile(record.owner);
      const reads = await readHooks(record, hooks);
      let progress: Json | undefined;
      const save: typeof handle.save = async (outcome) => {
        ({ progress } = outcome); // kept for the verdict even if this save fails
        await handle.save(outcome);
      };
      const seen = await attempt(record, reader, { ...handle, save });
      return { seen, reader, progress, reads };
    },
    decide,
    async observeAgain(record, observed) {
      if (observed.reads.size === 0) return undefined;
      // A read that fails must not repeat the send: then the end is written alone.
      const reads = await readHooks(record, hooks).catch(() => undefined);
      return reads && { ...observed, reads };
    },
    withoutConsequences: withoutDigest,
    publish: publishDelivery(threads),
    lanePauseMs: ({ seen }) => lanePauseMs(seen),
  };
}

type Attempt = (
  record: Notification,
  reader: Profile,
  handle: LeaseHandle<NotificationKind>,
) => Promise<SendResult>;

/** One attempt: a send, a digest, a mark, or the reason why nothing is sent. */
function attempts(options: DelivererOptions, threads: Threads): Attempt {
  const [digests, findMarked] = [digestsOf(options.ledger), markLookup(options.ledger)];
  const send = sender(options);
  const textOf = longTexts(options);
  const sendDigest: Attempt = async (record, reader, handle) => {
    const members = await digests.members(record);
    const ids = members.map(({ id }) => id);
    if (ids.length === 0)
      return { result: "expired", reason: "no message of the digest is left to send" };
    const saved = progressSaver(record, handle, (sent) => progressOf(ids, sent));
    await saved.save(saved.progress); // before the send: a retry has the same members
    const text = renderedFor(reader, digestText(members, reader));
    const sent = await send(record, saved, sendMessage(record, text));
    return { result: "digest sent", sent, members: ids };
  };
  const mark: Attempt = async (record, reader, handle) => {
    const found = await findMarked(record);
    if ("result" in found) return found;
    return send(record, progressSaver(record, handle), sendMark(record, found, reader));
  };
  return async (record, reader, handle) => {
    const digest = record.outcome?.digest;
    const sentBy = digest === undefined ? "alone" : await digests.resultFor(record, digest);
    if (typeof sentBy === "object") return { result: "delivered", receipt: sentBy.sentWith };
    if (sentBy !== "alone") return { result: sentBy };
    if (hasExpired(record, record.lease.claimedAt)) {
      return { result: "expired", reason: expiredReason };
    }
    if (record.body.type === "mark") return mark(record, reader, handle);
    const until = quietEnd(record, reader);
    if (until !== undefined) return { result: "quiet", until };
    const over = await meetingEnd(record, options);
    if (over !== undefined) return { result: "meeting", until: over };
    if (record.body.type === "digest") return sendDigest(record, reader, handle);
    const thread = await threads.find(record);
    if ("result" in thread) return thread;
    const text = renderedFor(reader, await textOf(record));
    const inThread = { ...record, body: { ...record.body, ...thread } };
    return send(inThread, progressSaver(record, handle), sendMessage(record, text));
  };
}

function publishDelivery(
  threads: Threads,
): NonNullable<Controller<NotificationKind, Observation>["publish"]> {
  return (events, written) => {
    threads.cache(written.record, written.verdict);
    emitDelivery(events, written);
  };
}

function before(record: Notification, facts: Facts): Verdict<NotificationKind> | undefined {
  const verdict = beforeSending(record, facts);
  // Without an attempt, the owner's settings are not read.
  const hasEnded = verdict !== undefined && "ends" in verdict;
  const noticed = hasEnded ? notifyOwner(verdict, record, plainProfile, facts) : verdict;
  return noticed && withParentWake(noticed, record);
}

function decide(
  record: Notification,
  observation: Observation,
  facts: Facts,
): Verdict<NotificationKind> {
  const { seen, reader, progress, reads } = observation;
  const verdict = afterSending(withProgress(record, progress), seen, facts);
  const noticed = notifyOwner(verdict, record, reader, facts);
  return withParentWake(finishHooks(noticed, reads, { record, reader, ...facts }), record);
}

/** The end of the quiet hours that it came due in, if it waits for that. */
function quietEnd(record: Notification, { quiet, zone }: Profile): number | undefined {
  if (quiet === null || !obeysQuietHours(record)) return undefined;
  return quietUntil(record.lease.claimedAt, quiet, zone);
}

/** The end of the meeting that it came due in, if it waits for that. */
async function meetingEnd(
  record: Notification,
  { busy }: Pick<DelivererOptions, "busy">,
): Promise<number | undefined> {
  if (busy === undefined || !obeysQuietHours(record)) return undefined;
  return busyUntil(record.lease.claimedAt, await busy(record.owner));
}

/** Asynchronous, since a channel in JavaScript may return its result at once. */
function sendMessage(record: Notification, text: Rendered): Send {
  return async (channel, address, attempt) =>
    channel.send(messageFrom(record, address, text), attempt);
}

function sendMark(
  record: Notification,
  { message: marked, receipt }: Marked,
  reader: Profile,
): Send {
  return async (channel, address, attempt) => {
    const message = messageFrom(marked, address, renderedFor(reader, marked.body.message));
    const mark = { ...message, mark: record.body.message, receipt };
    return channel.mark?.(mark, attempt) ?? unmarked;
  };
}

/** Wakes the parent in the unit that writes the end. A record that is being cancelled ends with any verdict. */
function withParentWake(
  verdict: Verdict<NotificationKind>,
  record: Claimed<NotificationKind>,
): Verdict<NotificationKind> {
  const { wake } = parentWake(record);
  if (wake === undefined || !("ends" in verdict || record.cancelling)) return verdict;
  const { consequences } = verdict;
  return {
    ...verdict,
    consequences: { ...consequences, wake: [...(consequences?.wake ?? []), ...wake] },
  };
}
