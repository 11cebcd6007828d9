import { createHash } from "node:crypto";
import {
  type Channel,
  type Message,
  type Sent,
  stopped,
} from "../../features/notifications/index.ts";
import { messageOf } from "../../platform/errors.ts";
import { type Json, present } from "../../platform/json.ts";
import { inLanguages } from "../../platform/language.ts";
import { shortId } from "../../platform/markup/literal.ts";
import { readMarkdown } from "../../platform/markup/read.ts";
import { visible, type Rich } from "../../platform/markup/runs.ts";
import { splitRich } from "../../platform/markup/split.ts";
import { textParts, type PartLimits } from "../../platform/text-parts.ts";
import { cut, oneLine } from "../../platform/text.ts";

/** The text of one part: as it is sent, and as people see it. */
export interface Piece {
  readonly text: string;
  readonly plain: string;
  /** Sent as a file, with the text as its caption. */
  readonly file?: TextFile;
}

export interface TextFile {
  readonly name: string;
  readonly content: string;
}

/** One part of a message; its text is as it is sent. */
export interface Part extends Message {
  /** As people see it. */
  readonly plain: string;
  readonly file?: TextFile;
  /** From 1. */
  readonly part: number;
  readonly of: number;
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
      return sendPart(partOf(message, only, [0, 1, 0]), signal);
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
        partOf(message, piece, [index, pieces.length, triedLast]),
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

/** The most messages of one text in a chat, unless the settings have another number. */
const messagesMaxDefault = 20;

interface LengthLimits {
  /** The most messages of one text. */
  readonly messagesMax?: number | undefined;
  /** The most characters of one of them. */
  readonly charsMax: number;
  /** The channel sends files. */
  readonly hasFiles?: boolean;
}

/**
 * Splits a text that needs too many messages into its beginning and a file with all of it. Without files, the last
 * message names the command that shows the rest.
 */
export function withinMessages(split: Split, limits: LengthLimits): Split {
  const { messagesMax = messagesMaxDefault, charsMax, hasFiles = false } = limits;
  return (message) => {
    const { text, follows } = message;
    // A text so long needs too many: splitting all of it would take long.
    const isTooLong = text.length > 2 * charsMax * messagesMax;
    const start = isTooLong ? text.slice(0, charsMax * messagesMax).toWellFormed() : text;
    const pieces = split({ ...message, text: start });
    if (!isTooLong && pieces.length <= messagesMax) return pieces;
    const texts = textsOf(message.language);
    const name = follows === undefined ? "output" : `output-${shortId(follows)}`;
    if (hasFiles) {
      const file = { name: `${name}.txt`, content: text };
      return [...pieces.slice(0, 1), { text: texts.file, plain: texts.file, file }];
    }
    const rest = follows === undefined ? texts.cut : texts.rest(shortId(follows));
    return [...pieces.slice(0, messagesMax - 1), ...split({ ...message, text: rest })];
  };
}

const textsOf = inLanguages({
  en: {
    file: "The complete text",
    cut: "… The rest is too long for this chat.",
    rest: (id: string) => `… The rest: \`/output ${id}\``,
  },
  ko: {
    file: "전체 내용",
    cut: "… 나머지는 너무 길어 여기에 보낼 수 없습니다.",
    rest: (id) => `… 나머지 보기: \`/output ${id}\``,
  },
});

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

function partOf(
  message: Message,
  piece: Piece,
  [index, of, triedLast]: [number, number, number],
): Part {
  return {
    ...message,
    id: index === 0 ? message.id : `${message.id}#${index + 1}`,
    ...piece,
    part: index + 1,
    of,
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
