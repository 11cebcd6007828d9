import * as z from "zod";
import { bookOf, findRecord } from "../../../kernel/book.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import { DaybookError, hasCode, type ErrorCode } from "../../../platform/errors.ts";
import { answerUnit, refusalOf, type Refusal } from "../answer.ts";
import { handlerNamed, underTaskId, eventContextOf } from "../ports.ts";
import { questionKind, type Question } from "../question.ts";
import { refusalText } from "../reply.ts";
import { textsOf } from "../texts.ts";
import { findQuestion, questionInput, questionView, shownQuestion } from "./questions.ts";

const answerCharsMax = 20_000;

export const answerQuestion = operation({
  name: "answer_question",
  summary: "Answer the question of a handler's task, so that the work resumes.",
  input: z.strictObject({
    id: questionInput,
    answer: z
      .string()
      .min(1)
      .max(answerCharsMax)
      .describe("the answer; one of the choices if the question has any"),
  }),
  output: questionView,
  aliases: { question_id: "id" },
  example: { id: "q-20261115-001", answer: "main" },
  route: { method: "POST", path: "/v1/questions/{id}/answer" },
  command: { name: "question answer", aliases: ["answer-question"], positionals: ["id", "answer"] },
  async run({ id, answer }, context) {
    const question = await findQuestion(bookOf(context), id);
    return shownQuestion(await submit(context, question.id, answer));
  },
  render: (_, { language }) => textsOf(language).answers.taken,
});

const triesMax = 8;
const retryMs = 20;

/** Writes the answer and the task that resumes as one unit; retries while the controller has the question. */
async function submit(context: Context, id: string, answer: string): Promise<Question> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await submitOnce(context, id, answer);
    } catch (error) {
      const isPassing = hasCode(error, "stale", "leased") || hasEndedMeanwhile(error);
      if (!isPassing || tries >= triesMax) throw error;
      await eventContextOf(context).pause(retryMs * tries);
    }
  }
}

/** The ledger refused the edit: the next try reads the question again and throws the error that says why. */
function hasEndedMeanwhile(error: unknown): boolean {
  return hasCode(error, "ended") && error.details["refused"] === undefined;
}

async function submitOnce(context: Context, id: string, answer: string): Promise<Question> {
  const book = bookOf(context);
  const { by, now } = context;
  const question = await findRecord(book, questionKind, id);
  const refusal = refusalOf(question, { by, now: now() });
  if (refusal !== undefined) throw refused(context, question, refusal);
  const handler = handlerNamed(context, question.body.handler);
  if (handler === undefined) throw handlerMissing(context, question);
  const { capacity } = eventContextOf(context);
  return underTaskId(context, (taskId) => {
    const unit = answerUnit(question, { answer, by, now: now(), handler, taskId, capacity });
    if ("refused" in unit) throw refused(context, question, unit.refused);
    return book.edit(unit.edit, { append: [unit.resume] });
  });
}

const codes: Readonly<Record<Refusal, ErrorCode>> = {
  answered: "ended",
  late: "ended",
  "not yours": "refused",
  "no choice": "invalid",
};

/** The caller is a person, so the error is in their language. */
function refused({ profile }: Context, question: Question, refusal: Refusal): DaybookError {
  const sentence = refusalText(question, refusal, profile.language);
  const { state, body } = question;
  const details = { refused: refusal, state, choices: body.choices };
  return new DaybookError(codes[refusal], sentence, { details });
}

function handlerMissing({ profile }: Context, { body }: Question): DaybookError {
  const sentence = textsOf(profile.language).answers.nobody(body.handler);
  return new DaybookError("unsupported", sentence, { details: { refused: "nobody" } });
}

const output = questionView.extend({
  cancel: z
    .enum(["cancelled", "cancelling", "ended"])
    .describe("cancelling: it ends when its reminder is written; ended: it had ended before"),
});

export const cancelQuestion = operation({
  name: "cancel_question",
  summary: "Cancel the question of a handler's task.",
  input: z.strictObject({
    id: questionInput,
    reason: z.string().max(1_000).optional().describe("the reason, kept in the history"),
  }),
  output,
  aliases: { question_id: "id" },
  effect: "ends",
  example: { id: "q-20261115-001", reason: "decided by hand" },
  route: { method: "POST", path: "/v1/questions/{id}/cancel" },
  command: { name: "question cancel", aliases: ["cancel-question"], positionals: ["id"] },
  async run({ id: given, reason }, context): Promise<z.infer<typeof output>> {
    const book = bookOf(context);
    const { id } = await findQuestion(book, given);
    const { result } = await book.cancel({ id, reason });
    return { ...shownQuestion(await findRecord(book, questionKind, id)), cancel: result };
  },
  render({ id, cancel, state }, { language }) {
    const texts = textsOf(language);
    if (cancel === "cancelled") return texts.questionCancelled(id);
    if (cancel === "cancelling") return texts.questionStopping(id);
    return texts.questionEnded({ id, state: texts.state(state) });
  },
});
