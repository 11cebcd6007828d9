import type { ChatAnswer, ChatLine, ChatPart, ChatTurn } from "../../kernel/chat.ts";
import { fromIso } from "../../platform/iso-time.ts";
import { inLanguages } from "../../platform/language.ts";
import { literal, shortId } from "../../platform/markup/literal.ts";
import { readTime, splitTime } from "../../time/split.ts";
import { distance } from "../../time/times.ts";
import { nag } from "./operations/create.ts";
import { listNags } from "./operations/nags.ts";
import { textsOf as nagTexts } from "./texts.ts";

export const nagsChat: ChatPart = {
  commands: [
    {
      name: "nag",
      aliases: ["재촉"],
      texts: {
        en: {
          summary: "Send a reminder here again and again, until it is done",
          usage: "[TIME] TEXT",
        },
        ko: { summary: "완료할 때까지 여기에서 반복해서 알립니다", usage: "[시각] 내용" },
      },
      run: nagHere,
    },
  ],
  list: liveNags,
};

/** `/nag TIME TEXT`; without a time it starts at once. */
async function nagHere(turn: ChatTurn, text: string): Promise<ChatAnswer> {
  const { reader, key } = turn;
  const texts = textsOf(reader.language);
  // "nag me to pay the rent tomorrow"
  const request = text.trim().replace(/^me\s+(?:to\s+)?/i, "");
  if (request === "" || readTime(request, reader) !== undefined) return { text: texts.noText };
  const split = splitTime(request, reader);
  if (!("when" in split) && split.reason !== undefined) {
    return {
      text: [literal(turn.translate(split.reason), 400), turn.texts.noTime(texts.example)].join(
        "\n",
      ),
    };
  }
  const input = "when" in split ? { message: split.text, at: split.when } : { message: request };
  const made = await turn.request(nag, { ...input, key });
  if (made.title === undefined) return { text: turn.texts.forgotten(shortId(made.id)) };
  const when = literal(made.next?.text ?? "");
  const first = texts.created({ when, curve: literal(made.curve ?? "") });
  return { text: [first, literal(made.title), `\`${shortId(made.id)}\``].join("\n") };
}

async function liveNags(turn: ChatTurn): Promise<readonly ChatLine[]> {
  const { language, now } = turn.reader;
  const { nags } = await turn.request(listNags, { limit: 100 });
  return nags.map(({ id, next, title, said, target }) => {
    const when = next === null ? "" : `${distance(fromIso(next.utc) - now, language)}: `;
    const count = nagTexts(language).sentTimes(said);
    return { target, text: `🔁 ${when}${literal(title, 80)} (${count}) \`${shortId(id)}\`` };
  });
}

const textsOf = inLanguages({
  en: {
    example: "/nag the 25th pay rent",
    noText: "The text is missing. Example:\n/nag the 25th pay rent",
    created: ({ when, curve }: { when: string; curve: string }) =>
      `🔁 ${when}, until it is done (${curve})`,
  },
  ko: {
    example: "/nag 25일 오전 9시 월세 내기",
    noText: "내용이 없습니다. 이렇게 쓰세요:\n/nag 25일 오전 9시 월세 내기",
    created: ({ when, curve }) => `🔁 ${when}, 완료할 때까지 알립니다 (${curve})`,
  },
});
