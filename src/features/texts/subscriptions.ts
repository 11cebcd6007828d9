import type { Language } from "../../platform/language.ts";

/** What is said of who hears of changes. */
export interface SubscriptionTexts {
  added(about: { id: string; secret: string; isFresh: boolean }): string;
  readonly none: string;
  /** Why the last change did not arrive; null: it did. */
  line(about: {
    id: string;
    state: string;
    url: string;
    kinds: string;
    seq: number;
    reason: string | null;
  }): string;
  readonly deleted: string;
  resumed(seq: number): string;
  replayed(from: number): string;
}

const en: SubscriptionTexts = {
  added: ({ id, secret, isFresh }) =>
    `${isFresh ? "Subscribed" : "Subscribed before"}: ${id}\nSecret that signs what is sent: ${secret}`,
  none: "Nobody hears of changes.",
  line: ({ id, state, url, kinds, seq, reason }) =>
    `${id}  ${state === "paused" ? "rests" : "active"}  ${url}  ${kinds}  #${seq}${reason === null ? "" : `  ${reason}`}`,
  deleted: "Deleted. Nothing more is told.",
  resumed: (seq) => `It goes on after #${seq}.`,
  replayed: (from) => `All from #${from} on is told again.`,
};

const ko: SubscriptionTexts = {
  added: ({ id, secret, isFresh }) =>
    `${isFresh ? "구독했습니다" : "이미 구독했습니다"}: ${id}\n보내는 내용에 서명하는 비밀 키: ${secret}`,
  none: "변경을 알리는 곳이 없습니다.",
  line: ({ id, state, url, kinds, seq, reason }) =>
    `${id}  ${state === "paused" ? "멈춤" : "활성"}  ${url}  ${kinds}  #${seq}${reason === null ? "" : `  ${reason}`}`,
  deleted: "삭제했습니다. 더는 알리지 않습니다.",
  resumed: (seq) => `#${seq} 다음부터 이어집니다.`,
  replayed: (from) => `#${from}부터 다시 알립니다.`,
};

export function subscriptionsIn(language: Language): SubscriptionTexts {
  return { en, ko }[language];
}
