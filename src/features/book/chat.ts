import type { ChatAnswer, ChatPart, ChatTurn } from "../../kernel/chat.ts";
import type { Kind } from "../../kernel/kind.ts";
import { isTypedId } from "../../kernel/typed-id.ts";
import { inLanguages } from "../../platform/language.ts";
import { literal, shortId } from "../../platform/markup/literal.ts";
import { readTime } from "../../time/split.ts";
import { type RecordActions, textsOf as notificationTexts } from "../notifications/index.ts";
import type { cancelOver } from "./cancel.ts";
import type { doneOver } from "./done.ts";
import type { snoozeOver } from "./snooze.ts";

interface Operations {
  readonly cancel: ReturnType<typeof cancelOver>;
  readonly done: ReturnType<typeof doneOver>;
  readonly snooze: ReturnType<typeof snoozeOver>;
}

/** Cancel, done and snooze for all kinds that can be. */
export function bookChat(actions: readonly RecordActions[], operations: Operations): ChatPart {
  const kindsWith = (verb: "cancel" | "snooze"): readonly Kind[] =>
    actions.filter((each) => each[verb] !== undefined).map(({ kind }) => kind);
  const kinds = kindsWith("snooze");
  return {
    commands: [
      {
        name: "snooze",
        aliases: ["미루기"],
        texts: {
          en: { summary: "Snooze a reminder; reply to it, or give its id", usage: "[ID] TIME" },
          ko: { summary: "알림을 미룹니다. 알림에 답장하거나 ID를 쓰세요", usage: "[ID] 시각" },
        },
        run: (turn, text) => snooze(turn, text, { kinds, operations }),
      },
      {
        name: "done",
        aliases: ["완료"],
        texts: {
          en: { summary: "Mark as done; reply to a reminder, or give its id", usage: "[ID]" },
          ko: { summary: "완료로 표시합니다. 알림에 답장하거나 ID를 쓰세요", usage: "[ID]" },
        },
        run: (turn, text) => done(turn, text, { kinds, operations }),
      },
    ],
    cancels: [{ kinds: kindsWith("cancel"), cancel: (turn, id) => cancel(turn, id, operations) }],
    press: (turn, data) => press(turn, data, operations),
  };
}

interface Parts {
  readonly kinds: readonly Kind[];
  readonly operations: Operations;
}

/** `/snooze ID TIME`, or `/snooze TIME` as a reply to a message. */
async function snooze(turn: ChatTurn, text: string, parts: Parts): Promise<ChatAnswer> {
  const { id, rest } = await selected(turn, text, parts);
  if (id === undefined) return { text: turn.texts.whichOne("snooze") };
  // The operation refuses a time that cannot be read, with the reason.
  const at = rest === "" ? "+10m" : (readTime(rest, turn.reader) ?? rest);
  const later = await turn.request(parts.operations.snooze, { id, at });
  const first = textsOf(turn.reader.language).snoozed(literal(later.due.text));
  return { text: [first, literal(later.message), `\`${shortId(later.id)}\``].join("\n") };
}

/** `/done ID`, or as a reply to a message. */
async function done(turn: ChatTurn, text: string, parts: Parts): Promise<ChatAnswer> {
  const { id, rest } = await selected(turn, text, parts);
  if (id === undefined || rest !== "") return { text: turn.texts.whichOne("done") };
  const { message } = await turn.request(parts.operations.done, { id });
  return { text: textsOf(turn.reader.language).done(literal(message)) };
}

/** The record whose id comes first; else the one of the message that was replied to. */
async function selected(
  turn: ChatTurn,
  text: string,
  { kinds }: Parts,
): Promise<{ id: string | undefined; rest: string }> {
  const typed = text.trim();
  const [first = "", ...others] = typed.split(/\s+/);
  const replied = await turn.replied();
  // In a reply, "2030" is a time rather than the end of an id.
  if (replied !== undefined && (!isTypedId(first) || readTime(typed, turn.reader) !== undefined)) {
    return { id: replied.id, rest: typed };
  }
  if (!isTypedId(first)) return { id: undefined, rest: typed };
  const { id } = await turn.find(first, kinds);
  return { id, rest: others.join(" ") };
}

async function cancel(turn: ChatTurn, id: string, operations: Operations): Promise<ChatAnswer> {
  const { result, message } = await turn.request(operations.cancel, { id });
  return { text: textsOf(turn.reader.language)[result](literal(message)) };
}

/** The delay of each snooze button. */
const delays: Readonly<Record<string, string>> = {
  "10m": "+10m",
  "1h": "+1h",
  tomorrow: "tomorrow",
};

/** A button under a reminder. A client can send any data here: unknown data is ignored. */
async function press(
  turn: ChatTurn,
  data: string,
  operations: Operations,
): Promise<ChatAnswer | undefined> {
  const { marks } = notificationTexts(turn.reader.language);
  const [, action = "", id = ""] = /^(\w{1,16}):([\w-]{1,64})$/.exec(data) ?? [];
  if (action === "done") {
    await turn.request(operations.done, { id });
    return { mark: marks.done, toast: marks.done };
  }
  const at = Object.hasOwn(delays, action) ? delays[action] : undefined;
  if (at === undefined) return undefined;
  const { due } = await turn.request(operations.snooze, { id, at });
  const mark = marks.snoozed(due.text);
  return { mark, toast: mark };
}

const textsOf = inLanguages({
  en: {
    snoozed: (when: string) => `⏰ Snoozed: ${when}`,
    done: (text: string) => `✓ Done: ${text}`,
    cancelled: (text: string) => `✗ Cancelled: ${text}`,
    cancelling: (text: string) =>
      `This attempt is under way and may still arrive; no other follows: ${text}`,
    cancelled_before: (text: string) => `Already cancelled: ${text}`,
  },
  ko: {
    snoozed: (when) => `⏰ 미뤘습니다: ${when}`,
    done: (text) => `✓ 완료: ${text}`,
    cancelled: (text) => `✗ 취소했습니다: ${text}`,
    cancelling: (text) =>
      `이미 보내는 중이라 이번 것은 도착할 수 있습니다. 더는 보내지 않습니다: ${text}`,
    cancelled_before: (text) => `이미 취소했습니다: ${text}`,
  },
});
