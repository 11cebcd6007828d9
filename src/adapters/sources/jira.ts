import { z } from "zod";
import type { Polled, SourceEvent } from "../../features/events/poll-result.ts";
import type { PollDesk, Source } from "../../features/events/source-port.ts";
import type { Clock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { SafeFetch } from "../../platform/fetch.ts";
import { quote } from "../../platform/text.ts";
import { jsonOf, answerFault, unknownCursor, unreadable } from "./answers.ts";
import { readIssues, type Issue, ticketEvent } from "./jira-issue.ts";

export interface JiraOptions {
  /** `jira` unless there are several. */
  name?: string;
  fetch: SafeFetch;
  clock: Pick<Clock, "wall">;
  /** `https://acme.atlassian.net` */
  url: string;
  email: string;
  token: string;
  /** Which tickets; `assignee = currentUser()` unless told. */
  jql?: string;
}

/** What Jira finds late, it finds within this. */
const overlapMs = 10 * 60_000;
/** Tickets that were touched in this time are known from the start, so that what comes next is a change. */
const learnMinutes = 30 * 24 * 60;
const pagesMax = 10;
const knownMax = 2_000;

const cursorForm = z.strictObject({
  /** When somebody first asked: what happened before is no news. */
  from: z.number(),
  /** The newest change that was heard. Never goes back. */
  since: z.number(),
  /** By key: when it was changed, and its status then. */
  known: z.record(z.string(), z.tuple([z.number(), z.string()])),
  /** More than one poll may read: it goes on here. */
  page: z.strictObject({ minutes: z.number(), token: z.string().nullable() }).nullable(),
});
type Cursor = z.infer<typeof cursorForm>;

/** Asks Jira which tickets were changed, the oldest change first: what changes meanwhile comes at the end. */
export function jira(options: JiraOptions): Source {
  const { name = "jira", clock, jql = "assignee = currentUser()" } = options;
  if (/\border\s+by\b/i.test(jql)) {
    const message = `Leave "ORDER BY" out of ${quote(jql)}: the order is ours.`;
    throw new DaybookError("invalid", message);
  }
  const asking = { ...options, name, jql };
  return {
    name,
    async poll(cursor, desk) {
      if (cursor === null) {
        const now = clock.wall();
        const page = { minutes: learnMinutes, token: null };
        return { events: [], cursor: { from: now, since: now, known: {}, page }, more: true };
      }
      const { data: from } = cursorForm.safeParse(cursor);
      if (from === undefined) throw unknownCursor(name);
      return walk(from, asking, desk);
    },
  };
}

type PollOptions = JiraOptions & { name: string; jql: string };

async function walk(from: Cursor, asking: PollOptions, desk: PollDesk): Promise<Polled> {
  const now = asking.clock.wall();
  const minutes = from.page?.minutes ?? minutesSince(from.since, now);
  const found: Issue[] = [];
  const reasons: string[] = [];
  let token = from.page?.token ?? null;
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const answer = await ask(asking, { minutes, token }, desk);
    // What it wrote down for us is forgotten there: from the first page again.
    if (answer === "forgotten") return { events: [], cursor: { ...from, page: null } };
    found.push(...answer.issues);
    reasons.push(...answer.reasons);
    token = answer.next;
    if (token === null) break;
  }
  const { events, known } = changes(from, found, asking);
  // A time to come, by a clock that is wrong, would hide what happens until then.
  const since = found.reduce(
    (top, { updated }) => Math.max(top, Math.min(updated, now)),
    from.since,
  );
  const page = token === null ? null : { minutes, token };
  const [first] = reasons;
  return {
    events,
    cursor: { from: from.from, since, known, page },
    more: page !== null,
    ...(first === undefined ? {} : { reason: `${reasons.length} could not be read: ${first}` }),
  };
}

/** What changed since it was known, and what is known from now on: the new value always wins. */
function changes(
  from: Cursor,
  found: readonly Issue[],
  asking: PollOptions,
): { events: readonly SourceEvent[]; known: Cursor["known"] } {
  const known = new Map(Object.entries(from.known));
  const events = found.flatMap((issue) => {
    const [updated, status] = known.get(issue.key) ?? [];
    known.set(issue.key, [issue.updated, issue.status]);
    const isNew = issue.updated >= from.from && updated !== issue.updated;
    return isNew ? [ticketEvent(asking, issue, status)] : [];
  });
  return { events, known: newest(known) };
}

/** Counted back from now: a time of day would be read in the zone of whoever has the token. */
function minutesSince(since: number, now: number): number {
  return Math.ceil((Math.max(now - since, 0) + overlapMs) / 60_000);
}

function newest(known: ReadonlyMap<string, [number, string]>): Cursor["known"] {
  const all = [...known];
  if (all.length <= knownMax) return Object.fromEntries(all);
  const byAge = all.toSorted(([, [a]], [, [b]]) => b - a);
  return Object.fromEntries(byAge.slice(0, knownMax));
}

interface IssuePage {
  readonly issues: readonly Issue[];
  readonly reasons: readonly string[];
  readonly next: string | null;
}

async function ask(
  { fetch, clock, url, email, token, jql }: PollOptions,
  page: NonNullable<Cursor["page"]>,
  { signal }: PollDesk,
): Promise<IssuePage | "forgotten"> {
  const answer = await fetch({
    url: `${url}/rest/api/3/search/jql`,
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      authorization: `Basic ${Buffer.from(`${email}:${token}`).toString("base64")}`,
    },
    body: JSON.stringify({
      jql: `(${jql}) AND updated >= "-${page.minutes}m" ORDER BY updated ASC, key ASC`,
      fields: ["summary", "status", "updated"],
      expand: "changelog",
      maxResults: 50,
      ...(page.token === null ? {} : { nextPageToken: page.token }),
    }),
    signal,
  });
  if (answer.status === 400 && page.token !== null) return "forgotten";
  const trouble = answerFault("Jira", answer, clock.wall());
  if (trouble !== undefined) throw trouble;
  const read = answer.status === 200 ? readIssues(jsonOf("Jira", answer)) : undefined;
  if (read === undefined) throw unreadable("Jira", "it is no list of tickets");
  return read;
}
