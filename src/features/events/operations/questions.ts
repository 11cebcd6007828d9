import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { ListQuery } from "../../../kernel/reading.ts";
import { oneLine } from "../../../platform/text.ts";
import { fields } from "../../notifications/operations/fields.ts";
import { type QuestionKind, questionKind } from "../question.ts";
import { textsOf } from "../texts.ts";
import { pageWhere } from "./page.ts";
import { questionView, shownQuestion } from "./question-view.ts";

const states = ["open", "answered", "expired", "cancelled"] as const;

const output = z.object({
  questions: z.array(questionView),
  next: z.string().nullable().describe("where the next page starts; null on the last"),
});

export const listQuestions = operation({
  name: "list_questions",
  summary: "Show what handlers' tasks ask people, the newest first.",
  input: z.strictObject({
    all: z.boolean().default(false).describe("also what has ended"),
    state: z.enum(states).optional().describe("only what is in this state"),
    handler: z.string().optional().describe("only what this handler has to do"),
    limit: fields.limit,
    after: fields.after,
  }),
  output,
  aliases: { status: "state" },
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/questions" },
  command: { name: "questions", positionals: [] },
  tool: "on request",
  async run({ all, state, handler, limit, after }, context): Promise<z.infer<typeof output>> {
    const which = state === undefined ? (all ? {} : { live: true }) : { state };
    const query: ListQuery<QuestionKind> = {
      kind: questionKind,
      order: "newest",
      limit,
      after,
      ...which,
    };
    const { records, next } = await pageWhere(
      bookOf(context),
      query,
      ({ body }) => (handler ?? body.handler) === body.handler,
    );
    return { questions: records.map(shownQuestion), next };
  },
  render({ questions, next }, { language }) {
    const texts = textsOf(language);
    if (questions.length === 0 && next === null) return texts.noQuestions();
    const lines = questions.map(({ id, handler, text, choices, state }) => {
      const offered = choices.length === 0 ? "" : ` (${oneLine(choices.join(" / "), 80)})`;
      const request = `${oneLine(text, 100)}${offered}`;
      return texts.questionIs({ id, handler, text: request, state: texts.state(state) });
    });
    return [...lines, ...(next === null ? [] : [texts.more(next)])].join("\n");
  },
});
