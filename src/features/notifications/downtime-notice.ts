import type { Events } from "../../kernel/events.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Bus } from "../../platform/event-bus.ts";
import { loop } from "../../platform/loop.ts";
import { service, type Service } from "../../platform/service.ts";
import { systemOwner, nodeKind } from "../nodes/node.ts";
import { downtimeNotice, lastAlive, type Gap } from "./downtime.ts";
import type { NotificationKind } from "./kind.ts";

export interface Downtime extends Service {
  /** A notification is being said: was it due while nobody was there? */
  saw(record: LedgerRecord<NotificationKind>): void;
}

interface DowntimeOptions {
  ledger: Ledger;
  clock: Clock;
  events: Bus<Events>;
  silenceMs: number;
  profile(owner: string): Promise<Profile>;
}

/** How long nothing overdue must have turned up before the owners are told how much it was. */
const settledMs = 5_000;
const nodesMax = 200;

/** After a gap, tells each owner in their inbox from when to when, and how many of theirs were late. */
export function downtime(options: DowntimeOptions): Downtime {
  const { ledger, clock, events, profile } = options;
  const late = new Map<string, number>();
  let gap: Gap | undefined;
  let counted = -1; // not looked yet

  const tell = async (whole: Gap): Promise<void> => {
    for (const [owner, count] of late) {
      const draft = downtimeNotice(whole, { owner, count, ...(await profile(owner)) });
      await ledger.of(owner, systemOwner).append(draft);
      late.delete(owner);
    }
  };
  const pass = async (): Promise<number> => {
    if (gap === undefined) return Infinity;
    const total = late.values().reduce((sum, count) => sum + count, 0);
    if (total !== counted) {
      counted = total;
      return settledMs;
    }
    const owners = late.size;
    await tell(gap);
    const { from, to } = gap;
    if (total > 0) events.emit("overdue found", { count: total, owners, downMs: to - from });
    gap = undefined;
    return Infinity;
  };
  const failed = (error: unknown): number => {
    events.emit("store failed", { doing: "tell of a downtime", reason: messageOf(error) });
    return settledMs;
  };
  const looking = loop({ clock, pass, failed });
  const parts = service({
    async start() {
      counted = -1;
      const query = { kind: nodeKind, order: "newest", limit: nodesMax } as const;
      const { records } = await ledger.of(systemOwner, systemOwner).list(query);
      gap = lastAlive(records, clock.wall(), options.silenceMs);
      if (gap) await looking.start();
    },
    stop: () => looking.stop(),
  });
  return {
    ...parts,
    saw({ owner, body }) {
      if (gap && body.at >= gap.from && body.at < gap.to) {
        late.set(owner, (late.get(owner) ?? 0) + 1);
      }
    },
  };
}
