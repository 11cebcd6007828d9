import { z } from "zod";
import type { Polled, SourceEvent } from "../../features/events/poll-result.ts";
import type { PollDesk, Source } from "../../features/events/source-port.ts";
import type { Clock } from "../../platform/clock.ts";
import { httpTime, type SafeFetch } from "../../platform/fetch.ts";
import { isoOf } from "../../platform/iso-time.ts";
import { jsonOf, answerFault, unknownCursor, unreadable } from "./answers.ts";
import { readThreads } from "./github-event.ts";

export interface GithubOptions {
  /** `github` unless there are several. */
  name?: string;
  fetch: SafeFetch;
  clock: Pick<Clock, "wall">;
  /** A classic token with the scope `notifications`. */
  token: string;
  /** Where its API is: `https://api.github.com` unless it is one's own. */
  url?: string;
  /** What happened so long before the first poll counts too. */
  lookBackMs?: number;
}

/** What GitHub shows late, it shows within this. What is heard twice is written once. */
const overlapMs = 5 * 60_000;
const perPage = 50;
const pagesMax = 10;
const restMsMax = 60 * 60_000;

const cursorForm = z.strictObject({
  /** What was updated before is known. Never goes back. */
  since: z.number(),
  /** What the newest answer to this `since` is recognised by. */
  mark: z
    .union([z.strictObject({ etag: z.string() }), z.strictObject({ modified: z.string() })])
    .nullable(),
  /** More than one poll may read: `top` is the newest seen, and it goes on below `before`. */
  walk: z.strictObject({ top: z.number(), before: z.number(), page: z.number() }).nullable(),
});
type Cursor = z.infer<typeof cursorForm>;

/** Asks GitHub for notifications, read ones too: that a person was faster makes nothing undone. */
export function github(options: GithubOptions): Source {
  const { name = "github" } = options;
  return {
    name,
    async poll(cursor, desk) {
      if (cursor === null) return firstPoll(options, desk);
      const { data: from } = cursorForm.safeParse(cursor);
      if (from === undefined) throw unknownCursor(name);
      return walk(from, { ...options, name }, desk);
    },
  };
}

/** By GitHub's own clock: ours may be ahead of it, and what happens in between would never be heard. */
async function firstPoll(options: GithubOptions, desk: PollDesk): Promise<Polled> {
  const now = options.clock.wall();
  const first = { since: now, before: null, page: 1, mark: null };
  const { headers } = await ask(options, first, desk);
  const since = (httpTime(headers["date"]) ?? now) - (options.lookBackMs ?? 0);
  return { events: [], cursor: { since, mark: null, walk: null }, more: true };
}

interface PagePosition {
  /** Below this; null: from the newest on. */
  before: number | null;
  page: number;
}

/** Page after page downwards, by time: what moves up meanwhile pushes nothing past us. */
async function walk(
  from: Cursor,
  options: GithubOptions & { name: string },
  desk: PollDesk,
): Promise<Polled> {
  const events = new Map<string, SourceEvent>();
  const reasons: string[] = [];
  let place: PagePosition = from.walk ?? { before: null, page: 1 };
  let { top } = from.walk ?? { top: from.since };
  let mark: Cursor["mark"] = null;
  let rest: Pick<Polled, "restMs"> = {};
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const isFirst = place.before === null && place.page === 1;
    const answer = await ask(
      options,
      { ...place, since: from.since, mark: isFirst ? from.mark : null },
      desk,
    );
    rest = restOf(answer.headers);
    if (answer.status === 304) return { events: [], cursor: from, ...rest };
    if (isFirst) mark = markOf(answer.headers);
    const read = readThreads(options.name, jsonOf("GitHub", answer));
    if (read === undefined) throw unreadable("GitHub", "it is no list of notifications");
    for (const event of read.events) events.set(event.name, event);
    reasons.push(...read.reasons);
    const times = read.events.map(({ at }) => at);
    // A time to come, by a clock that is wrong, would hide what happens until then.
    top = Math.max(top, Math.min(Math.max(...times, top), options.clock.wall()));
    if (!hasNext(answer.headers["link"])) {
      const since = Math.max(from.since, top - overlapMs);
      const cursor = { since, mark: since === from.since ? mark : null, walk: null };
      return { ...polled(events, reasons), cursor, ...rest };
    }
    place = below(place, times);
  }
  // Whoever stands at "from the newest on" has more than so many pages of a single second.
  const before = place.before ?? options.clock.wall();
  const cursor = { since: from.since, mark: null, walk: { top, before, page: place.page } };
  return { ...polled(events, reasons), cursor, ...rest, more: true };
}

/** Where the next page begins: with the second of the oldest on this one, of which more may follow. */
function below({ before, page }: PagePosition, times: readonly number[]): PagePosition {
  const next = Math.min(...times) + 1_000;
  const goesOn = Number.isFinite(next) && (before === null || next < before);
  return goesOn ? { before: next, page: 1 } : { before, page: page + 1 };
}

function polled(
  events: ReadonlyMap<string, SourceEvent>,
  reasons: readonly string[],
): Pick<Polled, "events" | "reason"> {
  // The oldest first: whoever reads the book reads it in the order it happened.
  const inOrder = [...events.values()].toSorted((a, b) => a.at - b.at);
  const [first] = reasons;
  if (first === undefined) return { events: inOrder };
  return { events: inOrder, reason: `${reasons.length} could not be read: ${first}` };
}

type Answer = Awaited<ReturnType<SafeFetch>>;

async function ask(
  { fetch, clock, token, url = "https://api.github.com" }: GithubOptions,
  at: PagePosition & Pick<Cursor, "since" | "mark">,
  { signal }: PollDesk,
): Promise<Answer> {
  const query = new URLSearchParams({
    all: "true",
    since: isoOf(at.since),
    ...(at.before === null ? {} : { before: isoOf(at.before) }),
    per_page: String(perPage),
    page: String(at.page),
  });
  const answer = await fetch({
    url: `${url}/notifications?${query.toString()}`,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${token}`,
      "user-agent": "daybook",
      "x-github-api-version": "2022-11-28",
      ...conditionOf(at.mark),
    },
    signal,
  });
  const trouble = answerFault("GitHub", answer, clock.wall());
  if (trouble !== undefined) throw trouble;
  if (answer.status === 304 && at.mark === null) {
    throw unreadable("GitHub", "nothing is new to what was never heard");
  }
  return answer;
}

function conditionOf(mark: Cursor["mark"]): Record<string, string> {
  if (mark === null) return {};
  return "etag" in mark ? { "if-none-match": mark.etag } : { "if-modified-since": mark.modified };
}

/** A blank tag would be answered "nothing new" for ever. */
function markOf(headers: Answer["headers"]): Cursor["mark"] {
  const { etag = "", "last-modified": modified = "" } = headers;
  if (/^(W\/)?"[^"]+"$/.test(etag)) return { etag };
  return httpTime(modified) === undefined ? null : { modified };
}

function restOf(headers: Answer["headers"]): Pick<Polled, "restMs"> {
  const seconds = headers["x-poll-interval"] ?? "";
  return /^\d{1,6}$/.test(seconds) ? { restMs: Math.min(Number(seconds) * 1_000, restMsMax) } : {};
}

function hasNext(link = ""): boolean {
  return /;\s*rel="?next"?/.test(link);
}
