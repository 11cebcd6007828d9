import { type Json, present } from "../../platform/json.ts";
import { cut, quote } from "../../platform/text.ts";

/** The result of one attempt, as a channel reports it. */
export type Sent =
  | { readonly result: "delivered"; readonly receipt: Json }
  /** Not delivered; another attempt may be. */
  | {
      readonly result: "retry";
      readonly reason: string;
      readonly afterMs?: number;
      readonly destinationDown?: boolean;
    }
  /** Not delivered, and never will be. */
  | { readonly result: "rejected"; readonly reason: string }
  /** Possibly delivered: no response arrived. */
  | { readonly result: "unknown"; readonly reason: string }
  /** No listener was attached. It waits for one; `maybe`: a listener may have shown it. */
  | { readonly result: "absent"; readonly reason: string; readonly maybe: boolean };

const reasonCharsMax = 1_000;
const receiptCharsMax = 16_000;

/** A result of each kind, as `send` must return it. */
const forms = {
  delivered: '{ result: "delivered", receipt: … }',
  retry: '{ result: "retry", reason: "…" }',
  rejected: '{ result: "rejected", reason: "…" }',
  unknown: '{ result: "unknown", reason: "…" }',
  absent: '{ result: "absent", reason: "…", maybe: false }',
} as const satisfies Record<Sent["result"], string>;
/** The results of channels that people write; `absent` is for listeners. */
const written = `${forms.delivered}, ${forms.retry}, ${forms.rejected} or ${forms.unknown}`;

/** What is wrong with an answer of a channel, and what it must be; undefined: nothing. */
export function answerProblem(answer: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null) {
    const type = typeof answer;
    const isNothing = answer === null || type === "undefined";
    return `send returned ${isNothing ? String(answer) : `a ${type}`}: it must return ${written}`;
  }
  const { result, ...parts } = answer as Readonly<Record<string, unknown>>;
  if (typeof result !== "string" || !Object.hasOwn(forms, result)) {
    const seen = typeof result === "string" ? `the result ${quote(result)}` : "no result";
    return `send returned an object with ${seen}: it must return ${written}`;
  }
  const form = forms[result as Sent["result"]];
  const needed = result === "delivered" ? "receipt" : "reason";
  const value = parts[needed];
  if (result === "delivered" ? value !== undefined : typeof value === "string") {
    const { afterMs } = parts;
    if (afterMs === undefined || typeof afterMs === "number") return undefined;
    return `send returned an "afterMs" that is a ${typeof afterMs}: it must be a number of milliseconds`;
  }
  const advice = needed === "receipt" ? "any JSON, or null" : "a text";
  return `send returned "${result}" without a ${needed} (${advice}): it must return ${form}`;
}

/** Reads the result of a channel. A plugin's channel may return anything. */
export function readSent(answer: unknown): Sent {
  const sent = (typeof answer === "object" ? (answer ?? {}) : {}) as Partial<
    Sent & { result: "retry" }
  >;
  const reason = cut(
    typeof sent.reason === "string" ? sent.reason : "no reason was given",
    reasonCharsMax,
  );
  switch (sent.result as string) {
    case "delivered":
      return {
        result: "delivered",
        receipt: readReceipt((answer as { receipt?: unknown }).receipt),
      };
    case "rejected":
      return { result: "rejected", reason };
    case "unknown":
      return { result: "unknown", reason };
    case "absent":
      return { result: "absent", reason, maybe: (answer as { maybe?: unknown }).maybe === true };
    case "retry": {
      const afterMs = typeof sent.afterMs === "number" ? sent.afterMs : undefined;
      const destinationDown = sent.destinationDown === true ? true : undefined;
      return present({ result: "retry", reason, afterMs, destinationDown });
    }
    default:
      return { result: "unknown", reason: answerProblem(answer) ?? "send returned no result" };
  }
}

function readReceipt(receipt: unknown): Json {
  try {
    const text = JSON.stringify(receipt ?? null);
    if (text.length <= receiptCharsMax) return JSON.parse(text) as Json;
    return { tooLong: text.length, start: cut(text, 200) };
  } catch {
    return { unreadable: true };
  }
}

/** The result of a channel that was aborted before it sent anything. */
export function stopped(when = "before anything was sent"): Sent {
  return { result: "retry", reason: `told to stop ${when}` };
}
