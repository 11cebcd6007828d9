import type { Channel } from "../channels/channel.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Claimed } from "../rules/record.ts";
import { parseTarget } from "../rules/target.ts";

type Notification = Claimed<"notification">;

/** What begins a thread is looked for this often at least; then less often, the longer it takes. */
const waitMsMin = 100;
const waitMsMax = 60_000;

/** Where a notification is said that belongs in a thread; or that what begins the thread is on its way. */
export function threading(
  ledger: Ledger,
  channels: readonly Channel[],
): (record: Notification) => Promise<{ target: string } | { result: "waits"; afterMs: number }> {
  return async (record) => {
    const { thread, target, at } = record.body;
    const { channel: name } = parseTarget(target);
    const threadOf = channels.find((channel) => channel.name === name)?.threadOf;
    if (thread === undefined || threadOf === undefined) return { target };
    const first = await ledger.of(record.owner, record.by).get(thread.of);
    if (first?.kind !== "notification") return { target };
    if (first.endedAt === null) {
      const longMs = (record.lease.claimedAt - at) / 2;
      return { result: "waits", afterMs: Math.min(Math.max(longMs, waitMsMin), waitMsMax) };
    }
    if (first.state !== "delivered") return { target };
    const began = parseTarget(first.body.target);
    if (began.channel !== name) return { target };
    const address = readThread(() => threadOf(began.address, first.outcome?.receipt ?? null));
    return { target: address === undefined ? target : `${name}:${address}` };
  };
}

/** A channel is a stranger's code: one that cannot say has no thread. */
function readThread(read: () => unknown): string | undefined {
  try {
    const address = read();
    return typeof address === "string" && /^\S{1,200}$/.test(address) ? address : undefined;
  } catch {
    return undefined;
  }
}
