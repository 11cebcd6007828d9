import type { ChatAnswer, ChatPart, ChatTurn } from "../../kernel/chat.ts";
import { is } from "../../kernel/kind.ts";
import { inLanguages } from "../../platform/language.ts";
import { fenced, literal, shortId } from "../../platform/markup/literal.ts";
import { taskKind } from "./kind.ts";
import { cancelRun } from "./operations/cancel.ts";
import { runOutput } from "./operations/output.ts";
import { repliedRun } from "./replied-run.ts";

export const tasksChat: ChatPart = {
  commands: [
    {
      name: "output",
      aliases: ["출력"],
      texts: {
        en: { summary: "Show a run's output", usage: "RUN [PART]" },
        ko: { summary: "실행의 출력을 봅니다", usage: "실행 [부분]" },
      },
      run: output,
    },
  ],
  cancels: [{ kinds: [taskKind], cancel }],
  ownsThread,
};

/** `/output RUN`, or as a reply to a message of a run. */
async function output(turn: ChatTurn, text: string): Promise<ChatAnswer> {
  const texts = textsOf(turn.reader.language);
  const { typed, part: number } = partIn(text.trim());
  const run = typed === "" ? await repliedRun(turn) : await turn.find(typed, [taskKind]);
  if (run === undefined) return { text: turn.texts.whichOne("output") };
  const offset = (number - 1) * charsShown;
  const part = await turn.request(runOutput, { id: run.id, offset, max_chars: charsShown });
  if (part.chunk.trim() === "") return { text: part.at_work ? texts.noneYet : texts.none };
  const more =
    part.remaining > 0
      ? [texts.more(part.remaining, `/output ${shortId(run.id)} ${number + 1}`)]
      : [];
  return { text: [fenced(part.chunk), ...more].join("\n") };
}

const charsShown = 4_000;

/** The id, and which part of the output: "1a2b3c4d 2", or in a reply "2". */
function partIn(text: string): { typed: string; part: number } {
  const [, id = "", part] = /^(?:(\S+)\s+)?([1-9]\d{0,3})$/.exec(text) ?? [];
  return part === undefined ? { typed: text, part: 1 } : { typed: id, part: Number(part) };
}

async function cancel(turn: ChatTurn, id: string): Promise<ChatAnswer> {
  const { name } = await turn.request(cancelRun, { id });
  return { text: textsOf(turn.reader.language).cancelled(literal(name)) };
}

const tasksSeenMax = 200;

/** Whether the thread is the target of a task. */
async function ownsThread({ book, origin }: ChatTurn): Promise<boolean> {
  const query = { kind: taskKind, order: "newest", limit: tasksSeenMax } as const;
  const { records } = await book.list(query);
  return records.some((record) => is(taskKind, record) && record.body.target === origin);
}

const textsOf = inLanguages({
  en: {
    none: "No output was stored for this run.",
    noneYet: "The run has no output yet.",
    more: (count: number, command: string) => `… and ${count} more characters: \`${command}\``,
    cancelled: (name: string) => `✗ Run cancelled: ${name}`,
  },
  ko: {
    none: "이 실행에는 저장된 출력이 없습니다.",
    noneYet: "아직 출력이 없습니다.",
    more: (count, command) => `… ${count}자가 더 있습니다: \`${command}\``,
    cancelled: (name) => `✗ 실행을 취소했습니다: ${name}`,
  },
});
