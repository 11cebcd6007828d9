import type { Claimed, Priority } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { backoffMs, type Backoff } from "../../platform/backoff.ts";
import { hasCode } from "../../platform/errors.ts";
import { canonical, type Json } from "../../platform/json.ts";
import { oneLine } from "../../platform/text.ts";
import type { Payload } from "../tasks/task-event.ts";
import { isNews, type Interest } from "./filter.ts";
import { makeEvent, type EventKind } from "./kind.ts";
import type { SourceKind } from "./source.ts";

/** Something that happened, as a source tells it. */
export interface SourceEvent {
  /** The same thing has the same name, whoever hears it and however often. */
  readonly name: string;
  readonly type: string;
  readonly repo: string | null;
  readonly payload: Payload;
  /** UTC epoch milliseconds. */
  readonly at: number;
  /** As its type has it unless told. */
  readonly priority?: Priority;
  /** Who did it, as the service calls them: what we did ourselves is no news. */
  readonly actor?: string;
  /** The chat it was heard in. */
  readonly origin?: string;
  /** How many events led to it. */
  readonly hops?: number;
}

/** What a source answered. */
export interface Polled {
  readonly events: readonly SourceEvent[];
  /** Up to where was heard: comes back once the events are written. */
  readonly cursor: Json;
  /** The service wants to be left alone for so long. */
  readonly restMs?: number;
  /** There is more to be heard at once. */
  readonly more?: boolean;
  /** What could not be read of it. */
  readonly reason?: string;
}

/** What became of asking a source. */
export type Heard =
  | {
      readonly polled: Polled;
      /** Ids that the book refused. */ readonly refused: readonly string[];
    }
  | { readonly failed: string; readonly restMs?: number }
  | { readonly stopped: true };

/** Whose events these are, and which of them are wanted. */
export interface Hearing extends Interest {
  readonly source: string;
  /** The installation's own owner. */
  readonly home: string;
}

const reasonCharsMax = 1_000;
const failureBackoff: Backoff = { firstMs: 5_000, factor: 2, maxMs: 15 * 60_000 };

/** Where an answer leaves its source. The events and up to where was heard are one unit. */
export function decideHeard(
  record: Claimed<SourceKind>,
  heard: Heard,
  facts: Facts,
  hearing: Hearing,
): Verdict<SourceKind> {
  const before = record.outcome ?? unheard;
  if ("stopped" in heard) return { state: "active", wakeAt: facts.now };
  if ("failed" in heard) {
    const failures = before.failures + 1;
    const restMs = Math.max(backoffMs(failureBackoff, failures, facts.jitter), heard.restMs ?? 0);
    const reason = oneLine(heard.failed, reasonCharsMax);
    const outcome = { ...before, failures, reason, polledAt: facts.now };
    return { state: "active", wakeAt: facts.now + restMs, outcome, note: reason };
  }
  const { polled, refused } = heard;
  const { drafts, reasons } = draftsOf(record.owner, polled, facts.now, hearing);
  const append = drafts.filter(({ id = "" }) => !refused.includes(id));
  reasons.push(...refused.map((id) => `${id} is taken by another`));
  const reason = reasons.length === 0 ? null : oneLine(reasons.join("; "), reasonCharsMax);
  return {
    state: "active",
    wakeAt: facts.now + restAfter(record.body, polled),
    freshStart: true,
    outcome: { heardTo: polled.cursor, failures: 0, reason, polledAt: facts.now },
    consequences: { append },
    ...(reason === null ? {} : { note: reason }),
  };
}

const unheard: SourceKind["outcome"] = { heardTo: null, failures: 0, reason: null, polledAt: null };

/** How long until a source is asked again. */
export function restAfter({ everyMs }: SourceKind["body"], polled: Polled): number {
  if (polled.more === true) return 0;
  return Math.max(everyMs, polled.restMs ?? 0);
}

/** Whether an answer changes nothing: then nothing is written either. */
export function isQuiet({ outcome }: Claimed<SourceKind>, heard: Heard, hearing: Hearing): boolean {
  if (!("polled" in heard) || outcome === null) return false;
  const { events, cursor, reason = null, more = false } = heard.polled;
  if (more || outcome.failures > 0 || reason !== outcome.reason) return false;
  if (events.some((event) => isNews(event, hearing))) return false;
  return canonical(cursor) === canonical(outcome.heardTo);
}

/** What is wanted of it, as it is written; and why some of it cannot be. */
function draftsOf(
  owner: string,
  { events, reason }: Polled,
  now: number,
  hearing: Hearing,
): { drafts: DraftOf<EventKind>[]; reasons: string[] } {
  const drafts = new Map<string, DraftOf<EventKind>>();
  const reasons = reason === undefined ? [] : [reason];
  for (const event of events) {
    if (!isNews(event, hearing)) continue;
    try {
      drafts.set(event.name, draftOf(event, { owner, now, ...hearing }));
    } catch (error) {
      // One that is wrong must not keep the others, and those to come, from being heard.
      if (!hasCode(error, "invalid", "too_large")) throw error;
      reasons.push(`${oneLine(event.name, 100)}: ${error.message}`);
    }
  }
  return { drafts: [...drafts.values()], reasons };
}

/** One event of a source, as it is written. */
export function draftOf(
  event: SourceEvent,
  { owner, home, now, source }: { owner: string; home: string; now: number; source: string },
): DraftOf<EventKind> {
  const { name, type, repo, payload, at, priority, origin = null, hops = 0 } = event;
  const body = { name, type, source, repo, payload, at, origin, hops };
  return makeEvent(body, { owner, home, now, ...(priority === undefined ? {} : { priority }) });
}
