import type { Clock } from "../base/clock.ts";
import { inTime } from "../base/deadline.ts";
import { messageOf } from "../base/errors.ts";
import type { Channel } from "../channels/channel.ts";
import {
  afterSending,
  beforeSending,
  destinationRestMs,
  maybeDelivered,
  readSent,
  type Sent,
} from "../rules/delivery.ts";
import type { Claimed } from "../rules/record.ts";
import { parseTarget } from "../rules/target.ts";
import type { Controller } from "./controller.ts";

interface DelivererOptions {
  channels: readonly Channel[];
  clock: Clock;
  /** A send that takes longer is stopped, and its fate is unknown. */
  timeoutMs?: number;
}

/** How long a channel that was told to stop may take to say what came of it. */
const graceMs = 2_000;

/** Says notifications: one attempt is one send on the target's channel. */
export function deliverer(options: DelivererOptions): Controller<"notification", Sent> {
  const { clock, timeoutMs = 30_000 } = options;
  const channels = new Map(options.channels.map((channel) => [channel.name, channel]));

  const send = async (record: Claimed<"notification">, signal: AbortSignal): Promise<Sent> => {
    const { channel: name, address } = parseTarget(record.body.target);
    const channel = channels.get(name);
    if (channel === undefined) {
      return { result: "rejected", reason: `no channel "${name}" is set up here` };
    }
    const { id, owner, body } = record;
    const message = { id, owner, address, text: body.message, maybeRepeat: maybeDelivered(record) };
    const sent = await inTime({ clock, timeoutMs, graceMs, signal }, (told) =>
      channel.send(message, told),
    );
    return "done" in sent
      ? readSent(sent.done)
      : { result: "unknown", reason: `no answer: ${sent.late}` };
  };
  return {
    name: "deliverer",
    kind: "notification",
    before: beforeSending,
    // A channel that throws says nothing about whether the message went out.
    act: (record, signal) =>
      send(record, signal).catch((error: unknown) =>
        readSent({ result: "unknown", reason: messageOf(error) }),
      ),
    decide: afterSending,
    laneRestMs: destinationRestMs,
  };
}
