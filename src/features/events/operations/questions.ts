import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { pageWhere, recordsIn } from "../../../kernel/list-all.ts";
import { operation, type Reader } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { ListQuery } from "../../../kernel/reading.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { isoOf, isoOr, fromIso } from "../../../platform/iso-time.ts";
import { oneLine, harmless, quote } from "../../../platform/text.ts";
import { inWords } from "../../../time/times.ts";
import { fields } from "../../notifications/index.ts";
import { type QuestionKind, questionKind } from "../question.ts";
import { textsOf } from "../texts.ts";

const moment = z.string().describe("a moment in UTC, as ISO 8601");

export const whichQuestion = z
  .string()
  .min(1)
  .describe("which question, by its id or the last letters of that");

/** What a task that has ended asked a person. */
export const questionView = z.object({
  id: z.string(),
  state: z.string().describe("open, answered, expired or cancelled"),
  status: z
    .enum(["input_required", "completed", "cancelled"])
    .describe("input_required: a person must answer, and then it goes on"),
  handler: z.string(),
  text: z.string(),
  choices: z.array(z.string()),
  task_id: z.string().describe("what asked it"),
  event_id: z.string().nullable(),
  target: z.string().describe("where it is asked"),
  answer: z.string().nullable(),
  answered_by: z.string().nullable(),
  resumed: z.string().nullable().describe("the task that goes on with the answer"),
  asked_at: moment,
  expires_at: moment.nullable().describe("until then an answer is waited for"),
});

export type QuestionView = z.infer<typeof questionView>;

export function shownQuestion(record: LedgerRecord<QuestionKind>): QuestionView {
  const { id, body, outcome, state, createdAt } = record;
  return {
    id,
    state,
    status: statuses[state],
    handler: body.handler,
    text: body.text,
    choices: [...body.choices],
    task_id: body.task,
    event_id: body.event,
    target: body.target,
    answer: outcome?.answer ?? null,
    answered_by: outcome?.by ?? null,
    resumed: outcome?.resumed ?? null,
    asked_at: isoOf(createdAt),
    expires_at: isoOr(body.expiresAt),
  };
}

const statuses: Readonly<Record<LedgerRecord<QuestionKind>["state"], QuestionView["status"]>> = {
  open: "input_required",
  answered: "completed",
  expired: "cancelled",
  cancelled: "cancelled",
};

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
  example: { limit: 10 },
  route: { method: "GET", path: "/v1/questions" },
  command: { name: "questions", positionals: [] },
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
export const showQuestion = operation({
  name: "show_question",
  summary: "Show what a handler's task asked, whole.",
  input: z.strictObject({ id: whichQuestion }),
  output: questionView,
  aliases: { question_id: "id" },
  example: { id: "q-20261115-001" },
  route: { method: "GET", path: "/v1/questions/{id}" },
  command: { name: "question", positionals: ["id"] },
  run: async ({ id }, context) => shownQuestion(await findQuestion(bookOf(context), id)),
  render: renderQuestion,
});

function renderQuestion(question: QuestionView, { language, zone }: Reader): string {
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

export type Question = LedgerRecord<QuestionKind>;

const openMax = 1_000;

/** Of those that are not open, the newest so many are known to whoever comes late. */
const endedMax = 100;

const codeCharsMin = 3;

/** A question by its id, or by the last letters of it, where no other that is open ends so. */
export async function findQuestion(book: Book, which: string): Promise<Question> {
  const record = await book.get(which);
  if (is(questionKind, record)) return record;
  const code = which.trim().toLowerCase();
  const open = await endingIn(book, code, true);
  const [first, second] = open.length > 0 ? open : await endingIn(book, code, false);
  if (first === undefined) {
    const sentence = `There is no question ${quote(which)} in this book: see daybook questions.`;
    throw new DaybookError("not_found", sentence, { details: { id: which } });
  }
  // Of those that are over, the newest is meant: whoever is late hears so.
  if (second === undefined || open.length === 0) return first;
  const ids = open.map(({ id }) => id);
  const sentence = `${quote(which)} could be ${ids.join(" or ")}: write more of it.`;
  throw new DaybookError("conflict", sentence, { details: { ids } });
}

async function endingIn(book: Book, code: string, live: boolean): Promise<readonly Question[]> {
  if (code.length < codeCharsMin) return [];
  const found: Question[] = [];
  const query = { kind: questionKind, live, order: "newest" } as const;
  for await (const question of recordsIn(book, query, live ? openMax : endedMax)) {
    if (question.id.endsWith(code)) found.push(question);
  }
  return found;
}
