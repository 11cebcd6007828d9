import type { Texts } from "./en.ts";

export const ko: Texts = {
  reminds: ({ message, at }) => `${at}에 알림: ${message}`,
  sentTo: ({ target }) => `${target}(으)로 보냅니다.`,
};
