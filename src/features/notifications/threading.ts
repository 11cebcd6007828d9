import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Claimed } from "../../kernel/record.ts";
import { parseTarget } from "../../kernel/target.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import type { Json } from "../../platform/json.ts";
import type { Channel } from "./channel.ts";
import { type NotificationKind, notificationKind } from "./kind.ts";

type Notification = Claimed<NotificationKind>;

/** What begins a thread is looked for this often at least; then less often, the longer it takes. */
const waitMsMin = 100;
const waitMsMax = 60_000;

/** So many are remembered: a memory, not a copy. What it does not have is read. */
const rememberedMax = 1_000;

/** Where a thread began: what was delivered stays as it is. */
interface Began {
  readonly owner: string;
  readonly target: string;
  readonly receipt: Json;
}

export interface Threads {
  /** Where a notification is said that belongs in a thread; or that what begins the thread is on its way. */
  find(record: Notification): Promise<{ target: string } | { result: "waits"; afterMs: number }>;
  /** It was said, and that is written: what belongs in its thread need not look for it. */
  began(record: Notification, verdict: Verdict<NotificationKind>): void;
}

export function threading(ledger: Ledger, channels: readonly Channel[]): Threads {
  const known = new Map<string, Began>();
  const read = async (record: Notification, id: string): Promise<Began | "waits" | undefined> => {
    const first = await ledger.of(record.owner, record.by).get(id);
    if (!is(notificationKind, first)) return undefined;
    if (first.endedAt === null) return "waits";
    if (first.state !== "delivered") return undefined;
    const { owner, body, outcome } = first;
    return { owner, target: body.target, receipt: outcome?.receipt ?? null };
  };
  return {
    began({ id, owner, body }, verdict) {
      if (body.seedType !== "thread_start" || !("ends" in verdict)) return;
      if (verdict.ends !== "delivered") return;
      if (known.size >= rememberedMax) known.clear();
      known.set(id, { owner, target: body.target, receipt: verdict.outcome?.receipt ?? null });
    },
    async find(record) {
      const { thread, target, at } = record.body;
      const { channel: name } = parseTarget(target);
      const threadOf = channels.find((channel) => channel.name === name)?.threadOf;
      if (thread === undefined || threadOf === undefined) return { target };
      const remembered = known.get(thread.of);
      const isOwn = remembered?.owner === record.owner;
      const first = isOwn ? remembered : await read(record, thread.of);
      if (first === "waits") {
        const longMs = (record.lease.claimedAt - at) / 2;
        return { result: "waits", afterMs: Math.min(Math.max(longMs, waitMsMin), waitMsMax) };
      }
      if (first === undefined) return { target };
      const began = parseTarget(first.target);
      if (began.channel !== name) return { target };
      const address = readThread(() => threadOf(began.address, first.receipt));
      return { target: address === undefined ? target : `${name}:${address}` };
    },
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
