import * as z from "zod";
import { operation, type Reader } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { harmless } from "../../../platform/text.ts";
import { inWords } from "../../../time/times.ts";
import { textsOf } from "../texts.ts";
import { findQuestion } from "./find-question.ts";
import { questionView, shownQuestion, whichQuestion, type QuestionView } from "./question-view.ts";

export const showQuestion = operation({
  name: "show_question",
  summary: "Show what a handler's task asked, whole.",
  input: z.strictObject({ id: whichQuestion }),
  output: questionView,
  aliases: { question_id: "id" },
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/questions/{id}" },
  command: { name: "question", positionals: ["id"] },
  tool: "on request",
  run: async ({ id }, context) => shownQuestion(await findQuestion(bookOf(context), id)),
  render: sayQuestion,
});

function sayQuestion(question: QuestionView, { language, zone }: Reader): string {
  const texts = textsOf(language);
  const { id, handler, choices, state, answer, expires_at: end } = question;
  const offered = choices.length === 0 ? "" : ` (${choices.join(" / ")})`;
  const text = harmless(`${question.text}${offered}`);
  const request = texts.questionIs({ id, handler, text, state: texts.state(state) });
  if (state === "open") {
    const until = end === null ? null : `${inWords(fromIso(end), zone, language)} ${zone}`;
    return `${request}\n${texts.waitsForAnswer({ id, until })}`;
  }
  if (answer === null) return request;
  const { answered_by: by, resumed } = question;
  const given = { answer: harmless(answer), by: by ?? "", resumed: resumed ?? "" };
  return `${request}\n${texts.answeredBy(given)}`;
}
