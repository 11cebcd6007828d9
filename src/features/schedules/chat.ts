import type { ChatAnswer, ChatLine, ChatPart, ChatTurn } from "../../kernel/chat.ts";
import { fromIso } from "../../platform/iso-time.ts";
import { inLanguages } from "../../platform/language.ts";
import { literal, shortId } from "../../platform/markup/literal.ts";
import { splitEvery } from "../../time/split.ts";
import { inWords, withGuess } from "../../time/times.ts";
import { commonTexts } from "../accounts/index.ts";
import { localRunners, statusLabel } from "../tasks/index.ts";
import { changeCommands } from "./chat-commands.ts";
import { choice, lineOf, typedSchedule } from "./chat-schedule.ts";
import { typedNotify } from "./condition.ts";
import { scheduleKind } from "./kind.ts";
import { createSchedule } from "./operations/create.ts";
import { deleteSchedule } from "./operations/lifecycle.ts";
import { scheduleRuns } from "./operations/runs.ts";
import { searchSchedules } from "./operations/search.ts";
import { textsOf as scheduleTexts } from "./texts.ts";

export const schedulesChat: ChatPart = {
  commands: [
    {
      name: "every",
      aliases: ["반복"],
      texts: {
        en: {
          summary: "Let an agent do something on a schedule, and send the result here",
          usage: "WHEN GOAL [only if …]",
        },
        ko: {
          summary: "에이전트가 반복해서 일하고 결과를 여기에 알립니다",
          usage: "주기 할일 [… 때만]",
        },
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
    ...changeCommands,
  ],
  cancels: [{ kinds: [scheduleKind], cancel }],
  list: upcoming,
};

/** `/every WHEN GOAL` */
async function every(turn: ChatTurn, typed: string): Promise<ChatAnswer> {
  const { reader, key } = turn;
  const texts = textsOf(reader.language);
  if (turn.use(localRunners).agent !== true) return { text: texts.noAgent };
  const { text, notify } = typedNotify(typed);
  const split = splitEvery(text, reader);
  if (!("when" in split)) {
    const reason = split.reason === undefined ? [] : [literal(turn.translate(split.reason), 400)];
    return { text: [...reason, texts.noCadence].join("\n") };
  }
  const run = { agent: split.text };
  const made = await turn.request(createSchedule, { when: split.when, run, notify, key });
  if (made.name === undefined) return { text: turn.texts.forgotten(shortId(made.id)) };
  const next = made.next?.[0]?.text;
  const lines = [
    `↻ ${literal(withGuess(made.when ?? split.when, made, reader.language))}`,
    literal(made.name),
    ...(next === undefined ? [] : [texts.next(literal(next))]),
    ...(made.notify === undefined || made.notify === "always" ? [] : [texts[made.notify]]),
    `\`${shortId(made.id)}\``,
  ];
  return { text: lines.join("\n") };
}

/** `/runs SCHEDULE`; without one, the schedule of the run that was replied to, or a list of all. */
async function runs(turn: ChatTurn, text: string): Promise<ChatAnswer> {
  const { language, zone } = turn.reader;
  const id = await typedSchedule(turn, text);
  if (id === undefined) return { text: await choice(turn, "runs") };
  const { name, runs: found } = await turn.request(scheduleRuns, { id, limit: 10 });
  const title = `**${literal(name)}**`;
  if (found.length === 0) return { text: `${title}\n${textsOf(language).noRuns}` };
  const common = commonTexts(language);
  const lines = found.map(({ id: run, slot, reason, output_summary: summary, ...rest }) => {
    const when = slot === null ? "" : literal(inWords(fromIso(slot), zone, language));
    const state = literal(common.state(statusLabel(rest)));
    const result = literal(reason === null ? (summary ?? "") : common.reason(reason), 80);
    const failed = rest.delivery?.status === "failed" ? (rest.delivery.reason ?? "") : null;
    const warning =
      failed === null ? "" : ` ⚠ ${literal(scheduleTexts(language).notDelivered(failed), 160)}`;
    return `• ${when} ${state}${result === "" ? "" : `: ${result}`}${warning} \`${shortId(run)}\``;
  });
  return { text: [title, ...lines].join("\n") };
}

async function upcoming(turn: ChatTurn): Promise<readonly ChatLine[]> {
  const { schedules } = await turn.request(searchSchedules, { limit: 50 });
  return schedules.map((schedule) => {
    const name = literal(schedule.name, 60);
    return { target: schedule.target, text: lineOf(turn, schedule, { name, state: null }) };
  });
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
    conditional: "The result is sent only if the agent finds a reason to.",
    never: "The result is kept and not sent: see /runs.",
    noRuns: "The schedule has not run yet.",
    deleted: (name: string) => `✗ Schedule deleted: ${name}`,
  },
  ko: {
    noAgent:
      "설정된 에이전트가 없어 말로 일을 시킬 수 없습니다. Daybook 운영자에게 `runners.agent` 설정을 요청하세요.",
    noCadence: "처음이나 끝에 주기가 없습니다. 이렇게 쓰세요:\n/every 평일 오전 9시 뉴스 요약",
    next: (when) => `다음: ${when}`,
    conditional: "에이전트가 알릴 것이 있다고 판단할 때만 결과를 보냅니다.",
    never: "결과를 보내지 않고 보관만 합니다. /runs로 보세요.",
    noRuns: "아직 실행하지 않았습니다.",
    deleted: (name) => `✗ 예약을 삭제했습니다: ${name}`,
  },
});
