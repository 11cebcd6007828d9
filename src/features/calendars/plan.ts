import type { EntryContent } from "./content.ts";
import { type Edited, editedIn, isSame } from "./edited.ts";
import type { EntryKind } from "./kind.ts";
import type { GoneReason, Wish } from "./projection.ts";
import type { EntryLocation, RemoteEntry } from "./service.ts";

/** What the service says of one of our entries. `unlisted`: it has not changed since we knew it last. */
export type Sight =
  | { readonly seen: "unlisted" }
  | { readonly seen: "there"; readonly entry: RemoteEntry }
  /** `isCertain`: somebody deleted it; otherwise it is only missing from a complete list. */
  | { readonly seen: "gone"; readonly isCertain: boolean };

/** All that is known about the entry of one record. */
export interface Facts {
  /** What we know from the last time; null: nothing was written before. */
  readonly entry: EntryKind["outcome"] | null;
  readonly wish: Wish;
  readonly sight: Sight;
}

export interface PlanRules {
  /** Changes made in the calendar change the book. */
  readonly edits: boolean;
  readonly now: number;
}

type PutReason = "new" | "changed" | "restored" | "missing" | "conflict" | "ended";

/** What is to be done about one entry. */
export type Step =
  | { readonly do: "nothing" }
  /** It failed, and is tried again later. */
  | { readonly do: "wait" }
  | {
      readonly do: "put";
      readonly why: PutReason;
      readonly content: EntryContent;
      readonly known: EntryLocation | null;
      readonly ends?: "kept";
      /** What a person wrote there meanwhile. */
      readonly conflict?: EntryContent;
    }
  | { readonly do: "remove"; readonly why: GoneReason; readonly known: EntryLocation | null }
  /** Records what is there. */
  | {
      readonly do: "note";
      readonly location: EntryLocation | null;
      readonly content: EntryContent | null;
      readonly ends?: "kept" | "removed";
    }
  | {
      readonly do: "take over";
      readonly edited: Edited;
      readonly location: EntryLocation;
      readonly content: EntryContent;
    }
  /** It was deleted in the calendar: the record is cancelled. */
  | { readonly do: "cancel" }
  /** It is missing: the next complete list must confirm it. */
  | { readonly do: "doubt" };

const nothing: Step = { do: "nothing" };

/** What is to be done about one entry. Pure; the converged answer is `nothing`. */
export function planEntry(facts: Facts, rules: PlanRules): Step {
  const { entry, wish } = facts;
  if (wish.is === "open") return nothing;
  const step = wish.is === "gone" ? planGone(facts, wish.because) : planShown(facts, wish, rules);
  const isWaiting = step.do !== "nothing" && (entry?.retryAt ?? 0) > rules.now;
  return isWaiting ? { do: "wait" } : step;
}

function planGone({ entry, sight }: Facts, because: GoneReason): Step {
  const there = sight.seen === "there" ? sight.entry.location : null;
  const location = there ?? entry?.location ?? null;
  // An entry whose first write failed may be there all the same.
  const mayBeThere = location !== null || (entry?.failures ?? 0) > 0;
  if (sight.seen !== "gone" && mayBeThere) return { do: "remove", why: because, known: location };
  if (entry === null) return nothing;
  if (because !== "hidden") return { do: "note", location: null, content: null, ends: "removed" };
  const isNoted = entry.location === null && entry.content === null;
  return isNoted ? nothing : { do: "note", location: null, content: null };
}

type Shown = Extract<Wish, { content: EntryContent }>;

function planShown(facts: Facts, wish: Shown, { edits }: PlanRules): Step {
  const { entry, sight } = facts;
  const { location = null, content: base = null } = entry ?? {};
  const isKept = wish.is === "kept";
  const put = (why: PutReason, known: EntryLocation | null): Step => {
    const { content } = wish;
    return isKept
      ? { do: "put", why: "ended", content, known, ends: "kept" }
      : { do: "put", why, content, known };
  };
  if (sight.seen === "gone" || (sight.seen === "unlisted" && location === null)) {
    if (isKept) return gone;
    const wasThere = location !== null && base !== null;
    return wasThere ? planMissing(facts, { base, edits, put }) : put("new", null);
  }
  if (sight.seen === "there" && sight.entry.location.etag !== location?.etag) {
    return planChanged(sight.entry, { base, wish, edits, put });
  }
  return planSame(facts, { wish, put });
}

/** It is there as we know it: written when the record has changed since. */
function planSame({ entry }: Facts, { wish, put }: Pick<Choice, "put"> & { wish: Shown }): Step {
  const { location = null, content: base = null, missingSince } = entry ?? {};
  if (base === null || !isSame(base, wish.content)) return put("changed", location);
  if (wish.is === "kept") return { do: "note", location, content: base, ends: "kept" };
  return missingSince === undefined ? nothing : { do: "note", location, content: base };
}

const gone: Step = { do: "note", location: null, content: null, ends: "removed" };

interface Choice {
  readonly edits: boolean;
  put(why: PutReason, known: EntryLocation | null): Step;
}

/** Somebody removed an entry that is to be there. */
function planMissing(
  { entry, wish, sight }: Facts,
  { base, edits, put }: Choice & { base: EntryContent },
): Step {
  if (!edits || !("content" in wish)) return put("missing", null);
  // The record has changed since, and the newer one wins: the entry is written again.
  if (!isSame(base, wish.content)) return conflicting(put("conflict", null), base);
  const isConfirmed =
    (sight.seen === "gone" && sight.isCertain) || entry?.missingSince !== undefined;
  return isConfirmed ? { do: "cancel" } : { do: "doubt" };
}

/** It has another version than the one we know. */
function planChanged(
  { location, content: seen }: RemoteEntry,
  { base, wish, edits, put }: Choice & { base: EntryContent | null; wish: Shown },
): Step {
  const ends = wish.is === "kept" ? ({ ends: "kept" } as const) : {};
  if (seen !== null && isSame(seen, wish.content)) {
    return { do: "note", location, content: seen, ...ends };
  }
  if (seen === null || base === null) return put("changed", location);
  const edited = editedIn(base, seen);
  // Only what cannot change the record was changed.
  if (edited === undefined || !edits || wish.is === "kept") return put("restored", location);
  if (isSame(base, wish.content)) return { do: "take over", edited, location, content: seen };
  // Both sides have made the same change.
  if (editedIn(wish.content, seen) === undefined) return put("changed", location);
  return conflicting(put("conflict", location), seen);
}

function conflicting(step: Step, conflict: EntryContent): Step {
  return step.do === "put" ? { ...step, conflict } : step;
}
