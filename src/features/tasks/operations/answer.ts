import * as z from "zod";
import { bookOf, findRecord, retryIfStale } from "../../../kernel/book.ts";
import { revisionChanged } from "../../../kernel/ledger-errors.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { operation } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { type TaskKind, taskKind } from "../kind.ts";
import type { TaskOutcome } from "../outcome.ts";
import { textsOf } from "../texts.ts";
import { exampleRunId, revision, runId } from "./inputs.ts";
import { runView, runViewOf } from "./view.ts";

type Task = LedgerRecord<TaskKind>;

const answerCharsMax = 20_000;

export const answerRun = operation({
  name: "answer_run",
  oldNames: ["answer"],
  summary: "Answer the question of a run, so that it continues.",
  input: z.strictObject({
    id: runId,
    answer: z
      .string()
      .min(1)
      .max(answerCharsMax)
      .describe("the answer; one of the choices, if the question has any"),
    revision,
  }),
  output: runView,
  aliases: { run_id: "id" },
  example: { id: exampleRunId, answer: "yes" },
  route: { method: "POST", path: "/v1/runs/{id}/answer" },
  command: { name: "run answer", aliases: ["answer"], positionals: ["id", "answer"] },
  async run({ id, answer, revision: expected }, context) {
    const book = bookOf(context);
    const now = context.now();
    const write = (): Promise<Task> => writeAnswer(book, id, { answer, now, expected });
    const record = await (expected === undefined ? retryIfStale(write) : write());
    return runViewOf(record, context);
  },
  render: (_, { language }) => textsOf(language).answered(),
});

async function writeAnswer(
  book: Book,
  typed: string,
  { answer, now, expected }: { answer: string; now: number; expected: number | undefined },
): Promise<Task> {
  const record = await findRecord(book, taskKind, typed);
  const { id, body, outcome, kind, revision } = record;
  const question = questionOf(record);
  if ((expected ?? revision) !== revision) throw revisionChanged(record);
  const given = { question: question.text, answer: choiceOf(answer, question.choices) };
  return book.edit({
    kind,
    id,
    ifRevision: revision,
    body: { ...body, answers: [...(body.answers ?? []), given] },
    outcome: outcome === null ? undefined : { ...outcome, question: null },
    state: "pending",
    wakeAt: now,
    note: `answered: ${quote(given.answer)}`,
  });
}

function questionOf({ state, outcome, cancelling }: Task): NonNullable<TaskOutcome["question"]> {
  const question = outcome?.question ?? null;
  if (state === "needs_human" && question !== null && !cancelling) return question;
  const status = cancelling ? "being cancelled" : state;
  const sentence = `The run asks nothing: it is ${status}. Only a run that is needs_human takes an answer.`;
  throw new DaybookError("ended", sentence, { details: { state } });
}

/** The choice that the answer names, in any case. */
function choiceOf(answer: string, choices: readonly string[]): string {
  if (choices.length === 0) return answer;
  const same = answer.trim().toLowerCase();
  const found =
    choices.find((choice) => choice === answer) ??
    choices.find((choice) => choice.trim().toLowerCase() === same);
  if (found !== undefined) return found;
  const offered = choices.map(quote).join(", ");
  throw new DaybookError("invalid", `${quote(answer)} is none of the choices: answer ${offered}.`, {
    details: { choices },
  });
}
