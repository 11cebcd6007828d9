import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import { questionKind } from "../question.ts";
import { textsOf } from "../texts.ts";
import { findQuestion } from "./find-question.ts";
import { questionView, shownQuestion, whichQuestion } from "./question-view.ts";

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
  scope: "write",
  effect: "ends",
  route: { method: "POST", path: "/v1/questions/{id}/cancel" },
  command: { name: "cancel-question", positionals: ["id"] },
  tool: "on request",
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
