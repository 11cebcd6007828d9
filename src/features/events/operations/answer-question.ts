import * as z from "zod";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import { DaybookError, hasCode, type ErrorCode } from "../../../platform/errors.ts";
import { answered, refusalOf, type Refusal } from "../answer.ts";
import { handlerNamed, underTaskId, handlingIn } from "../ports.ts";
import { questionKind } from "../question.ts";
import { refusalWords } from "../reply.ts";
import { textsOf } from "../texts.ts";
import {
  questionView,
  shownQuestion,
  whichQuestion,
  findQuestion,
  type Question,
} from "./questions.ts";
const answerCharsMax = 20_000;

export const answerQuestion = operation({
  name: "answer_question",
  summary: "Answer what a handler's task asked, so that another goes on.",
  input: z.strictObject({
    id: whichQuestion,
    answer: z.string().min(1).max(answerCharsMax).describe("the answer, or one of the choices"),
  }),
  output: questionView,
  aliases: { question_id: "id" },
  example: { id: "q-20261115-001", answer: "main" },
  route: { method: "POST", path: "/v1/questions/{id}/answer" },
  command: { name: "answer-question", positionals: ["id", "answer"] },
  async run({ id, answer }, context) {
    const { id: known } = await findQuestion(bookOf(context), id);
    return shownQuestion(await give(context, known, answer));
  },
  render: (_, { language }) => textsOf(language).answers.taken,
});

const triesMax = 8;
const restMs = 20;

/** The answer and the task that goes on are one unit. Whoever looks at the question right now is waited for. */
async function give(context: Context, id: string, answer: string): Promise<Question> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await giveOnce(context, id, answer);
    } catch (error) {
      const isPassing = hasCode(error, "stale", "leased") || isEndedMeanwhile(error);
      if (!isPassing || tries >= triesMax) throw error;
      await handlingIn(context).pause(restMs * tries);
    }
  }
}

/** The ledger's own refusal: what became of the question is read anew, and said in words. */
function isEndedMeanwhile(error: unknown): boolean {
  return hasCode(error, "ended") && error.details["refused"] === undefined;
}

async function giveOnce(context: Context, id: string, answer: string): Promise<Question> {
  const book = bookOf(context);
  const { by, now } = context;
  const question = await find(book, questionKind, id);
  const late = refusalOf(question, { by, now: now() });
  if (late !== undefined) throw notTaken(context, question, late);
  const handler = handlerNamed(context, question.body.handler);
  if (handler === undefined) throw nobody(context, question);
  const { capacity } = handlingIn(context);
  return underTaskId(context, (taskId) => {
    const unit = answered(question, { answer, by, now: now(), handler, taskId, capacity });
    if ("refused" in unit) throw notTaken(context, question, unit.refused);
    return book.edit(unit.edit, { append: [unit.resume] });
  });
}

const codes: Readonly<Record<Refusal, ErrorCode>> = {
  answered: "ended",
  late: "ended",
  "not yours": "refused",
  "no choice": "invalid",
};

/** Whoever answers is a person: it is said in their language. */
function notTaken({ profile }: Context, question: Question, refused: Refusal): DaybookError {
  const sentence = refusalWords(question, refused, profile.language);
  const { state, body } = question;
  const details = { refused, state, choices: body.choices };
  return new DaybookError(codes[refused], sentence, { details });
}

function nobody({ profile }: Context, { body }: Question): DaybookError {
  const sentence = textsOf(profile.language).answers.nobody(body.handler);
  return new DaybookError("unsupported", sentence, { details: { refused: "nobody" } });
}

const output = questionView.extend({
  cancel: z
    .enum(["cancelled", "cancelling", "ended"])
    .describe("cancelling: it is being looked at, and ends after that; ended: it was over before"),
});

export const cancelQuestion = operation({
  name: "cancel_question",
  summary: "Wait no longer for the answer to what a handler's task asked.",
  input: z.strictObject({
    id: whichQuestion,
    reason: z.string().max(1_000).optional().describe("why; kept with it"),
  }),
  output,
  aliases: { question_id: "id" },
  effect: "ends",
  example: { id: "q-20261115-001", reason: "decided by hand" },
  route: { method: "POST", path: "/v1/questions/{id}/cancel" },
  command: { name: "cancel-question", positionals: ["id"] },
  async run({ id: which, reason }, context): Promise<z.infer<typeof output>> {
    const book = bookOf(context);
    const { id } = await findQuestion(book, which);
    const { result } = await book.cancel({ id, ...(reason === undefined ? {} : { reason }) });
    return { ...shownQuestion(await find(book, questionKind, id)), cancel: result };
  },
  render({ id, cancel, state }, { language }) {
    const texts = textsOf(language);
    if (cancel === "cancelled") return texts.questionCancelled(id);
    if (cancel === "cancelling") return texts.questionStopping(id);
    return texts.questionEnded({ id, state: texts.state(state) });
  },
});
