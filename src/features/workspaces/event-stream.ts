import type { Caller } from "../../kernel/operation.ts";
import type { RouteCall, RouteContext } from "../../kernel/route.ts";
import { allows } from "../../kernel/scope.ts";
import { HttpError } from "../../platform/http-error.ts";
import { isoOf } from "../../platform/iso-time.ts";
import { feedReader, firstEvents, type FeedPage, type WorkspaceEvent } from "./event-feed.ts";
import { workspaceQueue } from "./kind.ts";
import { keptWorkspaces } from "./ports.ts";

type Listener = RouteCall & { readonly caller: Caller };

/** Streams the events of one workspace, or of all of the caller, until the listener disconnects. */
export type EventStream = (listener: Listener, id: string | undefined) => Promise<Response>;

const pollMs = 1_000;
const heartbeatMs = 30_000;
/** How long a revoked token may still listen. */
const tokenCheckMs = 3_000;
const perOwnerMax = 100;

const headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-store",
  "x-accel-buffering": "no", // turns off buffering in proxies
};

export function eventStream(context: RouteContext): EventStream {
  const open = new Map<string, number>();
  const occupy = (owner: string): (() => void) => {
    const count = open.get(owner) ?? 0;
    if (count >= perOwnerMax) throw tooMany();
    open.set(owner, count + 1);
    let isFree = false;
    return () => {
      if (!isFree) open.set(owner, (open.get(owner) ?? 1) - 1);
      isFree = true;
    };
  };
  return async (listener, id) => {
    const { request, caller, stopping } = listener;
    if (request.method === "HEAD") return new Response(null, { headers });
    const { owner, by } = caller;
    const book = context.ledger.of(owner, by);
    const last = request.headers.get("last-event-id");
    const first = await firstEvents(book, { id, last });
    const free = occupy(owner);
    const signal = AbortSignal.any([request.signal, ...(stopping ? [stopping] : [])]);
    signal.addEventListener("abort", free);
    const texts = frames(context, { listener, id, signal, first, free });
    const body = ReadableStream.from(texts).pipeThrough(new TextEncoderStream());
    return new Response(body, { headers });
  };
}

interface Subscription {
  readonly listener: Listener;
  /** Only events of this workspace; undefined for all of the caller. */
  readonly id: string | undefined;
  /** Aborts when the listener disconnects or the server stops. */
  readonly signal: AbortSignal;
  readonly first: FeedPage;
  free(): void;
}

async function* frames(
  context: RouteContext,
  subscription: Subscription,
): AsyncGenerator<string, void> {
  const { ledger, clock } = context;
  const { signal, listener, id, first, free } = subscription;
  const changes = changeSignal(context, signal);
  const book = ledger.of(listener.caller.owner, listener.caller.by);
  const read = feedReader(book, { id, events: first.events });
  let { cursor } = first;
  let [beatAt, checkAt] = [clock.mono() + heartbeatMs, clock.mono() + tokenCheckMs];
  try {
    yield `: connected\n\n${written(first.events, cursor)}`;
    while (!signal.aborted) {
      const isCheckDue = clock.mono() >= checkAt;
      if (isCheckDue && !(await mayStay(context, listener))) return;
      if (isCheckDue) checkAt = clock.mono() + tokenCheckMs;
      const page = await read(cursor);
      if (page.events.length > 0) yield written(page.events, page.cursor);
      ({ cursor } = page);
      if (clock.mono() >= beatAt) {
        yield event("heartbeat", { timestamp: isoOf(clock.wall()) });
        beatAt = clock.mono() + heartbeatMs;
      }
      await changes.next();
    }
  } finally {
    changes.stop();
    free();
  }
}

/** Resolves at a hint that something changed, or after the poll interval. */
function changeSignal(
  { ledger, clock, use }: RouteContext,
  signal: AbortSignal,
): { next(): Promise<void>; stop(): void } {
  let isHinted = false;
  let wake = (): void => undefined;
  const hint = (): void => {
    isHinted = true;
    wake();
  };
  const workspaces = use(keptWorkspaces);
  const unsubscribe =
    workspaces === undefined
      ? () => undefined
      : ledger.work.onHint(workspaceQueue(workspaces.location), hint);
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
      unsubscribe();
      signal.removeEventListener("abort", hint);
    },
  };
}

/** Whether the listener still may listen; not when that cannot be checked. */
async function mayStay({ log }: RouteContext, { findCaller, caller }: Listener): Promise<boolean> {
  try {
    const found = await findCaller();
    return found.owner === caller.owner && allows(found.scopes, "read");
  } catch (error) {
    log.debug("listener let go", { error });
    return false;
  }
}

/** Only the last event has the cursor: a listener that missed some receives all of them again. */
function written(events: readonly WorkspaceEvent[], cursor: string | undefined): string {
  return events
    .map(({ name, data }, index) => {
      const isLast = index === events.length - 1 && cursor !== undefined;
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
