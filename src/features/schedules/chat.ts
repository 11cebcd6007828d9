import type { ChatAnswer, ChatLine, ChatPart, ChatTurn } from "../../kernel/chat.ts";
import { isTypedId } from "../../kernel/typed-id.ts";
import { hasCode } from "../../platform/errors.ts";
import { fromIso } from "../../platform/iso-time.ts";
import { inLanguages } from "../../platform/language.ts";
import { literal, shortId } from "../../platform/markup/literal.ts";
import { splitEvery } from "../../time/split.ts";
import { distance, inWords, withGuess } from "../../time/times.ts";
import { commonTexts } from "../accounts/index.ts";
import { localRunners, repliedRun, statusLabel } from "../tasks/index.ts";
import { scheduleKind } from "./kind.ts";
import { createSchedule } from "./operations/create.ts";
import { deleteSchedule } from "./operations/lifecycle.ts";
import { scheduleRuns } from "./operations/runs.ts";
import { searchSchedules } from "./operations/search.ts";
import type { ScheduleLine } from "./operations/view.ts";

export const schedulesChat: ChatPart = {
  commands: [
    {
      name: "every",
      aliases: ["반복"],
      texts: {
        en: {
          summary: "Let an agent do something on a schedule, and send the result here",
          usage: "WHEN GOAL",
        },
        ko: { summary: "에이전트가 되풀이해 일하고 결과를 여기에 알립니다", usage: "주기 할일" },
      },
      run: every,
    },
    {
      name: "runs",
      aliases: ["실행"],
      texts: {
        en: { summary: "Show a schedule's runs", usage: "[SCHEDULE]" },
        ko: { summary: "예약의 실행 내역을 봅니다", usage: "[예약]" },
      },
      run: runs,
    },
  ],
  cancels: [{ kinds: [scheduleKind], cancel }],
  list: upcoming,
};

/** `/every WHEN GOAL` */
async function every(turn: ChatTurn, text: string): Promise<ChatAnswer> {
  const { reader, key } = turn;
  const texts = textsOf(reader.language);
  if (turn.use(localRunners).agent !== true) return { text: texts.noAgent };
  const split = splitEvery(text, reader);
  if (!("when" in split)) {
    const reason = split.reason === undefined ? [] : [literal(turn.translate(split.reason), 400)];
    return { text: [...reason, texts.noCadence].join("\n") };
  }
  const run = { agent: split.text };
  const made = await turn.request(createSchedule, { when: split.when, run, key });
  if (made.name === undefined) return { text: turn.texts.forgotten(shortId(made.id)) };
  const next = made.next?.[0]?.text;
  const lines = [
    `↻ ${literal(withGuess(made.when ?? split.when, made, reader.language))}`,
    literal(made.name),
    ...(next === undefined ? [] : [texts.next(literal(next))]),
    `\`${shortId(made.id)}\``,
  ];
  return { text: lines.join("\n") };
}

/** `/runs SCHEDULE`; without one, the schedule of the run that was replied to, or a list of all. */
async function runs(turn: ChatTurn, text: string): Promise<ChatAnswer> {
  const { language, zone } = turn.reader;
  const typed = text.trim();
  const id =
    typed === "" ? (await repliedRun(turn))?.body.slot?.schedule : await typedId(turn, typed);
  if (id === undefined) return { text: await choice(turn) };
  const { name, runs: found } = await turn.request(scheduleRuns, { id, limit: 10 });
  const title = `**${literal(name)}**`;
  if (found.length === 0) return { text: `${title}\n${textsOf(language).noRuns}` };
  const common = commonTexts(language);
  const lines = found.map(({ id: run, slot, reason, output_summary: summary, ...rest }) => {
    const when = slot === null ? "" : literal(inWords(fromIso(slot), zone, language));
    const state = literal(common.state(statusLabel(rest)));
    const result = literal(reason === null ? (summary ?? "") : common.reason(reason), 80);
    return `• ${when} ${state}${result === "" ? "" : `: ${result}`} \`${shortId(run)}\``;
  });
  return { text: [title, ...lines].join("\n") };
}

/** The id of a schedule by its name, its id or the end of that. */
async function typedId(turn: ChatTurn, typed: string): Promise<string> {
  if (!isTypedId(typed)) return typed;
  try {
    return (await turn.find(typed, [scheduleKind])).id;
  } catch (error) {
    if (!hasCode(error, "not_found")) throw error;
    return typed;
  }
}

async function choice(turn: ChatTurn): Promise<string> {
  const texts = textsOf(turn.reader.language);
  const { schedules } = await turn.request(searchSchedules, { limit: 20 });
  if (schedules.length === 0) return texts.noSchedules;
  const states = commonTexts(turn.reader.language);
  const lines = schedules.map((schedule) => {
    const { name, last_run_status: state } = schedule;
    return lineOf(turn, schedule, { name: literal(name, 60), state: state && states.state(state) });
  });
  return [texts.which, ...lines].join("\n");
}

async function upcoming(turn: ChatTurn): Promise<readonly ChatLine[]> {
  const { schedules } = await turn.request(searchSchedules, { limit: 50 });
  return schedules.map((schedule) => {
    const name = literal(schedule.name, 60);
    return { target: schedule.target, text: lineOf(turn, schedule, { name, state: null }) };
  });
}

function lineOf(
  { reader }: ChatTurn,
  { id, when, next_run_at: at }: ScheduleLine,
  { name, state }: { readonly name: string; readonly state: string | null },
): string {
  const { language, now } = reader;
  const next = at === null ? "" : textsOf(language).nextIn(distance(fromIso(at) - now, language));
  const last = state === null ? "" : ` (${state})`;
  return `↻ ${name}: ${literal(when)}${next}${last} \`${shortId(id)}\``;
}

async function cancel(turn: ChatTurn, id: string): Promise<ChatAnswer> {
  const { name } = await turn.request(deleteSchedule, { id });
  return { text: textsOf(turn.reader.language).deleted(literal(name)) };
}

const textsOf = inLanguages({
  en: {
    noAgent:
      "No agent is configured here, so it cannot run instructions in plain words. Ask whoever operates Daybook to set `runners.agent`.",
    noCadence:
      "How often is missing at the beginning or the end. Example:\n/every weekday 9am read me the news",
    next: (when: string) => `Next: ${when}`,
    nextIn: (distance: string) => `, next ${distance}`,
    noRuns: "The schedule has not run yet.",
    noSchedules: "There are no schedules.",
    which: "Which schedule? Write its id or name after /runs:",
    deleted: (name: string) => `✗ Schedule deleted: ${name}`,
  },
  ko: {
    noAgent:
      "설정된 에이전트가 없어 말로 일을 시킬 수 없습니다. Daybook 운영자에게 `runners.agent` 설정을 요청하세요.",
    noCadence:
      "처음이나 끝에 얼마나 자주 할지 쓰여 있지 않습니다. 이렇게 쓰세요:\n/every 평일 오전 9시 뉴스 요약",
    next: (when) => `다음: ${when}`,
    nextIn: (distance) => `, 다음 ${distance}`,
    noRuns: "아직 실행하지 않았습니다.",
    noSchedules: "예약이 없습니다.",
    which: "어느 예약인가요? /runs 뒤에 ID나 이름을 쓰세요:",
    deleted: (name) => `✗ 예약을 삭제했습니다: ${name}`,
  },
});
