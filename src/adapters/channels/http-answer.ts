import type { Sent } from "../../features/notifications/receipt.ts";
import { retryAfterMs } from "../../platform/fetch.ts";
import { hide } from "../../platform/redact.ts";
import { oneLine } from "../../platform/text.ts";

/** An answer over HTTP, as far as it tells what became of a message. */
export interface HttpAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface Reading {
  readonly now: number;
  /** What must not be repeated. */
  readonly secrets: readonly string[];
  /** What to do about a status, beside what the receiver says. */
  readonly advice?: Readonly<Record<number, string>> | undefined;
}

const saidCharsMax = 200;

/** Not the message is wrong, but the moment. */
const momentary: readonly number[] = [408, 409, 425, 429];

/** What an answer without success means; nothing when it is a success. */
export function refusalOf(answer: HttpAnswer, reading: Reading): Sent | undefined {
  const { status } = answer;
  if (status >= 200 && status < 300) return undefined;
  if (status === 410) return { result: "rejected", reason: "the receiver is gone" };
  if (status < 400) {
    const toDo = "redirects are not followed, so set the URL to where it is now";
    return { result: "rejected", reason: `the receiver answered ${status}: ${toDo}` };
  }
  const said = oneLine(hide(textOf(answer), reading.secrets), saidCharsMax);
  const advice = reading.advice?.[status] ?? "";
  const reason = [`the receiver answered ${status}`, advice, said].filter(Boolean).join(": ");
  if (status < 500 && !momentary.includes(status)) return { result: "rejected", reason };
  const afterMs = retryAfterMs(answer.headers["retry-after"], reading.now);
  return {
    result: "retry",
    reason,
    ...(afterMs === undefined ? {} : { afterMs }),
    // "Too many" is said of everything that goes there.
    ...(status === 429 || status >= 500 ? { destinationDown: true } : {}),
  };
}

/** The id that the receiver gave to what it took, if its answer says one. */
export function idIn(answer: HttpAnswer, { secrets }: Reading): string | undefined {
  try {
    const said: unknown = JSON.parse(hide(textOf(answer), secrets));
    const { id } = (said ?? {}) as { id?: unknown };
    if (typeof id !== "string" && typeof id !== "number") return undefined;
    return oneLine(String(id), saidCharsMax) || undefined;
  } catch {
    return undefined;
  }
}

function textOf({ body }: HttpAnswer): string {
  return new TextDecoder().decode(body);
}
