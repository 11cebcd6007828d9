import type { DraftOf } from "../../kernel/unit.ts";
import type { Language } from "../../platform/language.ts";
import { oneLine } from "../../platform/text.ts";
import { inboxOf, makeNotification, type NotificationKind } from "../notifications/index.ts";
import { textsOf } from "./texts.ts";

const linesMax = 10;
const charsMax = 500;

interface NoticeOptions {
  readonly owner: string;
  readonly name: string;
  readonly language: Language;
  readonly now: number;
}

/** One message to the owner's inbox about everything that one pass has to say; none without lines. */
export function noticeOf(
  lines: readonly string[],
  { owner, name, language, now }: NoticeOptions,
): readonly DraftOf<NotificationKind>[] {
  if (lines.length === 0) return [];
  const texts = textsOf(language).notices;
  const left = lines.length - linesMax;
  const shown = lines.slice(0, linesMax).map((line) => oneLine(line, charsMax));
  const message = [
    texts.heading({ name: oneLine(name, 100) }),
    ...shown,
    ...(left > 0 ? [texts.more(left)] : []),
  ].join("\n");
  const target = inboxOf(owner);
  return [
    makeNotification({ message, at: now, atText: "now", target, origin: null, type: "notice" }),
  ];
}
