import * as z from "zod";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { isoOr } from "../../../platform/iso-time.ts";
import type { NotificationKind } from "../../notifications/kind.ts";

/** What a run had said, and whether that arrived. */
export const saidView = z.object({
  id: z.string(),
  type: z.string(),
  state: z.string(),
  target: z.string(),
  ended_at: z.string().nullable(),
  receipt: z.unknown(),
});
export type Said = z.infer<typeof saidView>;

export function shownSaid(record: LedgerRecord<NotificationKind>): Said {
  const { id, body, state, endedAt, outcome } = record;
  return {
    id,
    type: body.type ?? "reminder",
    state,
    target: body.target,
    ended_at: isoOr(endedAt),
    receipt: outcome?.receipt ?? null,
  };
}
