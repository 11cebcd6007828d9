import { inLanguages } from "../../platform/language.ts";

export const textsOf = inLanguages({
  en: {
    /** The name of the argument, where a chat names it. */
    textOption: "text",
    /** For services that require an answer to everybody. */
    notLinked:
      "You are not linked. Get a code with `daybook person invite`, and send it with /start.",
  },
  ko: {
    textOption: "내용",
    notLinked:
      "아직 연결되지 않았습니다. `daybook person invite`로 받은 코드를 /start 와 함께 보내세요.",
  },
});
