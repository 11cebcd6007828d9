import type { Sent } from "../../features/notifications/index.ts";
import { toErrorData } from "../../platform/errors.ts";
import type { SafeFetch } from "../../platform/fetch.ts";
import { present } from "../../platform/json.ts";
import { loadPackage } from "../../platform/optional-package.ts";
import { webFetch, type WebFetch } from "../../platform/web-fetch.ts";
import { faultOf, orStatus } from "./post.ts";

/** A web fetch for the clients of chat services. */
export function chatFetch(
  fetch: SafeFetch,
  given: { secrets: readonly string[]; signal?: AbortSignal | undefined },
): WebFetch {
  return webFetch(orStatus(fetch), { ...given, headers: { "user-agent": "daybook" } });
}

/** Loads the client of a service on first use. */
export function loadClient<T>(service: string, name: string, load: () => Promise<T>): Promise<T> {
  return loadPackage(`${service} needs`, name, load, { details: { sent: false } });
}

/** The details of a failed call to a chat service. */
export interface ChatFault {
  /** Whether the call may have reached the service. */
  readonly sent: boolean;
  /** Absent without a readable answer. */
  readonly status?: number;
  /** The service's description or code of the error. */
  readonly description?: string;
  /** Of a 429: how long to wait. */
  readonly afterMs?: number | undefined;
}

export function chatFaultOf(error: unknown): Partial<ChatFault> {
  return toErrorData(error).details;
}

/** How a failed call is read. */
export interface CallReading {
  readonly signal: AbortSignal;
  /** Reads a refusal of this service. */
  refused(description: string, status: number): Sent;
}

/** The result of a message after a failed call. */
export function sentAfter(error: unknown, service: string, { signal, refused }: CallReading): Sent {
  const { status, description = "", afterMs } = chatFaultOf(error);
  if (status === undefined) return faultOf(error, { signal, secrets: [] });
  if (status !== 429 && status < 500) return refused(description, status);
  const reason = `${service} answered ${status}${description === "" ? "" : `: ${description}`}`;
  // A rate limit is for the whole destination.
  return present({ result: "retry", reason, afterMs, destinationDown: true });
}
