import type { Message } from "../../features/notifications/channel.ts";
import { writableTypes } from "../../features/notifications/kind.ts";
import type { Language } from "../../platform/language.ts";

/** Something to press under a message. */
export interface Button {
  readonly label: string;
  /** What is heard when it is pressed: at most 64 bytes. */
  readonly data: string;
}

/** What can be done with a reminder, in this order. */
const actions = ["done", "10m", "1h", "tomorrow"] as const;

const labels: Record<Language, Record<(typeof actions)[number], string>> = {
  en: { done: "Done", "10m": "10 min", "1h": "1 hour", tomorrow: "Tomorrow" },
  ko: { done: "완료", "10m": "10분", "1h": "1시간", tomorrow: "내일" },
};

/** The least that a chat takes. */
const dataBytesMax = 64;

/** What stands under what people asked for. What the system or a run says has nothing to press. */
export function buttonsFor({ id, type, language }: Message): readonly Button[] {
  const isAsked = type === "nag" || writableTypes.some((each) => each === type);
  const buttons = actions.map((action) => ({
    label: labels[language][action],
    data: `${action}:${id}`,
  }));
  const isShort = buttons.every(({ data }) => Buffer.byteLength(data) <= dataBytesMax);
  return isAsked && isShort ? buttons : [];
}
