import type { ChatAnswer, ChatCommand, ChatTurn } from "../../kernel/chat.ts";
import type { Reader } from "../../kernel/operation.ts";
import { fromIso } from "../../platform/iso-time.ts";
import { inLanguages } from "../../platform/language.ts";
import { literal, shortId } from "../../platform/markup/literal.ts";
import { readTime } from "../../time/split.ts";
import { inWords } from "../../time/times.ts";
import { choice, typedSchedule } from "./chat-schedule.ts";
import { pauseSchedule, resumeSchedule } from "./operations/lifecycle.ts";
import { runScheduleNow } from "./operations/runs.ts";
import { textsOf as scheduleTexts } from "./texts.ts";

/** The commands that change a schedule, or run it now. */
export const changeCommands: readonly ChatCommand[] = [
  {
    name: "run",
    aliases: ["바로실행"],
    texts: {
      en: { summary: "Run a schedule now, besides its own times", usage: "SCHEDULE" },
      ko: { summary: "예약을 지금 한 번 실행합니다", usage: "예약" },
    },
    run,
  },
  {
    name: "pause",
    aliases: ["일시정지"],
    texts: {
      en: { summary: "Pause a schedule", usage: "SCHEDULE [until TIME]" },
      ko: { summary: "예약을 일시 정지합니다", usage: "예약 [시각까지]" },
    },
    run: pause,
  },
  {
    name: "resume",
    aliases: ["재개"],
    texts: {
      en: { summary: "Resume a schedule that is paused or disabled", usage: "SCHEDULE" },
      ko: { summary: "일시 정지한 예약을 재개합니다", usage: "예약" },
    },
    run: resume,
  },
];

/** `/run SCHEDULE`, or as a reply to a message of one of its runs. */
async function run(turn: ChatTurn, text: string): Promise<ChatAnswer> {
  const id = await typedSchedule(turn, text);
  if (id === undefined) return { text: await choice(turn, "run") };
  const texts = textsOf(turn.reader.language);
  const ran = await turn.request(runScheduleNow, { id, key: turn.key });
  if (ran.status === "forgotten") return { text: turn.texts.forgotten(shortId(ran.id)) };
  return { text: texts.runs({ name: literal(ran.name), id: shortId(ran.id) }) };
}

/** `/pause SCHEDULE`, `/pause SCHEDULE until friday 9am`, `/pause 예약 금요일 9시까지` */
async function pause(turn: ChatTurn, text: string): Promise<ChatAnswer> {
  const { reader } = turn;
  const { which, until } = pauseIn(text, reader);
  const id = await typedSchedule(turn, which);
  if (id === undefined) return { text: await choice(turn, "pause") };
  const { name, paused_until: end } = await turn.request(pauseSchedule, { id, until });
  const about = {
    name: literal(name),
    until: end === null ? null : literal(inWords(fromIso(end), reader.zone, reader.language)),
  };
  return { text: `⏸ ${scheduleTexts(reader.language).paused(about)}` };
}

function pauseIn(text: string, reader: Reader): { which: string; until: string | undefined } {
  const typed = text.trim();
  const [, which, until] = /^(?:(.*)\s)?until\s+(.+)$/i.exec(typed) ?? [];
  if (until !== undefined) return { which: which ?? "", until };
  const [, korean = ""] = /^(.+)까지$/.exec(typed) ?? [];
  // The longest end that is a time; a name may begin with a word such as "night".
  for (const { index } of korean.matchAll(/\s+/g)) {
    const end = readTime(korean.slice(index).trim(), reader);
    if (end !== undefined) return { which: korean.slice(0, index), until: end };
  }
  return { which: typed, until: undefined };
}

async function resume(turn: ChatTurn, text: string): Promise<ChatAnswer> {
  const id = await typedSchedule(turn, text);
  if (id === undefined) return { text: await choice(turn, "resume") };
  const { name, next } = await turn.request(resumeSchedule, { id });
  const at = next[0]?.text;
  const about = { name: literal(name), next: at === undefined ? null : literal(at) };
  return { text: `▶ ${scheduleTexts(turn.reader.language).resumed(about)}` };
}

const textsOf = inLanguages({
  en: {
    runs: ({ name, id }: { name: string; id: string }) =>
      `▶ ${name} runs now. To see its output: \`/output ${id}\``,
  },
  ko: {
    runs: ({ name, id }) => `▶ ${name}: 지금 실행합니다. 출력 보기: \`/output ${id}\``,
  },
});
