import type { Sent } from "../../features/notifications/receipt.ts";
import { DaybookError, toErrorData } from "../../platform/errors.ts";
import type { SafeFetch } from "../../platform/fetch.ts";
import { hide } from "../../platform/redact.ts";
import { faultOf } from "./post.ts";

/** An answer, as far as the clients of chat services read it. */
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

/** These are our way out's to set. */
const ownHeaders: readonly string[] = ["connection", "content-length", "host"];

/** Our way out, as a client of a service wants it: text goes, text comes, without the secrets. */
export function webFetch(
  fetch: SafeFetch,
  given: { secrets: readonly string[]; signal?: AbortSignal | undefined },
): WebFetch {
  return async (url, { headers = {}, body, signal = null } = {}) => {
    const plain = Object.entries(headers).filter(
      ([name]) => !ownHeaders.includes(name.toLowerCase()),
    );
    const stop = given.signal ?? signal;
    const answer = await asked(fetch, {
      url: String(url),
      method: "POST",
      headers: { ...Object.fromEntries(plain), "user-agent": "daybook" },
      ...(typeof body === "string" ? { body } : {}),
      ...(stop === null ? {} : { signal: stop }),
    });
    const text = hide(new TextDecoder().decode(answer.body), given.secrets);
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

/** An answer that is too long is an answer: what it said first is its status. */
async function asked(fetch: SafeFetch, request: Parameters<SafeFetch>[0]): Promise<Answer> {
  try {
    return await fetch(request);
  } catch (error) {
    const { status } = toErrorData(error).details;
    if (typeof status !== "number") throw error;
    return { status, headers: {}, body: Buffer.alloc(0), isCut: true };
  }
}

/** Loads the client of a service when it is used. */
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

/** What is known of a call to a chat service that failed: the details of what its port throws. */
export interface ChatFault {
  /** Whether the call may have reached the service. */
  readonly sent: boolean;
  /** The status of the service's answer; absent when none came that can be read. */
  readonly status?: number;
  /** What the service said. */
  readonly said?: string;
  /** It was too much: after this, it may be asked again. */
  readonly afterMs?: number;
}

export function chatFaultOf(error: unknown): Partial<ChatFault> {
  return toErrorData(error).details;
}

interface FailedCall {
  /** The service's name. */
  readonly service: string;
  readonly signal: AbortSignal;
  /** What its own no means. */
  refused(said: string, status: number): Sent;
}

/** What a failed call means for a message. */
export function sentAfter(error: unknown, { service, signal, refused }: FailedCall): Sent {
  const { status, said = "", afterMs } = chatFaultOf(error);
  if (status === undefined) return faultOf(error, { signal, secrets: [] });
  if (status !== 429 && status < 500) return refused(said, status);
  const reason = `${service} answered ${status}${said === "" ? "" : `: ${said}`}`;
  const rest = afterMs === undefined ? {} : { afterMs };
  // "Too many" is said of everything that goes there.
  return { result: "retry", reason, ...rest, destinationDown: true };
}
