import { fileLayout, type FileView } from "../../kernel/files.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { isoMsOf } from "../../platform/iso-time.ts";
import { eventKind, type EventKind } from "./kind.ts";

export const eventLayout = fileLayout({
  kind: eventKind,
  folder: "events",
  stateFolders: ["pending", "dispatched", "completed"],
  stateFolder: (state) => (state === "pending" || state === "dispatched" ? state : "completed"),
  dropFolder: "pending",
  view: eventView,
});

export function eventView(record: LedgerRecord<EventKind>): FileView {
  const { id, body, priority, createdAt, state, outcome } = record;
  const { type, source, repo, payload } = body;
  const status = state === "cancelled" ? "failed" : state;
  const reason = state === "cancelled" ? state : outcome?.reason;
  const created_at = isoMsOf(createdAt);
  const view = { id, type, source, repo, payload, priority, created_at, status };
  return reason == null ? view : { ...view, reason };
}
