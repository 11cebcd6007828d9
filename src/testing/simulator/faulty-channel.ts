import { inParts, plainPieces, type Part } from "../../adapters/channels/parts.ts";
import type { Channel, Message } from "../../features/notifications/channel.ts";
import type { Sent } from "../../features/notifications/receipt.ts";
import { slackThread } from "../../features/notifications/thread.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow, pick } from "../chance.ts";
import type { Faults } from "./faults.ts";
import type { Kernel, VirtualProcess } from "./kernel.ts";
import type { Marks } from "./marks.ts";

/** What the outside world hears of sends, in the order in which it happens. */
export interface SendObserver {
  /** An attempt to say a message begins, on a channel. Answers which claim it belongs to. */
  started(message: Message, channel: string, process: VirtualProcess): number;
  /** One part of it sets out; a short message is its own only part. */
  part(part: Part, process: VirtualProcess): void;
  /** It has reached its reader. The receipt is its own. */
  arrived(part: Part, process: VirtualProcess, receipt: number): void;
  /** A listener was shown it. */
  shown(message: Message, listener: { owner: string; name: string }): void;
  /** A listener says that it has shown what has this id to its reader. */
  acked(target: string, name: string, id: string): void;
  /** The node heard in time what became of the attempt. */
  answered(message: Message, process: VirtualProcess, sent: Sent, claim: number): void;
}

/** Tells the tap of every attempt on a channel. */
export function observedChannel(
  channel: Channel,
  observer: SendObserver,
  process: VirtualProcess,
): Channel {
  return {
    ...channel,
    async send(message, attempt) {
      const claim = observer.started(message, channel.name, process);
      const sent = await channel.send(message, attempt);
      // After that nobody waits for it any more.
      if (!attempt.signal.aborted) observer.answered(message, process, sent, claim);
      return sent;
    },
  };
}

export interface FaultyChannelOptions {
  kernel: Kernel;
  faults: Faults;
  marks: Marks;
  observer: SendObserver;
  /** Addresses that cannot be reached at all right now. */
  downAddresses: ReadonlySet<string>;
  /** They do not even say so. */
  downHangs: boolean;
}

/** The place where messages arrive, and the way there, which loses, delays, refuses and hangs. */
export function faultyChannels(
  options: FaultyChannelOptions,
): (process: VirtualProcess) => readonly Channel[] {
  const random = options.kernel.randomFor(3);
  const network: Network = { ...options, random, receipts: 0 };
  const sendPart = (process: VirtualProcess, part: Part, signal: AbortSignal): Promise<Sent> =>
    new Promise((resolve, reject) => {
      options.observer.part(part, process);
      deliver(network, {
        part,
        process,
        signal,
        answer: answerOnce(network, process, resolve, reject),
      });
    });
  return (process) => {
    const send = inParts(plainPieces({ sizeMax: partCharsMax }), (part, signal) =>
      sendPart(process, part, signal),
    );
    const sendWhole = inParts(plainPieces({ sizeMax: Infinity }), (part, signal) =>
      sendPart(process, part, signal),
    );
    return [{ name: "sim", send }, threads(sendWhole)];
  };
}

/** A chat with threads: a receipt is a message of its own, which a thread may begin with. */
function threads(send: Channel["send"]): Channel {
  return {
    name: "slack",
    threadOf: slackThread,
    async send(message, attempt) {
      const sent = await send(message, attempt);
      if (sent.result !== "delivered") return sent;
      const [channel = "", thread] = message.address.split(":");
      const place = thread === undefined ? { channel } : { channel, thread };
      return { ...sent, receipt: { ...place, messages: [slackStamp(Number(sent.receipt))] } };
    },
  };
}

/** How the chat calls the message that has a receipt. */
export function slackStamp(receipt: number): string {
  return `${receipt}.000000`;
}

/** Long messages and most digests go in parts. */
const partCharsMax = 60;

interface Network extends FaultyChannelOptions {
  random: Random;
  receipts: number;
}

interface Delivery {
  part: Part;
  process: VirtualProcess;
  signal: AbortSignal;
  answer(sent: Sent | Error): void;
}

/** The first answer counts; it takes its time on the way back. */
function answerOnce(
  { kernel, random }: Network,
  process: VirtualProcess,
  resolve: (sent: Sent) => void,
  reject: (error: Error) => void,
): Delivery["answer"] {
  let answered = false;
  return (sent) => {
    if (answered) return;
    answered = true;
    const settle = (): void => (sent instanceof Error ? reject(sent) : resolve(sent));
    kernel.after(1 + intBelow(random, 5), "send answers", settle, process);
  };
}

function deliver(network: Network, delivery: Delivery): void {
  const { kernel, faults, random, marks } = network;
  const { signal, process, answer } = delivery;
  const lose = (): void => {
    marks.reached(`send aborted: ${String(signal.reason)}`);
    // What was sent is sent: whoever hangs up does not know what became of it.
    if (chance(random, 0.5)) answer({ result: "unknown", reason: "hung up" });
    else answer(new Error("hung up"));
  };
  // Some never answer at all, not even when told to stop.
  if (chance(random, faults.sendHang)) return marks.reached("a send ignored its signal");
  if (signal.aborted) lose();
  else signal.addEventListener("abort", lose, { once: true });
  const slow = chance(random, faults.sendSlow);
  if (slow) marks.reached("a slow send");
  const ms = slow ? 1_000 + intBelow(random, 60_000) : 1 + intBelow(random, 50);
  const reach = (): void => {
    if (!process.alive && chance(random, 0.5)) return;
    if (!process.alive) marks.reached("a send outlived its process");
    arriveAtDestination(network, delivery);
  };
  kernel.after(ms, `send ${delivery.part.text}`, reach, null);
}

/** What happens when the message reaches the other side. */
function arriveAtDestination(network: Network, { part, process, answer }: Delivery): void {
  const { faults, random, marks, downAddresses } = network;
  const arrive = (): number => {
    network.receipts += 1;
    network.observer.arrived(part, process, network.receipts);
    return network.receipts;
  };
  const maybeArrive = (): unknown => chance(random, 0.5) && arrive();
  if (downAddresses.has(part.address)) {
    marks.reached("a destination was down");
    if (network.downHangs) return;
    return answer({ result: "retry", reason: "down", destinationDown: true });
  }
  const happens = (rate: number, mark: string): boolean => {
    if (!chance(random, rate)) return false;
    marks.reached(mark);
    return true;
  };
  if (happens(faults.sendHang, "a send hung")) return void maybeArrive();
  if (happens(faults.sendUnknown, "a send answered unknown")) {
    maybeArrive();
    return answer({ result: "unknown", reason: "reset" });
  }
  if (happens(faults.sendThrow, "a channel threw")) {
    maybeArrive();
    return answer(new Error("broken channel"));
  }
  if (happens(faults.sendRetry, "a send answered retry")) return answer(retry(random));
  if (happens(faults.sendDown, "a send answered down")) {
    return answer({ ...retry(random), destinationDown: true });
  }
  if (happens(faults.sendRejected, "a send was rejected")) {
    return answer({ result: "rejected", reason: "no such reader" });
  }
  return answer({ result: "delivered", receipt: arrive() });
}

function retry(random: Random): Sent & { result: "retry" } {
  const afterMs = pick(random, [undefined, 500, 5_000, 40_000]);
  return { result: "retry", reason: "try later", ...(afterMs === undefined ? {} : { afterMs }) };
}
