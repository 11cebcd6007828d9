import { workspaceQueue } from "../../features/workspaces/kind.ts";
import { keptWorkspaces } from "../../features/workspaces/ports.ts";
import type { Installation, Caller } from "../../kernel/operation.ts";
import { allows } from "../../kernel/scope.ts";
import type { Clock } from "../../platform/clock.ts";
import { isoOf } from "../../platform/iso-time.ts";
import type { Log } from "../../platform/log.ts";
import type { Callers, Peer } from "./callers.ts";
import { HttpError } from "./problem.ts";
import { beginning, changesIn, type Told } from "./workspace-feed.ts";

export interface StreamParts {
  installation: Installation;
  callers: Callers;
  clock: Clock;
  log: Log;
}

interface Listener {
  readonly peer: Peer;
  readonly caller: Caller;
  /** Only of this one; absent: of all that are the caller's. */
  readonly id?: string;
}

/** Tells whoever listens, as server-sent events, until they leave. */
export type Stream = (request: Request, listener: Listener) => Promise<Response>;

const pollMs = 1_000;
const heartbeatMs = 30_000;
/** So long may a revoked token still listen. */
const tokenLookMs = 3_000;
const perOwnerMax = 100;

const headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-store",
  "x-accel-buffering": "no", // proxies hold back what they gather
};

export function workspaceStream(parts: StreamParts): Stream {
  const taken = new Map<string, number>();
  const seat = (owner: string): (() => void) => {
    const count = taken.get(owner) ?? 0;
    if (count >= perOwnerMax) throw tooMany();
    taken.set(owner, count + 1);
    let isFree = false;
    return () => {
      if (!isFree) taken.set(owner, (taken.get(owner) ?? 1) - 1);
      isFree = true;
    };
  };
  return async (request, listener) => {
    if (request.method === "HEAD") return new Response(null, { headers });
    const { owner, by } = listener.caller;
    const book = parts.installation.ledger.of(owner, by);
    const last = request.headers.get("last-event-id");
    const first = await beginning(book, { id: listener.id, last });
    const free = seat(owner);
    const { stopping } = listener.peer;
    const ends = [request.signal, ...(stopping === undefined ? [] : [stopping])];
    const signal = AbortSignal.any(ends);
    signal.addEventListener("abort", free);
    const texts = told(parts, { ...listener, request, signal, first, free });
    const body = ReadableStream.from(texts).pipeThrough(new TextEncoderStream());
    return new Response(body, { headers });
  };
}

interface Telling extends Listener {
  readonly request: Request;
  /** They have left, or must. */
  readonly signal: AbortSignal;
  readonly first: { readonly told: readonly Told[]; readonly cursor: string | undefined };
  free(): void;
}

async function* told(parts: StreamParts, telling: Telling): AsyncGenerator<string, void> {
  const { installation, clock } = parts;
  const { signal, caller, first, free } = telling;
  const waits = waiting(parts, signal);
  const book = installation.ledger.of(caller.owner, caller.by);
  const read = changesIn(book, { id: telling.id, told: first.told });
  let { cursor } = first;
  let [beatAt, lookAt] = [clock.mono() + heartbeatMs, clock.mono() + tokenLookMs];
  try {
    yield `: connected\n\n${written(first.told, cursor)}`;
    while (!signal.aborted) {
      const isLookDue = clock.mono() >= lookAt;
      if (isLookDue && !(await mayStay(parts, telling))) return;
      if (isLookDue) lookAt = clock.mono() + tokenLookMs;
      const { told: news, cursor: place } = await read(cursor);
      if (news.length > 0) yield written(news, place);
      cursor = place;
      if (clock.mono() >= beatAt) {
        yield event("heartbeat", { timestamp: isoOf(clock.wall()) });
        beatAt = clock.mono() + heartbeatMs;
      }
      await waits.next();
    }
  } finally {
    waits.stop();
    free();
  }
}

/** Until something may have happened, or a moment has gone by. */
function waiting(
  { installation, clock }: StreamParts,
  signal: AbortSignal,
): { next(): Promise<void>; stop(): void } {
  let isHinted = false;
  let wake = (): void => undefined;
  const hint = (): void => {
    isHinted = true;
    wake();
  };
  const { ledger } = installation;
  const workspaces = installation.use(keptWorkspaces);
  const forget =
    workspaces === undefined
      ? () => undefined
      : ledger.work.onHint(workspaceQueue(workspaces.place), hint);
  signal.addEventListener("abort", hint);
  return {
    async next() {
      if (!isHinted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const cancel = clock.after(pollMs, resolve);
        await promise;
        cancel();
      }
      isHinted = false;
    },
    stop() {
      forget();
      signal.removeEventListener("abort", hint);
    },
  };
}

/** Whether whoever listens still may; when that cannot be said, they may not. */
async function mayStay({ callers, log }: StreamParts, telling: Telling): Promise<boolean> {
  const { request, peer, caller } = telling;
  try {
    const found = await callers.find(request, peer);
    return found.owner === caller.owner && allows(found.scopes, "read");
  } catch (error) {
    log.debug("listener let go", { error });
    return false;
  }
}

/** The place stands on the last one: who has not heard all hears all again. */
function written(news: readonly Told[], cursor: string | undefined): string {
  return news
    .map(({ name, data }, index) => {
      const isLast = index === news.length - 1 && cursor !== undefined;
      return `${isLast ? `id: ${cursor}\n` : ""}${event(name, data)}`;
    })
    .join("");
}

function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

function tooMany(): HttpError {
  const message = `${perOwnerMax} listen to your workspaces here, and no more may: close one first.`;
  return new HttpError(429, "busy", message, { "retry-after": "30" });
}
