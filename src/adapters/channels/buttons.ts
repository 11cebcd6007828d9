import {
  type Message,
  type Mark,
  writableTypes,
  messagesIn,
  type Sent,
} from "../../features/notifications/index.ts";
import type { Json } from "../../platform/json.ts";
import type { Language } from "../../platform/language.ts";
import { readMarkdown } from "../../platform/markup/read.ts";
import { visible, type Rich } from "../../platform/markup/runs.ts";
import { splitRich } from "../../platform/markup/split.ts";

/** A button under a message. */
export interface Button {
  readonly label: string;
  /** Sent back when it is pressed: at most 64 bytes. */
  readonly data: string;
}

/** In the order of the buttons. */
const actions = ["done", "10m", "1h", "tomorrow"] as const;

const labels: Record<Language, Record<(typeof actions)[number], string>> = {
  en: { done: "Done", "10m": "10 min", "1h": "1 hour", tomorrow: "Tomorrow" },
  ko: { done: "완료", "10m": "10분", "1h": "1시간", tomorrow: "내일" },
};

/** The smallest limit of the chats (Telegram's). */
const dataBytesMax = 64;

/** The buttons of reminders and nags. Messages of the system and of runs have none. */
export function buttonsFor({ id, type, language }: Message): readonly Button[] {
  const hasButtons = type === "nag" || writableTypes.some((each) => each === type);
  const buttons = actions.map((action) => ({
    label: labels[language][action],
    data: `${action}:${id}`,
  }));
  const isShort = buttons.every(({ data }) => Buffer.byteLength(data) <= dataBytesMax);
  return hasButtons && isShort ? buttons : [];
}

interface Medium {
  /** What a part that is sent may carry, and one that is edited. */
  readonly sizeMax: number;
  readonly editedMax?: number;
  write(rich: Rich): string;
}

/** Marks around a stretch may be written anew where it is cut. */
const cutMax = 64;

/** The last part as it was sent: it has the buttons. */
export function lastPart({ text }: Mark, { sizeMax, write }: Medium): Rich {
  const size = (part: Rich): number => write(part).length;
  const parts = splitRich(readMarkdown(text), { sizeMax, size });
  return parts.findLast((part) => visible(part).trim() !== "") ?? [];
}

/** The last part with the mark below it. When both do not fit, the part is cut. */
export function markedPart(mark: Mark, medium: Medium): { text: string; plain: string } {
  const { sizeMax, editedMax = sizeMax, write } = medium;
  const last = trimmed(lastPart(mark, medium));
  const under = [{ text: `\n\n${mark.mark}`, marks: [] }];
  const size = (part: Rich): number => write(part).length;
  const combined = [...last, ...under];
  if (size(combined) <= editedMax) return { text: write(combined), plain: visible(combined) };
  const [start = []] = splitRich(last, { sizeMax: editedMax - size(under) - cutMax, size });
  const cut = [...trimmed(start), { text: "…", marks: [] }, ...under];
  return { text: write(cut), plain: visible(cut) };
}

function trimmed(rich: Rich): Rich {
  const last = rich.at(-1);
  if (last === undefined) return rich;
  return [...rich.slice(0, -1), { ...last, text: last.text.trimEnd() }];
}

/** The message with the buttons and its chat, from the channel's receipt. */
export function lastMessage(receipt: Json): { chat: string | number; message: string | number } {
  const { chat, channel } = (receipt ?? {}) as Readonly<Record<string, Json>>;
  const at = chat ?? channel;
  const isName = typeof at === "string" || typeof at === "number";
  return { chat: isName ? at : "", message: messagesIn(receipt).at(-1) ?? "" };
}

export function shownOn(message: string | number): Sent {
  return { result: "delivered", receipt: { marked: message } };
}

/** The message is deleted or may not be edited: nothing is left to do. */
export function missingMessage(reason: string): Sent {
  return { result: "delivered", receipt: { gone: reason } };
}
