import type { Sent } from "../../features/notifications/index.ts";
import { DaybookError, toErrorData } from "../../platform/errors.ts";
import type { SafeFetch } from "../../platform/fetch.ts";
import { present } from "../../platform/json.ts";
import { redact } from "../../platform/redact.ts";
import { faultOf } from "./post.ts";

/** The part of a Response that the clients of chat services read. */
interface WebAnswer {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly headers: Headers;
  arrayBuffer(): Promise<ArrayBuffer>;
  json(): Promise<unknown>;
  text(): Promise<string>;
}

interface WebRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null;
}

export type WebFetch = (url: string | URL, init?: WebRequest) => Promise<WebAnswer>;

/** Headers that the safe fetch sets itself. */
const ownHeaders: readonly string[] = ["connection", "content-length", "host"];

/** The safe fetch with the signature of the web's: text bodies, and no secrets in an answer. */
export function webFetch(
  fetch: SafeFetch,
  given: { secrets: readonly string[]; signal?: AbortSignal | undefined },
): WebFetch {
  return async (url, { headers = {}, body, signal = null } = {}) => {
    const plain = Object.entries(headers).filter(
      ([name]) => !ownHeaders.includes(name.toLowerCase()),
    );
    const answer = await fetchOrStatus(fetch, {
      url: String(url),
      method: "POST",
      headers: { ...Object.fromEntries(plain), "user-agent": "daybook" },
      body: typeof body === "string" ? body : undefined,
      signal: given.signal ?? signal ?? undefined,
    });
    const text = redact(new TextDecoder().decode(answer.body), given.secrets);
    return {
      ok: answer.status >= 200 && answer.status < 300,
      status: answer.status,
      statusText: "",
      url: "",
      headers: new Headers({ ...answer.headers }),
      arrayBuffer: async () => new TextEncoder().encode(text).buffer,
      json: async () => JSON.parse(text) as unknown,
      text: async () => text,
    };
  };
}

type Answer = Awaited<ReturnType<SafeFetch>>;

/** Of an answer that is too long, its status. */
async function fetchOrStatus(fetch: SafeFetch, request: Parameters<SafeFetch>[0]): Promise<Answer> {
  try {
    return await fetch(request);
  } catch (error) {
    const { status } = toErrorData(error).details;
    if (typeof status !== "number") throw error;
    return { status, headers: {}, body: Buffer.alloc(0), isCut: true };
  }
}

/** Loads the client of a service on first use. */
export async function loadClient<T>(
  service: string,
  name: string,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const sentence = `${service} needs the package ${name}, and it is not there: npm install ${name}.`;
    throw new DaybookError("unsupported", sentence, { cause, details: { sent: false } });
  }
}

/** The details of a failed call to a chat service. */
export interface ChatFault {
  /** Whether the call may have reached the service. */
  readonly sent: boolean;
  /** Absent without a readable answer. */
  readonly status?: number;
  /** The service's description or code of the error. */
  readonly said?: string;
  /** Of a 429: how long to wait. */
  readonly afterMs?: number | undefined;
}

export function chatFaultOf(error: unknown): Partial<ChatFault> {
  return toErrorData(error).details;
}

interface FailedCall {
  /** The service's name. */
  readonly service: string;
  readonly signal: AbortSignal;
  /** Reads a refusal of this service. */
  refused(description: string, status: number): Sent;
}

/** What a failed call means for a message. */
export function sentAfter(error: unknown, { service, signal, refused }: FailedCall): Sent {
  const { status, said = "", afterMs } = chatFaultOf(error);
  if (status === undefined) return faultOf(error, { signal, secrets: [] });
  if (status !== 429 && status < 500) return refused(said, status);
  const reason = `${service} answered ${status}${said === "" ? "" : `: ${said}`}`;
  // A rate limit is for the whole destination.
  return present({ result: "retry", reason, afterMs, destinationDown: true });
}
