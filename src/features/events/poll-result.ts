import type { Claimed } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { backoffMs, type Backoff } from "../../platform/backoff.ts";
import { hasCode } from "../../platform/errors.ts";
import { canonical } from "../../platform/json.ts";
import { oneLine } from "../../platform/text.ts";
import { makeEvent, type EventFacts, type EventKind } from "./kind.ts";
import type { SourceKind, SourceEvent, Polled } from "./source.ts";

/** The result of one poll. */
export type PollResult =
  | {
      readonly polled: Polled;
      /** Ids that the ledger refused, because other records have them. */
      readonly refused: readonly string[];
    }
  | { readonly failed: string; readonly restMs?: number }
  | { readonly stopped: true };

/** The source of the events, and which of them are written. */
export interface PollSettings extends EventFilter {
  readonly source: string;
  /** The owner of the installation. */
  readonly home: string;
}

const reasonCharsMax = 1_000;
const failureBackoff: Backoff = { firstMs: 5_000, factor: 2, maxMs: 15 * 60_000 };

/** Writes the events and the new cursor as one unit. */
export function decidePoll(
  record: Claimed<SourceKind>,
  result: PollResult,
  facts: Facts,
  settings: PollSettings,
): Verdict<SourceKind> {
  const before = record.outcome ?? neverPolled;
  if ("stopped" in result) return { state: "active", wakeAt: facts.now };
  if ("failed" in result) {
    const failures = before.failures + 1;
    const restMs = Math.max(backoffMs(failureBackoff, failures, facts.jitter), result.restMs ?? 0);
    const reason = oneLine(result.failed, reasonCharsMax);
    const outcome = { ...before, failures, reason, polledAt: facts.now };
    return { state: "active", wakeAt: facts.now + restMs, outcome, note: reason };
  }
  const { polled, refused } = result;
  const { drafts, reasons } = draftsOf(record.owner, polled, facts.now, settings);
  const append = drafts.filter(({ id = "" }) => !refused.includes(id));
  reasons.push(...refused.map((id) => `the id ${id} is taken by another record`));
  const reason = reasons.length === 0 ? null : oneLine(reasons.join("; "), reasonCharsMax);
  return {
    state: "active",
    wakeAt: facts.now + pauseAfter(record.body, polled),
    freshStart: true,
    outcome: { cursor: polled.cursor, failures: 0, reason, polledAt: facts.now },
    consequences: { append },
    note: reason ?? undefined,
  };
}

const neverPolled: SourceKind["outcome"] = {
  cursor: null,
  failures: 0,
  reason: null,
  polledAt: null,
};

/** The pause until the next poll. */
export function pauseAfter({ everyMs }: SourceKind["body"], polled: Polled): number {
  if (polled.more === true) return 0;
  return Math.max(everyMs, polled.restMs ?? 0);
}

/** Whether a result changes nothing: then nothing is written either. */
export function isUnchanged(
  { outcome }: Claimed<SourceKind>,
  result: PollResult,
  settings: PollSettings,
): boolean {
  if (!("polled" in result) || outcome === null) return false;
  const { events, cursor, reason = null, more = false } = result.polled;
  if (more || outcome.failures > 0 || reason !== outcome.reason) return false;
  if (events.some((event) => isWanted(event, settings))) return false;
  return canonical(cursor) === canonical(outcome.cursor);
}

/** Drafts of the wanted events, and why some of the poll could not be written. */
function draftsOf(
  owner: string,
  { events, reason }: Polled,
  now: number,
  settings: PollSettings,
): { drafts: DraftOf<EventKind>[]; reasons: string[] } {
  const drafts = new Map<string, DraftOf<EventKind>>();
  const reasons = reason === undefined ? [] : [reason];
  for (const event of events) {
    if (!isWanted(event, settings)) continue;
    try {
      drafts.set(event.name, draftOf(event, { owner, now, ...settings }));
    } catch (error) {
      // An invalid event must not block the others, nor later polls.
      if (!hasCode(error, "invalid", "too_large")) throw error;
      reasons.push(`${oneLine(event.name, 100)}: ${error.message}`);
    }
  }
  return { drafts: [...drafts.values()], reasons };
}

/** The draft of one event of a source. */
export function draftOf(
  event: SourceEvent,
  { source, owner, home, now }: Omit<EventFacts, "priority"> & { source: string },
): DraftOf<EventKind> {
  const { name, type, repo, payload, at, priority, origin = null, hops = 0 } = event;
  const body = { name, type, source, repo, payload, at, origin, hops };
  return makeEvent(body, { owner, home, now, priority });
}

/** Which events of a source are written. */
export interface EventFilter {
  /** `owner/name` or `owner/*`; absent: all, also events without a repository. */
  readonly repos?: readonly string[];
  /** `github.pr.comment` or `github.pr.*`; absent: all. */
  readonly types?: readonly string[];
  /** Our own accounts at the service: their events are dropped, or the handlers would answer themselves. */
  readonly ours?: readonly string[];
}

/** Whether the filter has the event, and another account did it. */
export function isWanted(
  { repo, type, actor }: Pick<SourceEvent, "repo" | "type" | "actor">,
  { repos, types, ours = [] }: EventFilter,
): boolean {
  if (actor !== undefined && ours.some((name) => isSameName(name, actor))) return false;
  if (types !== undefined && !types.some((pattern) => matches(pattern, type))) return false;
  return repos === undefined || (repo !== null && repos.some((each) => matches(each, repo)));
}

/** A star at the end matches one or more characters. */
function matches(pattern: string, name: string): boolean {
  if (!pattern.endsWith("*")) return isSameName(pattern, name);
  const start = pattern.slice(0, -1).toLowerCase();
  return name.length > start.length && name.toLowerCase().startsWith(start);
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
