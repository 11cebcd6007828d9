import { getRequestListener, type HttpBindings } from "@hono/node-server";
import type { HttpFace } from "./face.ts";

export type Incoming = HttpBindings["incoming"];
export type Outgoing = HttpBindings["outgoing"];

/** What Express and those like it leave on a request. */
interface Prepared {
  /** The path as it was asked, before the part where we are mounted was taken off. */
  originalUrl?: string;
  /** The part where we are mounted. */
  baseUrl?: string;
  /** What a body parser has read already. */
  body?: unknown;
  rawBody?: Buffer;
}

/** The face for `node:http` and Express. */
export function nodeHandler(
  face: Pick<HttpFace, "fetch">,
  stopping?: AbortSignal,
): (incoming: Incoming, outgoing: Outgoing) => Promise<void> {
  const listener = getRequestListener(
    (request, { incoming }) => {
      const { baseUrl } = incoming as Prepared;
      return face.fetch(request, {
        address: incoming.socket.remoteAddress,
        incoming: incoming as Incoming, // that of HTTP/2 has the same
        ...(baseUrl ? { basePath: baseUrl } : {}),
        ...(stopping === undefined ? {} : { stopping }),
      });
    },
    // The program around us keeps its own Request and Response.
    { overrideGlobalObjects: false },
  );
  return (incoming, outgoing) => listener(whole(incoming), outgoing);
}

/** The request as it came: with its whole path, and with the body that a parser may have read. */
function whole(incoming: Incoming): Incoming {
  const prepared = incoming as Prepared & { url?: string };
  if (prepared.originalUrl !== undefined) prepared.url = prepared.originalUrl;
  if (incoming.readableEnded && isData(prepared.body)) {
    prepared.rawBody ??= Buffer.from(JSON.stringify(prepared.body));
  }
  return incoming;
}

function isData(body: unknown): boolean {
  return typeof body === "object" && body !== null && !Buffer.isBuffer(body);
}
