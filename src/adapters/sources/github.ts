import { z } from "zod";
import type { Polled, SourceEvent, PollContext, Source } from "../../features/events/index.ts";
import type { Clock } from "../../platform/clock.ts";
import { httpTime, type SafeFetch } from "../../platform/fetch.ts";
import { isoOf } from "../../platform/iso-time.ts";
import { present } from "../../platform/json.ts";
import { answerFault, jsonOf, unreadableCursor, unreadable, unreadReason } from "./answers.ts";
import { readThreads } from "./github-event.ts";

export interface GithubOptions {
  /** Default: `github`. */
  name?: string | undefined;
  fetch: SafeFetch;
  clock: Pick<Clock, "wall">;
  /** A classic token with the scope `notifications`. */
  token: string;
  /** Of its API; default: `https://api.github.com`. */
  url?: string | undefined;
  /** How far before the first poll events count. */
  lookBackMs?: number | undefined;
}

/** GitHub shows notifications within this delay. A repeated event is stored once. */
const overlapMs = 5 * 60_000;
const perPage = 50;
const pagesMax = 10;
const restMsMax = 60 * 60_000;

const cursorForm = z.strictObject({
  /** Earlier updates are known. Never decreases. */
  since: z.number(),
  /** The validator of the newest answer to this `since`. */
  mark: z
    .union([z.strictObject({ etag: z.string() }), z.strictObject({ modified: z.string() })])
    .nullable(),
  /** A walk over more pages than one poll reads: `top` is the newest update, it continues below `before`. */
  walk: z.strictObject({ top: z.number(), before: z.number(), page: z.number() }).nullable(),
});
type Cursor = z.infer<typeof cursorForm>;

/** Polls GitHub for notifications, read ones too. */
export function github(options: GithubOptions): Source {
  const { name = "github" } = options;
  return {
    name,
    async poll(cursor, context) {
      if (cursor === null) return firstPoll(options, context);
      const { data: from } = cursorForm.safeParse(cursor);
      if (from === undefined) throw unreadableCursor(name);
      return walk(from, { ...options, name }, context);
    },
  };
}

/** By GitHub's clock: if ours were ahead, events in between would be lost. */
async function firstPoll(options: GithubOptions, context: PollContext): Promise<Polled> {
  const now = options.clock.wall();
  const first = { since: now, before: null, page: 1, mark: null };
  const { headers } = await fetchPage(options, first, context);
  const since = (httpTime(headers["date"]) ?? now) - (options.lookBackMs ?? 0);
  return { events: [], cursor: { since, mark: null, walk: null }, more: true };
}

interface PagePosition {
  /** Null: from the newest on. */
  before: number | null;
  page: number;
}

/** Reads pages from the newest to the oldest; a new update moves no other one past the position. */
async function walk(
  from: Cursor,
  options: GithubOptions & { name: string },
  context: PollContext,
): Promise<Polled> {
  const events = new Map<string, SourceEvent>();
  const reasons: string[] = [];
  let position: PagePosition = from.walk ?? { before: null, page: 1 };
  let { top } = from.walk ?? { top: from.since };
  let mark: Cursor["mark"] = null;
  let restMs: number | undefined;
  const polled = (next: Pick<Polled, "cursor" | "more">): Polled =>
    present({
      // The oldest first.
      events: [...events.values()].toSorted((a, b) => a.at - b.at),
      reason: unreadReason(reasons),
      restMs,
      ...next,
    });
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const isFirst = position.before === null && position.page === 1;
    const answer = await fetchPage(
      options,
      { ...position, since: from.since, mark: isFirst ? from.mark : null },
      context,
    );
    restMs = restMsOf(answer.headers);
    if (answer.status === 304) return present({ events: [], cursor: from, restMs });
    if (isFirst) mark = markOf(answer.headers);
    const read = readThreads(options.name, jsonOf("GitHub", answer));
    if (read === undefined) throw unreadable("GitHub", "it is not a list of notifications");
    for (const event of read.events) events.set(event.name, event);
    reasons.push(...read.reasons);
    const times = read.events.map(({ at }) => at);
    // A future time, by a wrong clock, would hide the events until then.
    top = Math.max(top, Math.min(Math.max(...times, top), options.clock.wall()));
    if (!hasNext(answer.headers["link"])) {
      const since = Math.max(from.since, top - overlapMs);
      return polled({ cursor: { since, mark: since === from.since ? mark : null, walk: null } });
    }
    position = below(position, times);
  }
  // Without `before`, all these pages are of a single second.
  const before = position.before ?? options.clock.wall();
  const cursor = { since: from.since, mark: null, walk: { top, before, page: position.page } };
  return polled({ cursor, more: true });
}

/** The next page begins with the second of the oldest on this one: more of it may follow. */
function below({ before, page }: PagePosition, times: readonly number[]): PagePosition {
  const next = Math.min(...times) + 1_000;
  const goesOn = Number.isFinite(next) && (before === null || next < before);
  return goesOn ? { before: next, page: 1 } : { before, page: page + 1 };
}

type Answer = Awaited<ReturnType<SafeFetch>>;

async function fetchPage(
  { fetch, clock, token, url = "https://api.github.com" }: GithubOptions,
  at: PagePosition & Pick<Cursor, "since" | "mark">,
  { signal }: PollContext,
): Promise<Answer> {
  const query = new URLSearchParams({
    all: "true",
    since: isoOf(at.since),
    per_page: String(perPage),
    page: String(at.page),
  });
  if (at.before !== null) query.set("before", isoOf(at.before));
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
    throw unreadable("GitHub", "it answered 304 to a request without an ETag");
  }
  return answer;
}

function conditionOf(mark: Cursor["mark"]): Record<string, string> {
  if (mark === null) return {};
  return "etag" in mark ? { "if-none-match": mark.etag } : { "if-modified-since": mark.modified };
}

/** With a blank tag the answer would be 304 for ever. */
function markOf(headers: Answer["headers"]): Cursor["mark"] {
  const { etag = "", "last-modified": modified = "" } = headers;
  if (/^(W\/)?"[^"]+"$/.test(etag)) return { etag };
  return httpTime(modified) === undefined ? null : { modified };
}

function restMsOf(headers: Answer["headers"]): number | undefined {
  const seconds = headers["x-poll-interval"] ?? "";
  return /^\d{1,6}$/.test(seconds) ? Math.min(Number(seconds) * 1_000, restMsMax) : undefined;
}

function hasNext(link = ""): boolean {
  return /;\s*rel="?next"?/.test(link);
}
