import { createHash } from "node:crypto";
import { receiver, type Answer, type Received, type Receiver } from "../channels/receiver.ts";

/** A notification at GitHub. */
interface Thread {
  readonly id: string;
  readonly updatedAt: number;
  readonly reason?: string;
  readonly subjectType?: string;
  readonly title?: string;
  readonly url?: string | null;
  readonly repo?: string;
  /** A person has read it. */
  readonly isRead?: boolean;
}

export const githubToken = "ghp_classic";

/** A fake of GitHub's notifications, stricter than the real API. */
export interface GithubServer extends Receiver {
  /** The URL of its API, without a trailing slash. */
  readonly api: string;
  /** Adds a notification, which replaces the thread's earlier one. */
  notify(thread: Thread): void;
  /** A person marks it as done, which removes it. */
  remove(id: string): void;
  /** More headers of its answers; an `etag` here replaces the computed one. */
  extra: Readonly<Record<string, string>>;
  /** Invalid items of the list. */
  unreadable: readonly unknown[];
}

const known = ["all", "since", "before", "per_page", "page"];

export async function githubServer(now: () => number): Promise<GithubServer> {
  const threads = new Map<string, Thread>();
  const rules = (request: Received): Answer => {
    const url = new URL(request.path, "http://github");
    const wrong = complaint(request, url);
    if (wrong !== undefined) return wrong;
    const { all, since, before, size, page } = requested(url);
    const found = [...threads.values()]
      .filter(({ isRead = false }) => all || !isRead)
      // The strictest reading of the documentation: both ends are exclusive.
      .filter(({ updatedAt }) => updatedAt > since && updatedAt < before)
      .toSorted((a, b) => b.updatedAt - a.updatedAt || a.id.localeCompare(b.id));
    const shown = found.slice((page - 1) * size, page * size);
    const body = JSON.stringify([...shown.map(shapeOf), ...server.unreadable]);
    const newest = found[0]?.updatedAt ?? 0;
    const headers = {
      "content-type": "application/json",
      date: new Date(now()).toUTCString(),
      etag: `W/"${createHash("sha256").update(body).digest("hex")}"`,
      "last-modified": new Date(newest).toUTCString(),
      "x-poll-interval": "60",
      ...(found.length > page * size ? { link: nextOf(url, page) } : {}),
      ...server.extra,
    };
    const known = request.headers["if-none-match"];
    const seen = Date.parse(request.headers["if-modified-since"] ?? "");
    const isSame = known === headers.etag || newest <= seen;
    return isSame ? { status: 304, headers } : { status: 200, headers, body };
  };
  const peer = await receiver(rules);
  const server: GithubServer = {
    ...peer,
    api: peer.url.slice(0, -1),
    notify: (thread) => void threads.set(thread.id, thread),
    remove: (id) => void threads.delete(id),
    extra: {},
    unreadable: [],
  };
  return server;
}

function complaint({ method, headers }: Received, url: URL): Answer | undefined {
  const say = (status: number, message: string): Answer => ({
    status,
    body: JSON.stringify({ message }),
  });
  if (headers["authorization"] !== `Bearer ${githubToken}`) return say(401, "Bad credentials");
  if (headers["user-agent"] === undefined) return say(403, "Say who you are");
  if (method !== "GET" || url.pathname !== "/notifications") return say(404, "Not Found");
  if (headers["x-github-api-version"] !== "2022-11-28") return say(400, "No such version");
  const strange = [...url.searchParams.keys()].find((name) => !known.includes(name));
  if (strange !== undefined) return say(422, `What is ${strange}?`);
  const both = ["if-none-match", "if-modified-since"].every((name) => headers[name] !== undefined);
  if (both) return say(400, "One of them");
  if (headers["if-none-match"] === "") return say(400, "An empty tag");
  const { since, before, size, page } = requested(url);
  if (Number.isNaN(since) || Number.isNaN(before)) return say(422, "Times as ISO 8601");
  return size >= 1 && size <= 50 && page >= 1 ? undefined : say(422, "Pages of 1 to 50");
}

interface GithubRequest {
  all: boolean;
  since: number;
  before: number;
  size: number;
  page: number;
}

function requested(url: URL): GithubRequest {
  const get = (name: string): string | null => url.searchParams.get(name);
  return {
    all: get("all") === "true",
    since: get("since") === null ? -1 : Date.parse(get("since") ?? ""),
    before: get("before") === null ? Infinity : Date.parse(get("before") ?? ""),
    size: Number(get("per_page") ?? 50),
    page: Number(get("page") ?? 1),
  };
}

function nextOf(url: URL, page: number): string {
  const next = new URL(url);
  next.searchParams.set("page", String(page + 1));
  return `<${next.href}>; rel="next", <${next.href}>; rel="last"`;
}

function shapeOf(thread: Thread): object {
  const { id, updatedAt, reason = "review_requested", subjectType = "PullRequest" } = thread;
  const { repo = "querypie/frontend", title = "Fix it" } = thread;
  const { url = `https://api.github.com/repos/${repo}/pulls/42` } = thread;
  return {
    id,
    reason,
    unread: thread.isRead !== true,
    updated_at: new Date(updatedAt).toISOString().replace(".000", ""),
    last_read_at: null,
    subject: { title, url, latest_comment_url: url, type: subjectType },
    repository: { id: 1, full_name: repo, private: false },
    url: `https://api.github.com/notifications/threads/${id}`,
  };
}
