import type { Events } from "../../kernel/events.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Bus } from "../../platform/event-bus.ts";
import type { Language } from "../../platform/language.ts";
import { loop } from "../../platform/loop.ts";
import { service, type Service } from "../../platform/service.ts";
import { inWords } from "../../time/times.ts";
import { systemOwner, nodeKind, type NodeKind } from "../nodes/index.ts";
import { type NotificationKind, makeNotification } from "./kind.ts";
import { inboxOf } from "./routing.ts";
import { textsOf } from "./texts.ts";

/** A span in which no node ran. */
interface Gap {
  readonly from: number;
  readonly to: number;
}

/** A restart is shorter, and does not count as a gap. */
const gapMsMin = 60_000;
const keyKeptMs = 30 * 86_400_000;

/** The gap that ends now, from the records of the nodes; undefined when a node was running. */
function gapBefore(
  nodes: readonly LedgerRecord<NodeKind>[],
  now: number,
  silenceMs: number,
): Gap | undefined {
  // A running node keeps moving its wake time ahead by `silenceMs`.
  const seen = nodes.map(({ endedAt, wakeAt }) => endedAt ?? (wakeAt ?? 0) - silenceMs);
  const from = Math.max(...seen, 0);
  return from > 0 && now - from > gapMsMin ? { from, to: now } : undefined;
}

function downtimeNotice(
  gap: Gap,
  reader: { owner: string; count: number; zone: string; language: Language },
): DraftOf<NotificationKind> {
  const { owner, count, zone, language } = reader;
  const [from, to] = [gap.from, gap.to].map((at) => inWords(at, zone, language));
  const draft = makeNotification({
    message: textsOf(language).downtime({ from: from ?? "", to: to ?? "", count }),
    at: gap.to,
    atText: "now",
    target: inboxOf(owner),
    origin: null,
    type: "notice",
  });
  // Of many nodes that start at once, one writes the notice.
  const name = `downtime:${gap.from}`;
  return { ...draft, key: { name, asked: { from: gap.from }, until: gap.to + keyKeptMs } };
}

export interface Downtime extends Service {
  /** Counts a notification that is about to be sent, if it came due while no node ran. */
  count(record: LedgerRecord<NotificationKind>): void;
}

interface DowntimeOptions {
  ledger: Ledger;
  clock: Clock;
  events: Bus<Events>;
  silenceMs: number;
  profile(owner: string): Promise<Profile>;
}

/** The notices are written when no overdue notification was counted for this long. */
const settledMs = 5_000;
const nodesMax = 200;

/** After a gap, writes each owner a notice: from when to when, and how many notifications were late. */
export function downtime(options: DowntimeOptions): Downtime {
  const { ledger, clock, events, profile } = options;
  const late = new Map<string, number>();
  let gap: Gap | undefined;
  let lastTotal = -1;

  const notifyOwners = async (whole: Gap): Promise<void> => {
    for (const [owner, count] of late) {
      const draft = downtimeNotice(whole, { owner, count, ...(await profile(owner)) });
      await ledger.of(owner, systemOwner).append(draft);
      late.delete(owner);
    }
  };
  const pass = async (): Promise<number> => {
    if (gap === undefined) return Infinity;
    const total = late.values().reduce((sum, count) => sum + count, 0);
    if (total !== lastTotal) {
      lastTotal = total;
      return settledMs;
    }
    const owners = late.size;
    await notifyOwners(gap);
    const { from, to } = gap;
    if (total > 0) events.emit("overdue found", { count: total, owners, downMs: to - from });
    gap = undefined;
    return Infinity;
  };
  const failed = (error: unknown): number => {
    events.emit("store failed", { doing: "report a downtime", reason: messageOf(error) });
    return settledMs;
  };
  const noticeLoop = loop({ clock, pass, failed });
  const parts = service({
    async start() {
      lastTotal = -1;
      const query = { kind: nodeKind, order: "newest", limit: nodesMax } as const;
      const { records } = await ledger.of(systemOwner, systemOwner).list(query);
      gap = gapBefore(records, clock.wall(), options.silenceMs);
      if (gap) await noticeLoop.start();
    },
    stop: () => noticeLoop.stop(),
  });
  return {
    ...parts,
    count({ owner, body }) {
      if (gap && body.at >= gap.from && body.at < gap.to) {
        late.set(owner, (late.get(owner) ?? 0) + 1);
      }
    },
  };
}
