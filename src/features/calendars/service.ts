import type { EntryContent } from "./content.ts";

/**
 * One calendar (or database) of an outside service, as the reconciler sees it. Every call may be cut off, and its
 * answer lost, so each must be safe to repeat: an entry is always written under the id that we chose for it, and
 * writing it twice makes one entry.
 *
 * A failure is thrown as a `DaybookError`, with a sentence that says what to do. It concerns the whole calendar unless
 * `details.entry` is true: then only this entry failed, and the pass goes on. `details.restMs` is the pause that the
 * service asked for. A calendar that does not exist any more is `not_found`; a rejected login is `refused`. A listing
 * that could not be read is an error, never an empty one.
 */
export interface CalendarService {
  /**
   * What has changed since the token of an earlier call. Null, or a token that the service has forgotten: everything,
   * with `isComplete`.
   */
  changes(token: string | null, signal: AbortSignal): Promise<RemoteChanges>;
  /** Writes our entry: creates it, or replaces the version that `known` names. */
  put(put: EntryPut, signal: AbortSignal): Promise<PutResult>;
  /** Removes our entry, unless its version is another than `known`. One that is not there is removed; without `known`, any version is. */
  remove(remove: EntryRemove, signal: AbortSignal): Promise<RemoveResult>;
  /** Writes beside an entry of somebody else why it cannot be used. Only where records are mirrored. */
  refuse?(location: EntryLocation, reason: string, signal: AbortSignal): Promise<void>;
}

export interface RemoteChanges {
  /** Where the next call continues. */
  readonly token: string;
  /** Every entry is listed: one of ours that is missing here does not exist. */
  readonly isComplete: boolean;
  readonly entries: readonly RemoteEntry[];
}

/** One entry as the service has it. */
export interface RemoteEntry {
  /** The id that we gave it; null: somebody else's. */
  readonly id: string | null;
  readonly location: EntryLocation;
  /** Null: it was deleted, or has a `problem`. */
  readonly content: EntryContent | null;
  /** Why it cannot be read as an entry (no time, no text). Absent when this was already written there by `refuse`. */
  readonly problem?: string;
  /** Somebody else's entry marks its time as busy: its occurrences within `busyAheadMs`. Whole days are not busy. */
  readonly busy?: readonly Span[];
}

/** How far ahead busy times are listed. Unchanged entries are not listed again, so a complete listing is due before then. */
export const busyAheadMs = 60 * 24 * 60 * 60_000;

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Where an entry is at the service, and its version. */
export interface EntryLocation {
  /** The service's own name of it: a path, an event id, a page id. */
  readonly remoteId: string;
  /** Changes whenever anybody changes the entry. */
  readonly etag: string;
  /** For people. */
  readonly url?: string | undefined;
}

interface EntryPut {
  /** The id that we chose: 5 to 64 characters of 0-9 and a-v. */
  readonly id: string;
  readonly content: EntryContent;
  /** The version that was read or written last; null: the first write, or its answer was lost. */
  readonly known: EntryLocation | null;
}

interface EntryRemove {
  readonly id: string;
  readonly known: EntryLocation | null;
}

/**
 * `changed`: the entry has another version than `known`, and nothing was written: the reconciler decides again with
 * what is there. Without `known`, an entry under our id that is already there is `changed` too. One that was deleted
 * is `changed` and has no content: a put without `known` creates it again.
 */
export type PutResult =
  | { readonly result: "written"; readonly location: EntryLocation }
  | { readonly result: "changed"; readonly entry: RemoteEntry };

export type RemoveResult =
  | { readonly result: "removed" }
  | { readonly result: "changed"; readonly entry: RemoteEntry };
