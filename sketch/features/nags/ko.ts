import type { Texts } from "./en.ts";

export const ko: Texts = {
  nags: ({ text }) => `끝날 때까지 알립니다: ${text}`,
  sentSoFar: ({ count }) => `지금까지 ${count}번 보냈습니다.`,
};
