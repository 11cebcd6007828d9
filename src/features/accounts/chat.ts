import type { ChatAnswer, ChatPart, ChatTurn } from "../../kernel/chat.ts";
import { inLanguages } from "../../platform/language.ts";
import { literal } from "../../platform/markup/literal.ts";
import { setProfile } from "./operations/profile.ts";

export const accountsChat: ChatPart = {
  commands: [
    {
      name: "timezone",
      aliases: ["시간대"],
      texts: {
        en: { summary: "Show or set the time zone", usage: "[ZONE]" },
        ko: { summary: "시간대를 보거나 바꿉니다", usage: "[시간대]" },
      },
      run: timezone,
    },
  ],
};

/** `/timezone`, `/timezone Asia/Seoul` */
async function timezone(turn: ChatTurn, text: string): Promise<ChatAnswer> {
  const { reader } = turn;
  const texts = textsOf(reader.language);
  const zone = text.trim();
  if (zone === "") return { text: texts.shown(literal(reader.zone)) };
  const { timezone: set } = await turn.request(setProfile, { timezone: zone });
  return { text: texts.changed(literal(set.value)) };
}

const textsOf = inLanguages({
  en: {
    shown: (zone: string) => `Times are read in ${zone}. To change it: /timezone Asia/Seoul`,
    changed: (zone: string) => `Times are read in ${zone} from now on.`,
  },
  ko: {
    shown: (zone) => `시각을 ${zone} 기준으로 읽습니다. 바꾸려면: /timezone Asia/Seoul`,
    changed: (zone) => `이제부터 시각을 ${zone} 기준으로 읽습니다.`,
  },
});
