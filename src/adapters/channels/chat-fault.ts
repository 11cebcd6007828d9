import type { Sent } from "../../features/notifications/receipt.ts";
import { toErrorData } from "../../platform/errors.ts";
import { faultOf } from "./post.ts";

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

interface Asked {
  /** The service's name. */
  readonly service: string;
  readonly signal: AbortSignal;
  /** What its own no means. */
  refused(said: string, status: number): Sent;
}

/** What a failed call means for a message. */
export function sentAfter(error: unknown, { service, signal, refused }: Asked): Sent {
  const { status, said = "", afterMs } = chatFaultOf(error);
  if (status === undefined) return faultOf(error, { signal, secrets: [] });
  if (status !== 429 && status < 500) return refused(said, status);
  const reason = `${service} answered ${status}${said === "" ? "" : `: ${said}`}`;
  const rest = afterMs === undefined ? {} : { afterMs };
  // "Too many" is said of everything that goes there.
  return { result: "retry", reason, ...rest, destinationDown: true };
}
