import { createHash } from "node:crypto";
import {
  type Channel,
  type Message,
  type Sent,
  stopped,
} from "../../features/notifications/index.ts";
import { messageOf } from "../../platform/errors.ts";
import { type Json, present } from "../../platform/json.ts";
import { readMarkdown } from "../../platform/markup/read.ts";
import { visible, type Rich } from "../../platform/markup/runs.ts";
import { splitRich } from "../../platform/markup/split.ts";
import { textParts, type PartLimits } from "../../platform/text-parts.ts";
import { cut, oneLine } from "../../platform/text.ts";
import type { TextFile } from "./text-file.ts";

/** The text of one part: as it is sent, and as people see it. */
export interface Piece {
  readonly text: string;
  readonly plain: string;
  /** Sent as a file, with the text as its caption. */
  readonly file?: TextFile;
}

/** One part of a message; its text is as it is sent. */
export interface Part extends Message {
  /** As people see it. */
  readonly plain: string;
  readonly file?: TextFile;
  /** From 1. */
  readonly part: number;
  readonly of: number;
  /** Of the parts before it. */
  readonly receipts: readonly Json[];
  readonly fullMessage: Message;
}

/** Splits a message. The same message gives the same pieces. */
export type Split = (message: Message) => readonly Piece[];

/** For a medium without formatting. */
export function plainPieces(limits: PartLimits): Split {
  return (message) => textParts(message.text, limits).map((text) => ({ text, plain: text }));
}

/** For a medium with formatting: the text is Markdown; the limit is on the text that is sent. */
export function richPieces(sizeMax: number, write: (rich: Rich) => string): Split {
  return ({ text }) => markdownPieces(text, sizeMax, write);
}

export function markdownPieces(
  markdown: string,
  sizeMax: number,
  write: (rich: Rich) => string,
): readonly Piece[] {
  const size = (part: Rich): number => write(part).length;
  return (
    splitRich(readMarkdown(markdown), { sizeMax, size })
      .map((part) => ({ text: write(part), plain: visible(part) }))
      // A part of white space alone would be an empty message.
      .filter(({ plain }) => plain.trim() !== "")
  );
}

const nothing = "the message has no visible text: write some";
const receiptCharsMax = 300;

/**
 * Sends a long message in parts, in order, each under its own id. Progress is saved before the next
 * part is sent, so that a retry continues with the part that failed. After the last part the
 * delivery itself is saved.
 */
export function inParts(
  split: Split,
  sendPart: (part: Part, signal: AbortSignal) => Promise<Sent>,
): Channel["send"] {
  return async (message, { signal, progress, save }) => {
    const pieces = split(message);
    if (pieces.length === 0) return { result: "rejected", reason: nothing };
    const [only] = pieces;
    if (only !== undefined && pieces.length === 1) {
      return sendPart(
        partOf(message, only, { index: 0, of: 1, triedLast: 0, receipts: [] }),
        signal,
      );
    }
    const text = digestOf(pieces);
    const { done: earlier, isAgain } = knownParts(progress, text);
    const done = earlier.slice(0, pieces.length);
    const first = done.length;
    // Later parts were never sent.
    const triedLast = isAgain ? pieces.length : first;
    for (const [index, piece] of pieces.entries()) {
      if (index < first) continue;
      const which = `part ${index + 1} of ${pieces.length}`;
      if (signal.aborted) return stopped(`before ${which}`);
      const sent = await sendPart(
        partOf(message, piece, { index, of: pieces.length, triedLast, receipts: [...done] }),
        signal,
      );
      if (sent.result !== "delivered") return { ...sent, reason: `${which}: ${sent.reason}` };
      done.push(short(sent.receipt));
      if (done.length === pieces.length) break;
      try {
        await save(present({ text, done: [...done], isAgain: isAgain || undefined }));
      } catch (error) {
        const reason = `${which} was delivered, but that could not be saved: ${oneLine(messageOf(error), 300)}`;
        return { result: "unknown", reason };
      }
    }
    return { result: "delivered", receipt: done };
  };
}

/** How a chat service takes parts: at what an address names, under one receipt for all of them. */
interface PartsService<To> {
  readonly split: Split;
  /** Throws for an address that cannot be read. */
  read(address: string): To;
  sendPart(part: Part, to: To, signal: AbortSignal): Promise<Sent>;
  receiptOf(address: To, receipts: readonly Json[]): Json;
}

/** `to` is the service's own copy of the address: it may write there that a chat has moved. */
export function sendInParts<To>(service: PartsService<To>): Channel["send"] {
  return async (message, attempt) => {
    let to: To;
    try {
      to = service.read(message.address);
    } catch (error) {
      return { result: "rejected", reason: messageOf(error) };
    }
    const sendPart = (part: Part, signal: AbortSignal): Promise<Sent> =>
      service.sendPart(part, to, signal);
    const sent = await inParts(service.split, sendPart)(message, attempt);
    if (sent.result !== "delivered") return sent;
    const receipts = Array.isArray(sent.receipt) ? sent.receipt : [sent.receipt];
    return {
      result: "delivered",
      receipt: service.receiptOf(service.read(message.address), receipts as readonly Json[]),
    };
  };
}

interface Place {
  /** From 0. */
  readonly index: number;
  /** The last part that an earlier attempt may have sent. */
  readonly triedLast: number;
}

function partOf(
  message: Message,
  piece: Piece,
  { index, triedLast, ...place }: Pick<Part, "of" | "receipts"> & Place,
): Part {
  return {
    ...message,
    id: index === 0 ? message.id : `${message.id}#${index + 1}`,
    ...piece,
    ...place,
    part: index + 1,
    fullMessage: message,
    maybeRepeat: message.maybeRepeat && index <= triedLast,
  };
}

/** The progress that was saved. After an edit its `done` counts for nothing, and any part may be a repeat. */
function knownParts(progress: Json, text: string): { done: readonly Json[]; isAgain: boolean } {
  const {
    text: earlier = text,
    done,
    isAgain = false,
  } = (progress ?? {}) as {
    text?: string;
    done?: Json;
    isAgain?: boolean;
  };
  if (earlier !== text) return { done: [], isAgain: true };
  return { done: Array.isArray(done) ? (done as readonly Json[]) : [], isAgain };
}

function digestOf(pieces: readonly Piece[]): string {
  const texts = pieces.map(({ text }) => text);
  return createHash("sha256").update(JSON.stringify(texts)).digest("base64url").slice(0, 22);
}

function short(receipt: Json): Json {
  const text = JSON.stringify(receipt);
  return text.length <= receiptCharsMax ? receipt : cut(text, receiptCharsMax);
}
