import { createHash } from "node:crypto";
import type { AnyRecord } from "../../rules/record.ts";

type Placed = Pick<AnyRecord, "kind" | "id" | "state" | "lease">;

/** Folders of kinds and states, where they are not called as the kind or the state is. */
const kindFolders = new Map<string, string>([
  ["notification", "messages"],
  ["schedule", "schedules"],
  ["task", "tasks"],
  ["chore", "chores"],
  ["node", "nodes"],
]);
const stateFolders = new Map<string, string>([["delivered", "sent"]]);

/**
 * Where a record's file is, under the ledger's folder. A lease is not a state, but a person looks for
 * what is being worked on: under a lease, lapsed or not, a record is in `in_progress`.
 */
export function placeOf({ kind, id, state, lease }: Placed): string {
  const kinds = kindFolders.get(kind) ?? nameOf(kind);
  const states = lease ? "in_progress" : (stateFolders.get(state) ?? nameOf(state));
  return `queue/${kinds}/${states}/${nameOf(id)}.json`;
}

const safe = /^[a-z0-9-][a-z0-9_-]{0,63}$/;
/** Names that are devices on Windows, whatever follows the dot. */
const device = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** Ids are any text. One that is no safe name is called by its hash; no safe name begins like that. */
export function nameOf(text: string): string {
  if (safe.test(text) && !device.test(text)) return text;
  const whole = JSON.stringify(text); // also tells apart what is no character
  return `_${createHash("sha256").update(whole).digest("hex").slice(0, 40)}`;
}
