import * as z from "zod";
import type { Book } from "../../../kernel/ledger.ts";
import { operation } from "../../../kernel/operation.ts";
import { bookOf, find, untilFresh } from "../../../kernel/own-book.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { hasChanged } from "../../../kernel/refusals.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { type TaskKind, taskKind } from "../kind.ts";
import { handledTasks } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { exampleRunId, revision, runId } from "./inputs.ts";
import { runView, shownRunOf } from "./view.ts";

type Task = LedgerRecord<TaskKind>;

const answerCharsMax = 20_000;

export const answerRun = operation({
  name: "answer",
  summary: "Answer what a run asks, so that it goes on.",
  input: z.strictObject({
    id: runId,
    answer: z.string().min(1).max(answerCharsMax).describe("the answer, or one of the choices"),
    revision,
  }),
  output: runView,
  aliases: { run_id: "id" },
  example: { id: exampleRunId, answer: "yes" },
  route: { method: "POST", path: "/v1/runs/{id}/answer" },
  command: { name: "answer", positionals: ["id", "answer"] },
  async run({ id, answer, revision: known }, context) {
    const book = bookOf(context);
    const now = context.now();
    const write = (): Promise<Task> => give(book, id, { answer, now, known });
    const record = await (known === undefined ? untilFresh(write) : write());
    return shownRunOf(book, record, context.use(handledTasks));
  },
  render: (_, { language }) => textsOf(language).answered(),
});

async function give(
  book: Book,
  id: string,
  { answer, now, known }: { answer: string; now: number; known: number | undefined },
): Promise<Task> {
  const record = await find(book, taskKind, id);
  const { body, outcome, kind, revision } = record;
  const question = questionOf(record);
  if ((known ?? revision) !== revision) throw hasChanged(record);
  const given = { question: question.text, answer: chosen(answer, question.choices) };
  return book.edit({
    kind,
    id,
    ifRevision: revision,
    body: { ...body, answers: [...(body.answers ?? []), given] },
    ...(outcome === null ? {} : { outcome: { ...outcome, question: null } }),
    state: "pending",
    wakeAt: now,
    note: `answered: ${quote(given.answer)}`,
  });
}

function questionOf({ state, outcome, cancelling }: Task): {
  text: string;
  choices: readonly string[];
} {
  const question = outcome?.question ?? null;
  if (state === "needs_human" && question !== null && !cancelling) return question;
  const why = cancelling ? "being cancelled" : state;
  const sentence = `It asks nothing, being ${why}: only a run that needs a human takes an answer.`;
  throw new DaybookError("ended", sentence.replace("being being", "being"), { details: { state } });
}

/** One of the choices as it was offered, however its letters were typed. */
function chosen(answer: string, choices: readonly string[]): string {
  if (choices.length === 0) return answer;
  const same = answer.trim().toLowerCase();
  const found =
    choices.find((choice) => choice === answer) ??
    choices.find((choice) => choice.trim().toLowerCase() === same);
  if (found !== undefined) return found;
  const offered = choices.map(quote).join(", ");
  throw new DaybookError("invalid", `${quote(answer)} is none of the choices: say ${offered}.`, {
    details: { choices },
  });
}
