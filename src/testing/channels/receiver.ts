import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { busyMs, type Rig } from "./rig.ts";

/** A received request. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * What to do with a complete request. `accept`: answer by the receiver's rules.
 * `lose`: apply them, and cut the connection before the answer. `hang`: never answer. `reset`:
 * cut the connection. `slowly`: send the head and half of the answer at once, and the rest later.
 */
export type Behaviour = "accept" | "lose" | "hang" | "reset" | { slowly: Promise<void> } | Answer;

/** A fake server that records its requests, with programmable behaviour. */
export interface Receiver {
  /** `host:port`, the form of an allow-list. */
  readonly host: string;
  readonly url: string;
  /** Every complete request, in order. */
  readonly requests: readonly Received[];
  /** The requests that the rules accepted. */
  readonly accepted: readonly Received[];
  /** Sets the behaviour of the next requests, one each. */
  next(...behaviours: readonly Behaviour[]): void;
  /** Sets the default behaviour. */
  always(behaviour: Behaviour): void;
  /** Resolves with the request of this number, from 0. */
  request(number: number): Promise<Received>;
  /** Resolves when no connection is open. */
  quiet(): Promise<void>;
  /** Stops listening, and cuts all connections. */
  close(): Promise<void>;
}

export async function receiver(
  rules: (request: Received) => Answer = () => ({ status: 204 }),
): Promise<Receiver> {
  const requests: Received[] = [];
  const accepted: Received[] = [];
  const queue: Behaviour[] = [];
  const heard = new EventTarget();
  let usual: Behaviour = "accept";
  const meet = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await received(incoming);
    requests.push(request);
    const behaviour = queue.shift() ?? usual;
    const answer =
      typeof behaviour === "object" && "status" in behaviour ? behaviour : rules(request);
    if (isTaken(behaviour) && answer.status < 300) accepted.push(request);
    heard.dispatchEvent(new Event("request"));
    await behave(behaviour, answer, response);
  };
  const server = createServer((incoming, response) => {
    // A client that hangs up early sent no complete request.
    meet(incoming, response).catch(() => response.destroy());
  });
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      heard.dispatchEvent(new Event("closed"));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/`,
    requests,
    accepted,
    next: (...behaviours) => void queue.push(...behaviours),
    always: (behaviour) => void (usual = behaviour),
    async request(number) {
      for (;;) {
        const found = requests[number];
        if (found !== undefined) return found;
        await once(heard, "request");
      }
    },
    async quiet() {
      while (sockets.size > 0) await once(heard, "closed");
    },
    async close() {
      server.closeAllConnections();
      server.close();
      if (server.listening) await once(server, "close");
    },
  };
}

/** The failures of a peer over HTTP. */
export function failsOf({ next, always }: Receiver): Required<NonNullable<Rig["fails"]>> {
  const skipped = (skip: number) => Array.from({ length: skip }, () => "accept" as const);
  const headers = { "retry-after": String(busyMs / 1_000) };
  return {
    busy: (skip) => next(...skipped(skip), { status: 429, headers }),
    lost: (skip) => next(...skipped(skip), "lose"),
    refused: () => always({ status: 403 }),
  };
}

function isTaken(behaviour: Behaviour): boolean {
  if (typeof behaviour === "object") return "slowly" in behaviour;
  return behaviour === "accept" || behaviour === "lose";
}

async function received(incoming: IncomingMessage): Promise<Received> {
  const { method = "", url = "", headers } = incoming;
  const plain = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { method, path: url, headers: Object.fromEntries(plain), body: await buffer(incoming) };
}

async function behave(
  behaviour: Behaviour,
  answer: Answer,
  response: ServerResponse,
): Promise<void> {
  if (behaviour === "hang") return;
  if (behaviour === "reset" || behaviour === "lose") {
    response.socket?.resetAndDestroy();
    return;
  }
  const { status, headers = {}, body = "" } = answer;
  response.writeHead(status, headers);
  if (typeof behaviour === "object" && "slowly" in behaviour) {
    response.write(body.slice(0, body.length / 2));
    await behaviour.slowly;
    response.end(body.slice(body.length / 2));
    return;
  }
  response.end(body);
}
