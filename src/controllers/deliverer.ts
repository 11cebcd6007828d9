import type { Clock } from "../base/clock.ts";
import { inTime } from "../base/deadline.ts";
import { messageOf } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import type { Channel, Message } from "../channels/channel.ts";
import { stopped } from "../channels/stopped.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { plainProfile, type Profile } from "../ledger/profiles.ts";
import {
  afterSending,
  beforeSending,
  destinationRestMs,
  type Seen,
  withProgress,
} from "../rules/once/delivery.ts";
import { progressOf } from "../rules/once/digest.ts";
import { quietUntil } from "../rules/once/quiet.ts";
import { readSent, type Sent } from "../rules/once/sent.ts";
import { tellingOwner } from "../rules/once/undeliverable.ts";
import { isOver, maybeDelivered, timeIsOver, withoutDigest } from "../rules/once/waiting.ts";
import type { Claimed } from "../rules/record.ts";
import { parseTarget } from "../rules/target.ts";
import { textsOf } from "../rules/texts/texts.ts";
import { timeOfDay } from "../rules/times.ts";
import type { Facts, Verdict } from "../rules/verdict.ts";
import type { Controller, Hands } from "./controller.ts";
import { tellOfDelivery } from "./delivery-events.ts";
import { digests as digestsOf } from "./digests.ts";

interface DelivererOptions {
  channels: readonly Channel[];
  clock: Clock;
  ledger: Ledger;
  /** How an owner reads, and when they want quiet. */
  profile(owner: string): Promise<Profile>;
  /** One is about to be said. */
  saw?(record: Notification): void;
  /** A send that takes longer is stopped, and its fate is unknown. */
  timeoutMs?: number;
}

/** What was seen, and who would read of it. */
interface Look {
  readonly seen: Seen;
  readonly reader: Profile;
  /** What was saved on the way, if anything was. */
  readonly progress: Json | undefined;
}

type Notification = Claimed<"notification">;

/** How long a channel that was told to stop may take to say what came of it. */
const graceMs = 2_000;

/** Says notifications: one attempt is one send on the target's channel. */
export function deliverer(options: DelivererOptions): Controller<"notification", Look> {
  const { clock, profile, timeoutMs = 30_000 } = options;
  const channels = new Map(options.channels.map((channel) => [channel.name, channel]));
  const digests = digestsOf(options.ledger);

  const send = async (record: Notification, words: Words, saved: Saved): Promise<Sent> => {
    const { channel: name, address } = parseTarget(record.body.target);
    const channel = channels.get(name);
    if (channel === undefined) {
      return { result: "rejected", reason: `no channel "${name}" is set up here` };
    }
    const { hands, ...parts } = saved;
    const { signal } = hands;
    // What was read until now took its time: the lease may be another's already.
    if (signal.aborted || !hands.isTrusted()) return stopped();
    const message = messageFrom(record, address, words);
    const sent = await inTime({ clock, timeoutMs, graceMs, signal }, (told) =>
      channel.send(message, { ...parts, signal: told }),
    ).catch(brokenSend);
    return "done" in sent
      ? readSent(sent.done)
      : { result: "unknown", reason: `no answer: ${sent.late}` };
  };
  const sayDigest = async (
    record: Notification,
    reader: Profile,
    hands: Hands<"notification">,
  ): Promise<Seen> => {
    const members = await digests.members(record);
    const ids = members.map(({ id }) => id);
    if (ids.length === 0) return { result: "over", reason: "nothing is left to say" };
    const saved = savedIn(record, hands, (sent) => progressOf(ids, sent));
    await saved.save(saved.progress); // before it is said: a retry says the same ones
    const words = wordsFor(reader, digestText(members, reader));
    return { result: "said together", sent: await send(record, words, saved), members: ids };
  };
  const look = async (
    record: Notification,
    reader: Profile,
    hands: Hands<"notification">,
  ): Promise<Seen> => {
    const digest = record.outcome?.digest;
    const fate = digest === undefined ? "alone" : await digests.fate(record, digest);
    if (typeof fate === "object") return { result: "delivered", receipt: fate.said };
    if (fate !== "alone") return { result: fate };
    if (isOver(record, record.lease.claimedAt)) return { result: "over", reason: timeIsOver };
    const until = quietEnd(record, reader);
    if (until !== undefined) return { result: "quiet", until };
    if (record.body.type === "digest") return sayDigest(record, reader, hands);
    return send(record, wordsFor(reader, record.body.message), savedIn(record, hands));
  };
  return {
    name: "deliverer",
    kind: "notification",
    before,
    async act(record, hands) {
      options.saw?.(record);
      const reader = await profile(record.owner);
      let progress: Json | undefined;
      const save: typeof hands.save = async (outcome) => {
        ({ progress } = outcome); // it is true even if it could not be written down just now
        await hands.save(outcome);
      };
      return { seen: await look(record, reader, { ...hands, save }), reader, progress };
    },
    decide,
    alone: withoutDigest,
    tell: tellOfDelivery,
    laneRestMs: ({ seen }) => destinationRestMs(seen),
  };
}

