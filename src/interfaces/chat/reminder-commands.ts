import type { ChatAnswer } from "../../adapters/chats/chat.ts";
import { nagKind, textsOf as nagTexts } from "../../features/nags/index.ts";
import {
  notificationKind,
  textsOf as notificationTexts,
} from "../../features/notifications/index.ts";
import { scheduleKind } from "../../features/schedules/index.ts";
import { taskKind } from "../../features/tasks/index.ts";
import { is } from "../../kernel/kind.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import { fromIso } from "../../platform/iso-time.ts";
import { distance } from "../../time/times.ts";
import { findRecord, isId } from "./find-record.ts";
import { literal, short } from "./literal.ts";
import { readTime, splitTime } from "./time-split.ts";
import type { Turn } from "./turn.ts";

/** One screen. */
const shownMax = 20;

/** `/remind TIME TEXT` */
export async function remind(turn: Turn, words: string): Promise<ChatAnswer> {
  const { look, texts, operations, key } = turn;
  // "remind me to call Bob tomorrow"
  const request = words.replace(/^me\s+(?:to\s+)?/i, "");
  if (readTime(request, look) !== undefined) return { text: texts.noText };
  const split = splitTime(request, look);
  if (!("when" in split)) {
    const reason = split.reason === undefined ? [] : [literal(split.reason, 400)];
    return { text: [...reason, texts.noTime(`/remind ${exampleTime(turn)}`)].join("\n") };
  }
  const made = await turn.ask(operations.remind, { message: split.text, at: split.when, key });
  if (made.due === null) return { text: texts.forgotten(short(made.id)) };
  const { text: when, past } = made.due;
  const about = { when: literal(when), past, id: short(made.id) };
  return { text: texts.planned({ ...about, text: literal(made.message) }) };
}

function exampleTime({ look }: Turn): string {
  return look.language === "ko" ? "내일 오후 3시 회의" : "tomorrow 9am call Bob";
}

/** `/list`, `/list all` */
export async function list(turn: Turn, words: string): Promise<ChatAnswer> {
  const { look, texts, origin, operations } = turn;
  const isAll = /^(all|모두|전체)$/i.test(words.trim());
  const { notifications } = await turn.ask(operations.list, { limit: 500 });
  const { schedules } = await turn.ask(operations.searchSchedules, { limit: 50 });
  const { nags } = await turn.ask(operations.listNags, { limit: 100 });
  const isShown = ({ target }: { target: string }): boolean => isAll || target === origin;
  // Others may read this chat: records with another target are only counted.
  const elsewhere = [...notifications, ...schedules, ...nags].filter(
    (each) => !isShown(each),
  ).length;
  const far = (utc: string): string => distance(fromIso(utc) - look.now, look.language);
  const lines = [
    ...notifications
      .filter(isShown)
      .toSorted((a, b) => fromIso(a.due.utc) - fromIso(b.due.utc))
      .map(({ id, due, message }) =>
        texts.listLine({ when: far(due.utc), text: literal(message, 80), id: short(id) }),
      ),
    ...nags.filter(isShown).map(({ id, next, title, said }) => {
      const about = { text: literal(title, 80), said: nagTexts(look.language).sentTimes(said) };
      return texts.nagLine({ ...about, when: next === null ? null : far(next.utc), id: short(id) });
    }),
    ...schedules.filter(isShown).map(({ id, name, when, next_run_at: at }) => {
      const next = at === null ? null : far(at);
      const about = { name: literal(name, 60), when: literal(when), id: short(id) };
      return texts.scheduleLine({ ...about, next, state: null });
    }),
  ];
  const more = lines.length > shownMax ? [texts.more(lines.length - shownMax)] : [];
  const others = elsewhere > 0 ? [texts.elsewhere(elsewhere)] : [];
  const shown = lines.length === 0 ? [texts.nothingListed] : lines.slice(0, shownMax);
  return { text: [...shown, ...more, ...others].join("\n") };
}

/** `/cancel ID`, or as an answer to a message. */
export async function cancel(turn: Turn, words: string): Promise<ChatAnswer> {
  const { texts, operations } = turn;
  const id = words.trim();
  const found: AnyRecord | undefined =
    id === ""
      ? await turn.replied()
      : await findRecord(turn, id, [notificationKind, nagKind, scheduleKind, taskKind]);
  if (is(scheduleKind, found)) {
    const { name } = await turn.ask(operations.deleteSchedule, { id: found.id });
    return { text: texts.scheduleDeleted(literal(name)) };
  }
  if (is(taskKind, found)) {
    const { name } = await turn.ask(operations.cancelRun, { id: found.id });
    return { text: texts.runCancelled(literal(name)) };
  }
  if (!is(notificationKind, found) && !is(nagKind, found)) {
    return { text: texts.whichOne("cancel") };
  }
  const { result, message } = await turn.ask(operations.cancel, { id: found.id });
  const text = literal(message);
  if (result === "cancelling") return { text: texts.cancelling(text) };
  return { text: result === "cancelled" ? texts.cancelled(text) : texts.cancelledBefore(text) };
}

