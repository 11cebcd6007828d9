import type { ChatTurn } from "../../kernel/chat.ts";
import { isTypedId } from "../../kernel/typed-id.ts";
import { hasCode } from "../../platform/errors.ts";
import { fromIso } from "../../platform/iso-time.ts";
import { inLanguages } from "../../platform/language.ts";
import { literal, shortId } from "../../platform/markup/literal.ts";
import { distance } from "../../time/times.ts";
import { commonTexts } from "../accounts/index.ts";
import { repliedRun } from "../tasks/index.ts";
import { scheduleKind } from "./kind.ts";
import { searchSchedules } from "./operations/search.ts";
import type { ScheduleLine } from "./operations/view.ts";

/**
 * The schedule that a command names by its name, its id or the end of that; without one, the schedule of the run that
 * was replied to.
 */
export async function typedSchedule(turn: ChatTurn, text: string): Promise<string | undefined> {
  const typed = text.trim();
  if (typed === "") return (await repliedRun(turn))?.body.slot?.schedule;
  if (!isTypedId(typed)) return typed;
  try {
    return (await turn.find(typed, [scheduleKind])).id;
  } catch (error) {
    if (!hasCode(error, "not_found")) throw error;
    return typed;
  }
}

/** The answer to a command that names no schedule: a list of all. */
export async function choice(turn: ChatTurn, command: string): Promise<string> {
  const texts = textsOf(turn.reader.language);
  const { schedules } = await turn.request(searchSchedules, { limit: 20 });
  if (schedules.length === 0) return texts.noSchedules;
  const states = commonTexts(turn.reader.language);
  const lines = schedules.map((schedule) => {
    const { name, last_run_status: state } = schedule;
    return lineOf(turn, schedule, { name: literal(name, 60), state: state && states.state(state) });
  });
  return [texts.which(command), ...lines].join("\n");
}

export function lineOf(
  { reader }: ChatTurn,
  { id, when, next_run_at: at }: ScheduleLine,
  { name, state }: { readonly name: string; readonly state: string | null },
): string {
  const { language, now } = reader;
  const next = at === null ? "" : textsOf(language).nextIn(distance(fromIso(at) - now, language));
  const last = state === null ? "" : ` (${state})`;
  return `↻ ${name}: ${literal(when)}${next}${last} \`${shortId(id)}\``;
}

const textsOf = inLanguages({
  en: {
    nextIn: (distance: string) => `, next ${distance}`,
    noSchedules: "There are no schedules.",
    which: (command: string) => `Which schedule? Write its id or name after /${command}:`,
  },
  ko: {
    nextIn: (distance) => `, 다음 ${distance}`,
    noSchedules: "예약이 없습니다.",
    which: (command) => `어느 예약인가요? /${command} 뒤에 ID나 이름을 쓰세요:`,
  },
});
