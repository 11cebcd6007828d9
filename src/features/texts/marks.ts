import type { Language } from "../../platform/language.ts";

/** What a message that was sent shows of its new state, in place of its buttons. */
export interface MarkTexts {
  readonly done: string;
  snoozed(when: string): string;
  readonly paused: string;
  /** Taken back, or deleted: it is not said again. */
  readonly cancelled: string;
}

const en: MarkTexts = {
  done: "✓ Done",
  snoozed: (when) => `⏰ Put off: ${when}`,
  paused: "⏸ Paused",
  cancelled: "✗ Cancelled",
};

const ko: MarkTexts = {
  done: "✓ 완료",
  snoozed: (when) => `⏰ 미룸: ${when}`,
  paused: "⏸ 멈춤",
  cancelled: "✗ 취소",
};

export function marksIn(language: Language): MarkTexts {
  return { en, ko }[language];
}
