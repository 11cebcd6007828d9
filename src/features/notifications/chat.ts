import type { ChatAnswer, ChatLine, ChatPart, ChatTurn } from "../../kernel/chat.ts";
import { fromIso } from "../../platform/iso-time.ts";
import { inLanguages } from "../../platform/language.ts";
import { literal, shortId } from "../../platform/markup/literal.ts";
import { readTime, splitTime } from "../../time/split.ts";
import { distance } from "../../time/times.ts";
import { list } from "./operations/list.ts";
import { remind } from "./operations/remind.ts";

export const notificationsChat: ChatPart = {
  commands: [
    {
      name: "remind",
      aliases: ["알림"],
      texts: {
        en: { summary: "Send a reminder here, once", usage: "TIME TEXT" },
        ko: { summary: "정한 시각에 여기에서 한 번 알립니다", usage: "시각 내용" },
      },
      run: remindHere,
    },
  ],
  list: upcoming,
};

/** `/remind TIME TEXT` */
async function remindHere(turn: ChatTurn, text: string): Promise<ChatAnswer> {
  const { reader, key } = turn;
  const texts = textsOf(reader.language);
  // "remind me to call Bob tomorrow"
  const request = text.replace(/^me\s+(?:to\s+)?/i, "");
  if (readTime(request, reader) !== undefined) return { text: texts.noText };
  const split = splitTime(request, reader);
  if (!("when" in split)) {
    const problem = split.reason ?? split.past;
    const reason = problem === undefined ? [] : [literal(turn.translate(problem), 400)];
    return { text: [...reason, turn.texts.noTime(texts.example)].join("\n") };
  }
  const made = await turn.request(remind, { message: split.text, at: split.when, key });
  if (made.due === null) return { text: turn.texts.forgotten(shortId(made.id)) };
  const lines = [
    `⏰ ${literal(made.due.text)}`,
    literal(made.message),
    ...(made.due.past ? [texts.past] : []),
    `\`${shortId(made.id)}\``,
  ];
  return { text: lines.join("\n") };
}

async function upcoming(turn: ChatTurn): Promise<readonly ChatLine[]> {
  const { language, now } = turn.reader;
  const { notifications } = await turn.request(list, { limit: 500 });
  return notifications
    .toSorted((a, b) => fromIso(a.due.utc) - fromIso(b.due.utc))
    .map(({ id, due, message, target }) => {
      const when = distance(fromIso(due.utc) - now, language);
      return { target, text: `• ${when}: ${literal(message, 80)} \`${shortId(id)}\`` };
    });
}

const textsOf = inLanguages({
  en: {
    example: "/remind tomorrow 9am call Bob",
    noText: "The text is missing. Write it after the time: /remind tomorrow 9am call Bob",
    past: "That time has passed, so the reminder is sent now.",
  },
  ko: {
    example: "/remind 내일 오후 3시 회의",
    noText: "내용이 없습니다. 시각 뒤에 쓰세요: /remind 내일 오후 3시 회의",
    past: "이미 지난 시각이라 바로 알립니다.",
  },
});
