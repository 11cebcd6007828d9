import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A complete request. */
export interface Call {
  /** From 0, over all calls. */
  readonly number: number;
  readonly verb: string;
  /** Without the query. */
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** Aborts when the client hangs up. */
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * The behaviour for a call. `accept`: it is done and answered. `lose`: it is done, and the connection cut
 * before the answer. `hang`: it is done and never answered. `after`: it is done, and answered when
 * the promise resolves. `down`: it is not done, and the connection cut. An answer: it is not done.
 */
export type Behaviour =
  | "accept"
  | "lose"
  | "hang"
  | "down"
  | { readonly after: Promise<unknown> }
  | Answer;

/** A fake service that records its calls, with programmable behaviour. */
export interface Peer {
  /** `host:port`, the form of an allow-list. */
  readonly host: string;
  /** Without a slash at its end. */
  readonly url: string;
  readonly calls: readonly Call[];
  /** Sets the behaviour of the next calls that send something, one each. */
  next(...behaviours: readonly Behaviour[]): void;
  /** Sets the default behaviour. A function decides on every call, also those that send nothing. */
  always(behaviour: Behaviour | ((call: Call) => Behaviour)): void;
  /** Resolves with the first matching call, past or future. */
  called(isIt: (call: Call) => boolean): Promise<Call>;
  /** Stops listening, and cuts all connections. */
  close(): Promise<void>;
}

export interface PeerRules {
  /** Handles the call. */
  answer(call: Call): Answer | Promise<Answer>;
  /** Whether a call sends something: polls and preparations do not, and use up no behaviour. */
  isSaying(call: Call): boolean;
  /** Prepares the server for more than requests, such as sockets. */
  prepare?(server: Server): void;
  /** The port. Default: any free one. */
  port?: number;
}

export async function peer(rules: PeerRules): Promise<Peer> {
  const calls: Call[] = [];
  const queue: Behaviour[] = [];
  const heard = new EventTarget();
  let usual: (call: Call) => Behaviour = () => "accept";
  const meet = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await buffer(incoming)).toString();
    const call = callOf(calls.length, incoming, { body, signal: hangUp(response) });
    const behaviour = (rules.isSaying(call) ? queue.shift() : undefined) ?? usual(call);
    const answer = isDone(behaviour) ? rules.answer(call) : behaviour;
    // A call takes effect before its waiters resume.
    calls.push(call);
    heard.dispatchEvent(new Event("call"));
    await behave(behaviour, answer, response);
  };
  const server = createServer((incoming, response) => {
    // A client that hangs up early sent no complete request.
    meet(incoming, response).catch(() => response.destroy());
  });
  rules.prepare?.(server);
  server.listen(rules.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}`,
    calls,
    next: (...behaviours) => void queue.push(...behaviours),
    always(behaviour) {
      usual =
        typeof behaviour === "function"
          ? behaviour
          : (call) => (rules.isSaying(call) ? behaviour : "accept");
    },
    async called(isIt) {
      for (;;) {
        const found = calls.find(isIt);
        if (found !== undefined) return found;
        await once(heard, "call");
      }
    },
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

type Done = Exclude<Behaviour, "down" | Answer>;

function isDone(behaviour: Behaviour): behaviour is Done {
  return typeof behaviour === "object" ? "after" in behaviour : behaviour !== "down";
}

async function behave(
  behaviour: Behaviour,
  answering: "down" | Answer | Promise<Answer>,
  response: ServerResponse,
): Promise<void> {
  const answer = await answering;
  if (behaviour === "hang") return;
  if (typeof behaviour === "object" && "after" in behaviour) await behaviour.after;
  if (answer === "down" || behaviour === "lose") {
    response.socket?.resetAndDestroy();
    return;
  }
  const { status, headers = {}, body } = answer;
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}

function callOf(
  number: number,
  { method: verb = "", url = "", headers }: IncomingMessage,
  read: Pick<Call, "body" | "signal">,
): Call {
  const plain = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  const [path = "", query = ""] = url.split("?");
  return { number, verb, path, query, headers: Object.fromEntries(plain), ...read };
}

function hangUp(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  return gone.signal;
}

/** An answer in JSON. */
export function json(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers, body: JSON.stringify(body) };
}
