import type { Controller, LeaseHandle } from "../../kernel/controller.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Verdict, Facts } from "../../kernel/verdict.ts";
import type { Json } from "../../platform/json.ts";
import { plainProfile } from "../accounts/index.ts";
import { unmarked } from "./channel.ts";
import { emitDelivery } from "./delivery-events.ts";
import {
  afterSending,
  beforeSending,
  destinationRestMs,
  type SendResult,
  withProgress,
} from "./delivery.ts";
import { progressOf, digests as digestsOf } from "./digest.ts";
import { isOver, timeIsOver } from "./expiry.ts";
import { notifyOwner } from "./failure-notice.ts";
import { parentWake, type NotificationKind, notificationKind } from "./kind.ts";
import { markLookup, type Marked } from "./mark.ts";
import { digestText, messageFrom, wordsFor, type Words } from "./message.ts";
import { quietUntil } from "./quiet-hours.ts";
import type { Sent } from "./receipt.ts";
import { progressSaver, sender, type Send, type SenderOptions } from "./sender.ts";
import { type Threads, threadLookup } from "./thread.ts";
import { withoutDigest } from "./wait-verdict.ts";

interface DelivererOptions extends SenderOptions {
  ledger: Ledger;
  /** How an owner reads, and when they want quiet. */
  profile(owner: string): Promise<Profile>;
  /** Called before each send. */
  saw?(record: Notification): void;
}

/** What was seen, and who would read of it. */
interface Observation {
  readonly seen: SendResult;
  readonly reader: Profile;
  /** What was saved on the way, if anything was. */
  readonly progress: Json | undefined;
}

type Notification = Claimed<NotificationKind>;

/** Says notifications: one attempt is one send on the target's channel. */
export function deliverer(options: DelivererOptions): Controller<NotificationKind, Observation> {
  const { profile, ledger } = options;
  const [digests, findMarked] = [digestsOf(ledger), markLookup(ledger)];
  const threads = threadLookup(ledger, options.channels);
  const send = sender(options);
  const sendDigest = async (
    record: Notification,
    reader: Profile,
    handle: LeaseHandle<NotificationKind>,
  ): Promise<SendResult> => {
    const members = await digests.members(record);
    const ids = members.map(({ id }) => id);
    if (ids.length === 0) return { result: "over", reason: "nothing is left to say" };
    const saved = progressSaver(record, handle, (sent) => progressOf(ids, sent));
    await saved.save(saved.progress); // before the send: a retry has the same members
    const words = wordsFor(reader, digestText(members, reader));
    const sent = await send(record, saved, sendMessage(record, words));
    return { result: "digest sent", sent, members: ids };
  };
  const mark = async (
    record: Notification,
    reader: Profile,
    handle: LeaseHandle<NotificationKind>,
  ): Promise<Sent> => {
    const found = await findMarked(record);
    if ("result" in found) return found;
    return send(record, progressSaver(record, handle), sendMark(record, found, reader));
  };
  const attempt = async (
    record: Notification,
    reader: Profile,
    handle: LeaseHandle<NotificationKind>,
  ): Promise<SendResult> => {
    const digest = record.outcome?.digest;
    const fate = digest === undefined ? "alone" : await digests.fate(record, digest);
    if (typeof fate === "object") return { result: "delivered", receipt: fate.sentWith };
    if (fate !== "alone") return { result: fate };
    if (isOver(record, record.lease.claimedAt)) return { result: "over", reason: timeIsOver };
    // It makes no sound: quiet hours are no reason to show what is not true any more.
    if (record.body.type === "mark") return mark(record, reader, handle);
    const until = quietEnd(record, reader);
    if (until !== undefined) return { result: "quiet", until };
    if (record.body.type === "digest") return sendDigest(record, reader, handle);
    const place = await threads.find(record);
    if ("result" in place) return place;
    const words = wordsFor(reader, record.body.message);
    const placed = { ...record, body: { ...record.body, ...place } };
    return send(placed, progressSaver(record, handle), sendMessage(record, words));
  };
  return {
    name: "deliverer",
    kind: notificationKind,
    pollMs: 5_000,
    before,
    async act(record, handle) {
      options.saw?.(record);
      const reader = await profile(record.owner);
      let progress: Json | undefined;
      const save: typeof handle.save = async (outcome) => {
        ({ progress } = outcome); // it is true even if it could not be written down just now
        await handle.save(outcome);
      };
      return { seen: await attempt(record, reader, { ...handle, save }), reader, progress };
    },
    decide,
    withoutConsequences: withoutDigest,
    publish: publishDelivery(threads),
    lanePauseMs: ({ seen }) => destinationRestMs(seen),
  };
}

function publishDelivery(
  threads: Threads,
): NonNullable<Controller<NotificationKind, Observation>["publish"]> {
  return (events, written) => {
    threads.began(written.record, written.verdict);
    emitDelivery(events, written);
  };
}

function before(record: Notification, facts: Facts): Verdict<NotificationKind> | undefined {
  const verdict = beforeSending(record, facts);
  // No attempt came as far as to learn how its owner reads.
  const hasEnded = verdict !== undefined && "ends" in verdict;
  const noticed = hasEnded ? notifyOwner(verdict, record, plainProfile, facts) : verdict;
  return noticed && withParentWake(noticed, record);
}

function decide(
  record: Notification,
  observation: Observation,
  facts: Facts,
): Verdict<NotificationKind> {
  const { seen, reader, progress } = observation;
  const verdict = afterSending(withProgress(record, progress), seen, facts);
  return withParentWake(notifyOwner(verdict, record, reader, facts), record);
}

/** When the quiet hours end that it came due in, if it has to wait for that. */
function quietEnd(record: Notification, { quiet, zone }: Profile): number | undefined {
  const { priority, lease, body } = record;
  if (body.change !== undefined) return undefined; // programs do not sleep
  if (quiet === null || priority === "high") return undefined;
  return quietUntil(lease.claimedAt, quiet, zone);
}

function sendMessage(record: Notification, words: Words): Send {
  return (channel, address, attempt) => channel.send(messageFrom(record, address, words), attempt);
}

function sendMark(
  record: Notification,
  { message: marked, receipt }: Marked,
  reader: Profile,
): Send {
  return async (channel, address, attempt) => {
    const message = messageFrom(marked, address, wordsFor(reader, marked.body.message));
    const mark = { ...message, mark: record.body.message, receipt };
    return channel.mark?.(mark, attempt) ?? unmarked;
  };
}

/** What it follows from hears of its end in the unit that writes it. One that is cancelled ends either way. */
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