function before(record: Notification, facts: Facts): Verdict<"notification"> | undefined {
  const verdict = beforeSending(record, facts);
  // No attempt came as far as to learn how its owner reads.
  return verdict && "ends" in verdict
    ? tellingOwner(verdict, record, plainProfile, facts)
    : verdict;
}

function decide(record: Notification, look: Look, facts: Facts): Verdict<"notification"> {
  const { seen, reader, progress } = look;
  const verdict = afterSending(withProgress(record, progress), seen, facts);
  return tellingOwner(verdict, record, reader, facts);
}

/** When the quiet hours end that it came due in, if it has to wait for that. */
function quietEnd({ priority, lease }: Notification, { quiet, zone }: Profile): number | undefined {
  if (quiet === null || priority === "high") return undefined;
  return quietUntil(lease.claimedAt, quiet, zone);
}

/** A channel that throws says nothing about whether the message went out. */
function brokenSend(error: unknown): { done: Sent } {
  return { done: { result: "unknown", reason: messageOf(error) } };
}

interface Saved {
  readonly hands: Hands<"notification">;
  readonly progress: Json;
  save(progress: Json): Promise<void>;
}

/** What a channel writes down between two parts stands in the outcome. */
function savedIn(
  record: Notification,
  hands: Hands<"notification">,
  wrap: (progress: Json) => Json = (progress) => progress,
): Saved {
  const { outcome } = record;
  const known = outcome?.progress ?? null;
  const inner = typeof known === "object" && known !== null && "members" in known;
  return {
    hands,
    progress: inner ? ((known as { sent?: Json }).sent ?? null) : known,
    save: (progress) =>
      hands.save({
        receipt: null,
        reason: outcome?.reason ?? null,
        maybeDelivered: maybeDelivered(record),
        progress: wrap(progress),
      }),
  };
}

/** What is said, and in which language the rest around it. */
type Words = Pick<Message, "text" | "language">;

function wordsFor({ language }: Profile, text: string): Words {
  return { text, language };
}

function messageFrom(record: Notification, address: string, words: Words): Message {
  const { id, owner, priority, body, parent } = record;
  const maybeRepeat = maybeDelivered(record);
  return {
    id,
    owner,
    address,
    ...words,
    type: body.type ?? "reminder",
    priority,
    at: body.at,
    maybeRepeat,
    ...(parent === null ? {} : { follows: parent }),
  };
}

function digestText(
  members: readonly { readonly body: { readonly at: number; readonly message: string } }[],
  { zone, language }: Profile,
): string {
  const [first] = members;
  if (members.length === 1 && first) return first.body.message;
  const lines = members.map(({ body }) => `${timeOfDay(body.at, zone)}  ${body.message}`);
  return [textsOf(language).digest({ count: members.length }), ...lines].join("\n");
}
