import type { Json } from "../../platform/json.ts";
import { cut } from "../../platform/text.ts";

/** What a channel says of one attempt. */
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
  /** Perhaps delivered: the answer did not come. */
  | { readonly result: "unknown"; readonly reason: string }
  /** Nobody was there to hear it. It waits for as long as that takes; `maybe`: it may have been heard. */
  | { readonly result: "absent"; readonly reason: string; readonly maybe: boolean };

const reasonCharsMax = 1_000;
const receiptCharsMax = 16_000;

/** What a channel answered, made readable: it is a stranger's code, and may answer anything. */
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
      const { afterMs, destinationDown } = sent;
      return {
        result: "retry",
        reason,
        ...(typeof afterMs === "number" ? { afterMs } : {}),
        ...(destinationDown === true ? { destinationDown } : {}),
      };
    }
    default:
      return { result: "unknown", reason: "the channel's answer could not be read" };
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

/** The answer of a channel that was told to stop while nothing had gone out. */
export function stopped(when = "before anything was sent"): Sent {
  return { result: "retry", reason: `told to stop ${when}` };
}
