import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** The part of an event that is used here. */
interface SentryEvent {
  readonly level: string;
  readonly release: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly exception: {
    readonly values: readonly {
      readonly type: string;
      readonly value: string;
      readonly stacktrace: { readonly frames: readonly { readonly filename: string }[] };
    }[];
  };
}

interface SentryServer {
  readonly dsn: string;
  /** All that was sent, as it came. */
  readonly bodies: readonly string[];
  /** The first event that matches, past or to come. */
  event(isIt: (event: SentryEvent) => boolean): Promise<SentryEvent>;
  close(): Promise<void>;
}

/** Takes envelopes as Sentry does: lines of JSON, where each item follows its header. */
export async function sentryServer(): Promise<SentryServer> {
  const bodies: string[] = [];
  const events: SentryEvent[] = [];
  const heard = new EventTarget();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const isEnvelope = request.url?.startsWith("/api/42/envelope/") === true;
    bodies.push(body);
    if (isEnvelope) events.push(...eventsIn(body));
    response.writeHead(isEnvelope ? 200 : 404).end("{}");
    heard.dispatchEvent(new Event("body"));
  };
  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    dsn: `http://public@127.0.0.1:${(server.address() as AddressInfo).port}/42`,
    bodies,
    async event(isIt) {
      for (;;) {
        const found = events.find(isIt);
        if (found !== undefined) return found;
        await once(heard, "body");
      }
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function eventsIn(envelope: string): readonly SentryEvent[] {
  const [, ...lines] = envelope.trimEnd().split("\n");
  return lines.flatMap((line, at) => {
    if (at % 2 === 1 || (JSON.parse(line) as { type?: string }).type !== "event") return [];
    return [JSON.parse(lines[at + 1] ?? "") as SentryEvent];
  });
}
