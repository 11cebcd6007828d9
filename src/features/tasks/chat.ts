import type { ChatAnswer, ChatPart, ChatTurn } from "../../kernel/chat.ts";
import { is } from "../../kernel/kind.ts";
import { inLanguages } from "../../platform/language.ts";
import { fenced, literal } from "../../platform/markup/literal.ts";
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
        en: { summary: "Show a run's output", usage: "RUN" },
        ko: { summary: "실행의 출력을 봅니다", usage: "실행" },
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
  const typed = text.trim();
  const run = typed === "" ? await repliedRun(turn) : await turn.find(typed, [taskKind]);
  if (run === undefined) return { text: turn.texts.whichOne("output") };
  const part = await turn.request(runOutput, { id: run.id });
  if (part.chunk.trim() === "") return { text: part.at_work ? texts.noneYet : texts.none };
  const more = part.remaining > 0 ? [texts.more(part.remaining)] : [];
  return { text: [fenced(part.chunk), ...more].join("\n") };
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
    more: (count: number) =>
      `… and ${count} more characters. \`daybook run output\` shows the full output.`,
    cancelled: (name: string) => `✗ Run cancelled: ${name}`,
  },
  ko: {
    none: "이 실행에는 저장된 출력이 없습니다.",
    noneYet: "아직 출력이 없습니다.",
    more: (count) => `… ${count}자가 더 있습니다. 전체는 \`daybook run output\`으로 보세요.`,
    cancelled: (name) => `✗ 실행을 취소했습니다: ${name}`,
  },
});
