import type { Catalogue } from "../../platform/sentences.ts";

export const ko: Catalogue = {
  "That time has passed: choose a later one, or none.":
    "이미 지난 시각입니다. 더 늦은 시각을 쓰거나 빼세요.",
  "The reason is longer than {max} characters: shorten it.": "이유가 {max}자를 넘습니다. 줄이세요.",
};
