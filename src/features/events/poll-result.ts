import type { Claimed } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { backoffMs, type Backoff } from "../../platform/backoff.ts";
import { hasCode } from "../../platform/errors.ts";
import { canonical } from "../../platform/json.ts";
import { oneLine } from "../../platform/text.ts";
import { makeEvent, type EventKind } from "./kind.ts";
import type { SourceKind, SourceEvent, Polled } from "./source.ts";
/** What became of asking a source. */
export type PollResult =
  | {
      readonly polled: Polled;
      /** Ids that the book refused. */ readonly refused: readonly string[];
    }
  | { readonly failed: string; readonly restMs?: number }
  | { readonly stopped: true };

/** Whose events these are, and which of them are wanted. */
export interface PollSettings extends EventFilter {
  readonly source: string;
  /** The installation's own owner. */
  readonly home: string;
}

const reasonCharsMax = 1_000;
const failureBackoff: Backoff = { firstMs: 5_000, factor: 2, maxMs: 15 * 60_000 };

/** Where an answer leaves its source. The events and up to where was heard are one unit. */
export function decidePoll(
  record: Claimed<SourceKind>,
  heard: PollResult,
  facts: Facts,
  hearing: PollSettings,
): Verdict<SourceKind> {
  const before = record.outcome ?? neverPolled;
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
    wakeAt: facts.now + pauseAfter(record.body, polled),
    freshStart: true,
    outcome: { cursor: polled.cursor, failures: 0, reason, polledAt: facts.now },
    consequences: { append },
    ...(reason === null ? {} : { note: reason }),
  };
}

const neverPolled: SourceKind["outcome"] = {
  cursor: null,
  failures: 0,
  reason: null,
  polledAt: null,
};

/** How long until a source is asked again. */
export function pauseAfter({ everyMs }: SourceKind["body"], polled: Polled): number {
  if (polled.more === true) return 0;
  return Math.max(everyMs, polled.restMs ?? 0);
}

/** Whether an answer changes nothing: then nothing is written either. */
export function isUnchanged(
  { outcome }: Claimed<SourceKind>,
  heard: PollResult,
  hearing: PollSettings,
): boolean {
  if (!("polled" in heard) || outcome === null) return false;
  const { events, cursor, reason = null, more = false } = heard.polled;
  if (more || outcome.failures > 0 || reason !== outcome.reason) return false;
  if (events.some((event) => isWanted(event, hearing))) return false;
  return canonical(cursor) === canonical(outcome.cursor);
}

/** What is wanted of it, as it is written; and why some of it cannot be. */
function draftsOf(
  owner: string,
  { events, reason }: Polled,
  now: number,
  hearing: PollSettings,
): { drafts: DraftOf<EventKind>[]; reasons: string[] } {
  const drafts = new Map<string, DraftOf<EventKind>>();
  const reasons = reason === undefined ? [] : [reason];
  for (const event of events) {
    if (!isWanted(event, hearing)) continue;
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

/** Which of what a source tells is wanted. */
export interface EventFilter {
  /** `owner/name` or `owner/*`; absent: all, and what is of none. */
  readonly repos?: readonly string[];
  /** `github.pr.comment` or `github.pr.*`; absent: all. */
  readonly types?: readonly string[];
  /** Who we are at the service: what we did ourselves is dropped, or we would answer ourselves for ever. */
  readonly ours?: readonly string[];
}

/** Whether it is wanted, and was done by somebody else. */
export function isWanted(
  { repo, type, actor }: Pick<SourceEvent, "repo" | "type" | "actor">,
  { repos, types, ours = [] }: EventFilter,
): boolean {
  if (actor !== undefined && ours.some((name) => isAlike(name, actor))) return false;
  if (types !== undefined && !types.some((pattern) => matches(pattern, type))) return false;
  return repos === undefined || (repo !== null && repos.some((each) => matches(each, repo)));
}

/** A star stands at the end, for whatever follows. */
function matches(pattern: string, name: string): boolean {
  if (!pattern.endsWith("*")) return isAlike(pattern, name);
  const start = pattern.slice(0, -1).toLowerCase();
  return name.length > start.length && name.toLowerCase().startsWith(start);
}

function isAlike(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
