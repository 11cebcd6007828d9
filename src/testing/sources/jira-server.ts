import { receiver, type Answer, type Received, type Receiver } from "../channels/receiver.ts";

/** A ticket at Jira. */
interface Ticket {
  readonly key: string;
  readonly updatedAt: number;
  readonly status?: string;
  readonly summary?: string;
  /** The person who changed it. Absent: it was a comment. */
  readonly by?: string;
}

export const jiraLogin = { email: "mina@example.org", token: "atlassian-token" } as const;

/** A fake of Jira's search, stricter than the real one. */
export interface JiraServer extends Receiver {
  /** The URL of the site, without a trailing slash. */
  readonly site: string;
  /** Creates or changes a ticket. */
  change(ticket: Ticket): void;
  /** Expires all page tokens. */
  forget(): void;
  /** Invalid items of the list. */
  unreadable: readonly unknown[];
}

const jqlShape = /^\((.+)\) AND updated >= "-(\d+)m" ORDER BY updated ASC, key ASC$/;

export async function jiraServer(now: () => number): Promise<JiraServer> {
  const tickets = new Map<string, Ticket>();
  const positions = new Map<string, { jql: string; after: Ticket }>();
  const search = ({ jql, maxResults, nextPageToken: token }: Search): Answer => {
    const place = token === undefined ? undefined : positions.get(token);
    if (token !== undefined && place?.jql !== jql)
      return say(400, "The token is of another search");
    const [, , minutes = ""] = jqlShape.exec(jql) ?? [];
    if (minutes === "") return say(400, "This is no JQL that is understood");
    const from = now() - Number(minutes) * 60_000;
    const found = [...tickets.values()]
      .filter(({ updatedAt }) => updatedAt >= from)
      .toSorted(inOrder)
      .filter((ticket) => place === undefined || inOrder(ticket, place.after) > 0);
    const shown = found.slice(0, maxResults);
    const last = shown.at(-1);
    const next =
      found.length > shown.length && last !== undefined ? `page-${positions.size}` : null;
    if (next !== null && last !== undefined) positions.set(next, { jql, after: last });
    const page = next === null ? { isLast: true } : { isLast: false, nextPageToken: next };
    return {
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ issues: [...shown.map(shapeOf), ...server.unreadable], ...page }),
    };
  };
  const peer = await receiver((request) => complaint(request) ?? search(searchOf(request)));
  const server: JiraServer = {
    ...peer,
    site: peer.url.slice(0, -1),
    change: (ticket) => void tickets.set(ticket.key, ticket),
    forget: () => positions.clear(),
    unreadable: [],
  };
  return server;
}

interface Search {
  jql: string;
  maxResults: number;
  nextPageToken?: string;
}

function searchOf({ body }: Received): Search {
  return JSON.parse(body.toString()) as Search;
}

function complaint(request: Received): Answer | undefined {
  const { method, path, headers, body } = request;
  const login = Buffer.from(`${jiraLogin.email}:${jiraLogin.token}`).toString("base64");
  if (headers["authorization"] !== `Basic ${login}`) return say(401, "Who are you?");
  if (method !== "POST" || path !== "/rest/api/3/search/jql") return say(404, "Nothing here");
  if (headers["content-type"] !== "application/json") return say(415, "Send JSON");
  const { jql, maxResults, ...rest } = JSON.parse(body.toString()) as Partial<Search>;
  const strange = Object.keys(rest).find(
    (name) => !["fields", "expand", "nextPageToken"].includes(name),
  );
  if (strange !== undefined) return say(400, `What is ${strange}?`);
  if (typeof jql !== "string" || typeof maxResults !== "number") return say(400, "Say jql");
  return maxResults >= 1 && maxResults <= 50 ? undefined : say(400, "50 at once");
}

function say(status: number, message: string): Answer {
  return { status, body: JSON.stringify({ errorMessages: [message] }) };
}

function inOrder(a: Ticket, b: Ticket): number {
  return a.updatedAt - b.updatedAt || a.key.localeCompare(b.key);
}

/** A time in the zone of the token's owner. */
function timeOf(at: number): string {
  return new Date(at + 9 * 3_600_000).toISOString().replace("Z", "+0900");
}

function shapeOf({ key, updatedAt, status = "To Do", summary = "Do it", by }: Ticket): object {
  const author = { accountId: by, displayName: "Somebody" };
  const histories =
    by === undefined ? [] : [{ id: "1", created: timeOf(updatedAt), author, items: [] }];
  return {
    id: "10001",
    key,
    fields: { summary, status: { id: "1", name: status }, updated: timeOf(updatedAt) },
    changelog: { startAt: 0, maxResults: 20, total: histories.length, histories },
  };
}
