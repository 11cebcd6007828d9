import type { LeaseHandle } from "../../kernel/controller.ts";
import type { Claimed } from "../../kernel/record.ts";
import { parseTarget } from "../../kernel/target.ts";
import type { Clock } from "../../platform/clock.ts";
import { withDeadline } from "../../platform/deadline.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import type { Channel, SendAttempt } from "./channel.ts";
import type { NotificationKind } from "./kind.ts";
import { answerProblem, readSent, type Sent, stopped } from "./receipt.ts";
import { maybeDelivered } from "./wait-verdict.ts";

type Notification = Claimed<NotificationKind>;

export interface SenderOptions {
  readonly channels: readonly Channel[];
  readonly clock: Clock;
  /** A send that takes longer is aborted, and its fate is unknown. */
  readonly timeoutMs?: number;
  /** Called with the channel and the problem of each answer that is not as the contract says. */
  onWrongAnswer?(channel: string, problem: string): void;
}

/** The call of a channel in one attempt. */
export type Send = (channel: Channel, address: string, attempt: SendAttempt) => Promise<Sent>;

/** How long an aborted channel may take to return its result. */
const graceMs = 2_000;

/** Calls the channel of a notification's target once, with a deadline and under the lease. */
export function sender(
  options: SenderOptions,
): (record: Notification, saved: Saved, send: Send) => Promise<Sent> {
  const { clock, timeoutMs = 30_000 } = options;
  const channels = new Map(options.channels.map((channel) => [channel.name, channel]));
  return async (record, saved, send) => {
    const { channel: name, address } = parseTarget(record.body.target);
    const channel = channels.get(name);
    if (channel === undefined) {
      return { result: "rejected", reason: `the channel "${name}" is not configured on this node` };
    }
    const { handle, ...parts } = saved;
    const { signal } = handle;
    // The reads before this took time: another node may have the lease already.
    if (signal.aborted || !handle.isTrusted()) return stopped();
    const sent = await withDeadline({ clock, timeoutMs, graceMs, signal }, (aborted) =>
      send(channel, address, { ...parts, signal: aborted }),
    ).catch(brokenSend);
    if (!("done" in sent)) return { result: "unknown", reason: `no answer: ${sent.late}` };
    const problem = answerProblem(sent.done);
    if (problem !== undefined) options.onWrongAnswer?.(name, problem);
    return readSent(sent.done);
  };
}

/** After an error of the channel, it is unknown whether the message was sent. */
function brokenSend(error: unknown): { done: Sent } {
  return { done: { result: "unknown", reason: messageOf(error) } };
}

export interface Saved {
  readonly handle: LeaseHandle<NotificationKind>;
  readonly progress: Json;
  save(progress: Json): Promise<void>;
}

/** Saves the progress of a channel in the outcome. */
export function progressSaver(
  record: Notification,
  handle: LeaseHandle<NotificationKind>,
  wrap: (progress: Json) => Json = (progress) => progress,
): Saved {
  const { outcome } = record;
  const known = outcome?.progress ?? null;
  const inner = typeof known === "object" && known !== null && "members" in known;
  return {
    handle,
    progress: inner ? ((known as { sent?: Json }).sent ?? null) : known,
    save: (progress) =>
      handle.save({
        receipt: null,
        reason: outcome?.reason ?? null,
        maybeDelivered: maybeDelivered(record),
        progress: wrap(progress),
      }),
  };
}
