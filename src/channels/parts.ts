import { createHash } from "node:crypto";
import { messageOf } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import type { Sent } from "../rules/once/sent.ts";
import { textParts, type PartLimits } from "../rules/text-parts.ts";
import { cut, oneLine } from "../rules/text.ts";
import type { Channel, Message } from "./channel.ts";
import { stopped } from "./stopped.ts";

/** One part of a message: the message itself where it is short. */
export interface Part extends Message {
  /** From 1. */
  readonly part: number;
  readonly of: number;
  readonly whole: Message;
}

/** What is written down between parts. An edit changes the text, and with it what `done` means. */
interface Progress {
  readonly text: string;
  readonly done: readonly Json[];
}

/** Much longer receipts would make a list that nobody reads. */
const receiptCharsMax = 300;

/**
 * Sends a long message in parts, in order, each under its own id. What arrived is written down
 * before the next one goes, so that a retry goes on with the part that failed. The last needs no
 * such note: the delivery itself is written then.
 */
export function inParts(
  limits: PartLimits,
  sendPart: (part: Part, signal: AbortSignal) => Promise<Sent>,
): Channel["send"] {
  return async (message, { signal, progress, save }) => {
    const texts = textParts(message.text, limits);
    if (texts.length === 1) return sendPart({ ...message, part: 1, of: 1, whole: message }, signal);
    const text = digestOf(texts);
    const done = [...doneOf(progress, text)].slice(0, texts.length);
    const first = done.length;
    for (const [index, part] of texts.entries()) {
      if (index < first) continue;
      const which = `part ${index + 1} of ${texts.length}`;
      if (signal.aborted) return stopped(`before ${which}`);
      const sent = await sendPart(partOf(message, part, [index, texts.length, first]), signal);
      if (sent.result !== "delivered") return { ...sent, reason: `${which}: ${sent.reason}` };
      done.push(short(sent.receipt));
      if (done.length === texts.length) break;
      try {
        await save({ text, done: [...done] });
      } catch (error) {
        const reason = `${which} arrived, which could not be written down: ${oneLine(messageOf(error), 300)}`;
        return { result: "unknown", reason };
      }
    }
    return { result: "delivered", receipt: done };
  };
}

function partOf(
  message: Message,
  text: string,
  [index, of, first]: [number, number, number],
): Part {
  return {
    ...message,
    id: index === 0 ? message.id : `${message.id}#${index + 1}`,
    text,
    part: index + 1,
    of,
    whole: message,
    // What comes after the part that was tried last was never tried.
    maybeRepeat: message.maybeRepeat && index === first,
  };
}

function doneOf(progress: Json, text: string): readonly Json[] {
  const { text: earlier, done } = (progress ?? {}) as Partial<Progress>;
  return earlier === text && Array.isArray(done) ? (done as readonly Json[]) : [];
}

function digestOf(texts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("base64url").slice(0, 22);
}

function short(receipt: Json): Json {
  const text = JSON.stringify(receipt);
  return text.length <= receiptCharsMax ? receipt : cut(text, receiptCharsMax);
}
