import { syncPull } from "../src/features/nags/sync/pull.ts";
import { syncPush } from "../src/features/nags/sync/push.ts";
import type { ChangesOut } from "../src/features/nags/sync/rows.ts";
import { callOperation } from "../src/kernel/call.ts";
import type { Context } from "../src/kernel/operation.ts";

/** What a client that keeps pages of its own sends and gets. */
interface Pulled {
  changes: ChangesOut;
  timestamp: number;
  experimentalStrategy?: string;
}

interface Pushed {
  written: number;
  ignored: string[];
}

export async function push(
  as: Context,
  changes: object,
  lastPulledAt: number | null = null,
): Promise<Pushed> {
  return (await callOperation(as, syncPush, { changes, lastPulledAt }, as)).output as Pushed;
}

export async function pull(as: Context, since?: number | string): Promise<Pulled> {
  return (await callOperation(as, syncPull, since === undefined ? {} : { since }, as))
    .output as Pulled;
}

export const none: { created: []; updated: []; deleted: [] } = {
  created: [],
  updated: [],
  deleted: [],
};

export const trip = { id: "p1", title: "Trip", body: "Book it" } as const;

/** As a client has it that knows nothing of times yet. */
export const alarm = {
  id: "a1",
  page_id: "p1",
  next_alarm_time: 0,
  sent_count: 0,
  last_notification_id: "",
  updated_at: 1,
  _status: "created",
  _changed: "",
} as const;

export const both: {
  page: { created: [typeof trip] };
  alarm: { created: [typeof alarm] };
} = { page: { created: [trip] }, alarm: { created: [alarm] } };
