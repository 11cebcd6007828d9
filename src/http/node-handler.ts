import { getRequestListener, type HttpBindings } from "@hono/node-server";
import type { HttpFace } from "./face.ts";

export type Incoming = HttpBindings["incoming"];
export type Outgoing = HttpBindings["outgoing"];

/** The face for `node:http` and Express; it must come before anything that reads bodies. */
export function nodeHandler(
  face: Pick<HttpFace, "fetch">,
): (incoming: Incoming, outgoing: Outgoing) => Promise<void> {
  return getRequestListener(
    (request, { incoming }) => face.fetch(request, { address: incoming.socket.remoteAddress }),
    // The program around us keeps its own Request and Response.
    { overrideGlobalObjects: false },
  );
}