/** `/snooze ID TIME`, or `/snooze TIME` as an answer to a message. */
export async function snooze(turn: Turn, words: string): Promise<ChatAnswer> {
  const { look, texts, operations } = turn;
  const { id, rest } = await selected(turn, words);
  if (id === undefined) return { text: texts.whichOne("snooze") };
  // The operation refuses a time that cannot be read, with the reason.
  const at = rest === "" ? "+10m" : (readTime(rest, look) ?? rest);
  const later = await turn.ask(operations.snooze, { id, at });
  const about = { when: literal(later.due.text), text: literal(later.message) };
  return { text: texts.snoozed({ ...about, id: short(later.id) }) };
}

/** `/done ID`, or as an answer to a message. */
export async function done(turn: Turn, words: string): Promise<ChatAnswer> {
  const { texts, operations } = turn;
  const { id, rest } = await selected(turn, words);
  if (id === undefined || rest !== "") return { text: texts.whichOne("done") };
  const { message } = await turn.ask(operations.done, { id });
  return { text: texts.done(literal(message)) };
}

/** The record whose id comes first; else the one of the message that was replied to. */
async function selected(
  turn: Turn,
  words: string,
): Promise<{ id: string | undefined; rest: string }> {
  const [first = "", ...others] = words.trim().split(/\s+/);
  const replied = await turn.replied();
  // In a reply, "2030" is a time rather than the end of an id.
  if (replied !== undefined && !isId(first)) return { id: replied.id, rest: words.trim() };
  if (replied !== undefined && readTime(words.trim(), turn.look) !== undefined) {
    return { id: replied.id, rest: words.trim() };
  }
  if (!isId(first)) return { id: undefined, rest: words.trim() };
  const { id } = await findRecord(turn, first, [notificationKind, nagKind]);
  return { id, rest: others.join(" ") };
}

/** The delay of each snooze button. */
const delays: Readonly<Record<string, string>> = {
  "10m": "+10m",
  "1h": "+1h",
  tomorrow: "tomorrow",
};

/** A button under a reminder. A client can send any data here: unknown data is ignored. */
export async function press(turn: Turn, data: string): Promise<ChatAnswer> {
  const { look, operations } = turn;
  const { marks } = notificationTexts(look.language);
  const [, action = "", id = ""] = /^(\w{1,16}):([\w-]{1,64})$/.exec(data) ?? [];
  if (action === "done") {
    await turn.ask(operations.done, { id });
    return { mark: marks.done, toast: marks.done };
  }
  const at = Object.hasOwn(delays, action) ? delays[action] : undefined;
  if (at === undefined) return {};
  const { due } = await turn.ask(operations.snooze, { id, at });
  const mark = marks.snoozed(due.text);
  return { mark, toast: mark };
}

/** `/nag TIME TEXT`; without a time it begins at once. */
export async function nag(turn: Turn, words: string): Promise<ChatAnswer> {
  const { look, texts, operations, key } = turn;
  // "nag me to pay the rent tomorrow"
  const request = words.trim().replace(/^me\s+(?:to\s+)?/i, "");
  const example =
    look.language === "ko" ? "/nag 25일 오전 9시 월세 내기" : "/nag the 25th pay rent";
  if (request === "" || readTime(request, look) !== undefined) {
    return { text: texts.nagNoText(example) };
  }
  const split = splitTime(request, look);
  if (!("when" in split) && split.reason !== undefined) {
    return { text: [literal(split.reason, 400), texts.noTime(example)].join("\n") };
  }
  const input = "when" in split ? { message: split.text, at: split.when } : { message: request };
  const made = await turn.ask(operations.nag, { ...input, key });
  if (made.title === undefined) return { text: texts.forgotten(short(made.id)) };
  const when = made.next?.text ?? "";
  const about = {
    when: literal(when),
    text: literal(made.title),
    curve: literal(made.curve ?? ""),
  };
  return { text: texts.nagged({ ...about, id: short(made.id) }) };
}
