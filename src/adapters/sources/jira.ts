import { z } from "zod";
import type { Polled, SourceEvent, PollContext, Source } from "../../features/events/index.ts";
import type { Clock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { SafeFetch } from "../../platform/fetch.ts";
import { present } from "../../platform/json.ts";
import { quote } from "../../platform/text.ts";
import { answerFault, jsonOf, unreadableCursor, unreadable, unreadReason } from "./answers.ts";
import { readIssues, type Issue, ticketEvent } from "./jira-issue.ts";

export interface JiraOptions {
  /** Default: `jira`. */
  name?: string | undefined;
  fetch: SafeFetch;
  clock: Pick<Clock, "wall">;
  /** `https://acme.atlassian.net` */
  url: string;
  email: string;
  token: string;
  /** Which tickets; default: `assignee = currentUser()`. */
  jql?: string | undefined;
}

/** Jira's search shows a change within this delay. */
const overlapMs = 10 * 60_000;
/** The first poll learns the tickets of this time, so that their next update is a change. */
const learnMinutes = 30 * 24 * 60;
const pagesMax = 10;
const knownMax = 2_000;

const cursorForm = z.strictObject({
  /** The time of the first poll: earlier updates are no events. */
  from: z.number(),
  /** The newest change. Never decreases. */
  since: z.number(),
  /** By key: when it was changed, and its status then. */
  known: z.record(z.string(), z.tuple([z.number(), z.string()])),
  /** The next page, when there are more than one poll reads. */
  page: z.strictObject({ minutes: z.number(), token: z.string().nullable() }).nullable(),
});
type Cursor = z.infer<typeof cursorForm>;

/** Polls Jira for changed tickets, the oldest change first: later changes come at the end. */
export function jira(options: JiraOptions): Source {
  const { name = "jira", clock, jql = "assignee = currentUser()" } = options;
  if (/\border\s+by\b/i.test(jql)) {
    const message = `The JQL ${quote(jql)} contains "ORDER BY": leave it out, since Daybook sets the order.`;
    throw new DaybookError("invalid", message);
  }
  const pollOptions = { ...options, name, jql };
  return {
    name,
    async poll(cursor, context) {
      if (cursor === null) {
        const now = clock.wall();
        const page = { minutes: learnMinutes, token: null };
        return { events: [], cursor: { from: now, since: now, known: {}, page }, more: true };
      }
      const { data: from } = cursorForm.safeParse(cursor);
      if (from === undefined) throw unreadableCursor(name);
      return walk(from, pollOptions, context);
    },
  };
}

type PollOptions = JiraOptions & { name: string; jql: string };

async function walk(from: Cursor, options: PollOptions, context: PollContext): Promise<Polled> {
  const now = options.clock.wall();
  const minutes = from.page?.minutes ?? minutesSince(from.since, now);
  const found: Issue[] = [];
  const reasons: string[] = [];
  let token = from.page?.token ?? null;
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const answer = await fetchPage(options, { minutes, token }, context);
    // Jira has dropped the page token: from the first page again.
    if (answer === "forgotten") return { events: [], cursor: { ...from, page: null } };
    found.push(...answer.issues);
    reasons.push(...answer.reasons);
    token = answer.next;
    if (token === null) break;
  }
  const { events, known } = changes(from, found, options);
  // A future time, by a wrong clock, would hide the changes until then.
  const since = found.reduce(
    (top, { updated }) => Math.max(top, Math.min(updated, now)),
    from.since,
  );
  const page = token === null ? null : { minutes, token };
  const cursor = { from: from.from, since, known, page };
  return present({ events, cursor, more: page !== null, reason: unreadReason(reasons) });
}

/** The events of changed tickets, and the tickets known from now on. */
function changes(
  from: Cursor,
  found: readonly Issue[],
  options: PollOptions,
): { events: readonly SourceEvent[]; known: Cursor["known"] } {
  const known = new Map(Object.entries(from.known));
  const events = found.flatMap((issue) => {
    const [updated, status] = known.get(issue.key) ?? [];
    known.set(issue.key, [issue.updated, issue.status]);
    const isNew = issue.updated >= from.from && updated !== issue.updated;
    return isNew ? [ticketEvent(options, issue, status)] : [];
  });
  return { events, known: newest(known) };
}

/** Relative to now: Jira reads a time of day in the zone of the token's owner. */
function minutesSince(since: number, now: number): number {
  return Math.ceil((Math.max(now - since, 0) + overlapMs) / 60_000);
}

function newest(known: ReadonlyMap<string, [number, string]>): Cursor["known"] {
  const all = [...known];
  if (all.length <= knownMax) return Object.fromEntries(all);
  const byAge = all.toSorted(([, [a]], [, [b]]) => b - a);
  return Object.fromEntries(byAge.slice(0, knownMax));
}

async function fetchPage(
  { fetch, clock, url, email, token, jql }: PollOptions,
  page: NonNullable<Cursor["page"]>,
  { signal }: PollContext,
): Promise<NonNullable<ReturnType<typeof readIssues>> | "forgotten"> {
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
      nextPageToken: page.token ?? undefined,
    }),
    signal,
  });
  if (answer.status === 400 && page.token !== null) return "forgotten";
  const trouble = answerFault("Jira", answer, clock.wall());
  if (trouble !== undefined) throw trouble;
  const read = answer.status === 200 ? readIssues(jsonOf("Jira", answer)) : undefined;
  if (read === undefined) throw unreadable("Jira", "it is not a list of tickets");
  return read;
}
