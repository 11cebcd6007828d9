import { createHash } from "node:crypto";
import type { AnyRecord } from "../../kernel/record.ts";

type Placed = Pick<AnyRecord, "kind" | "id" | "state" | "lease">;

/** Folders of kinds that are not called as many of the kind are. */
const kindFolders = new Map<string, string>([
  ["notification", "messages"],
  ["person", "people"],
  ["expiry", "expiries"],
]);

type FolderOf = (placed: Placed) => string;

/** Those who know these folders look for nothing beside them. */
const stateFolders = new Map<string, FolderOf>([
  ["event", ({ state }) => (state === "pending" || state === "dispatched" ? state : "completed")],
  [
    "task",
    ({ state, lease }) => {
      if (state === "pending") return lease ? "in_progress" : "pending";
      return state === "needs_human" ? "in_progress" : "completed"; // a person is at work on it
    },
  ],
  [
    "notification",
    ({ state }) => {
      if (state === "pending") return "pending";
      return state === "delivered" ? "sent" : "failed";
    },
  ],
]);

/** The folders that people and programs look into before anything is there. */
export const knownFolders = [
  ...["pending", "dispatched", "completed"].map((state) => `queue/events/${state}`),
  ...["pending", "in_progress", "completed"].map((state) => `queue/tasks/${state}`),
  ...["pending", "sent", "failed"].map((state) => `queue/messages/${state}`),
];
export const resultFolder = "state/results";

/** Whether other programs may drop files here. */
export function isDropPlace(place: string): boolean {
  return /^queue\/(events|tasks|messages)\/pending\//.test(place);
}

/**
 * Where a record's file is, under the ledger's folder. A lease is not a state, but a person looks for
 * what is being worked on: under a lease, lapsed or not, a record is in `in_progress`, if its kind has
 * that folder.
 */
export function placeOf(placed: Placed): string {
  const { kind, id, state, lease } = placed;
  const kinds = kindFolders.get(kind) ?? `${nameOf(kind)}s`;
  const known = stateFolders.get(kind)?.(placed);
  const states = known ?? (lease ? "in_progress" : nameOf(state));
  return `queue/${kinds}/${states}/${nameOf(id)}.json`;
}

/** Where the result of a task is. */
export function resultPlace(id: string): string {
  return `${resultFolder}/${nameOf(id)}.json`;
}

/** What whoever works on a task touches, to say that it still does. */
export function heartbeatPlace(id: string): string {
  return `${resultFolder}/${nameOf(id)}-heartbeat`;
}

const safe = /^[a-z0-9-][a-z0-9_-]{0,63}$/;
/** Names that are devices on Windows, whatever follows the dot. */
const device = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * Ids are any text. One that is no safe name is called by what is safe in it and by its hash: no safe
 * name has a tilde, and no two texts have one name, on a disk that folds case either.
 */
export function nameOf(text: string): string {
  if (safe.test(text) && !device.test(text)) return text;
  const whole = JSON.stringify(text); // also tells apart what is no character
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, 24);
  const readable = text
    .slice(0, 60)
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-");
  return `${/^[a-z0-9]/.test(readable) ? readable : `_${readable}`}~${hash}`;
}
