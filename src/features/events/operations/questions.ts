import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { findByStart, noRecord } from "../../../kernel/id-prefix.ts";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { listOperation } from "../../../kernel/list-operation.ts";
import type { Column } from "../../../kernel/list-table.ts";
import { operation, type Reader } from "../../../kernel/operation.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { isoOf, isoOr, fromIso } from "../../../platform/iso-time.ts";
import { harmless, quote } from "../../../platform/text.ts";
import { inWords } from "../../../time/times.ts";
import {
  idColumn,
  nameColumn,
  noteColumn,
  stateColumn,
  textColumn,
  timeColumns,
} from "../../accounts/index.ts";
import { fields } from "../../notifications/index.ts";
import { questionKind, questionsIn, type Question } from "../question.ts";
import { textsOf } from "../texts.ts";

const moment = z.string().describe("UTC time in ISO 8601");

export const questionInput = z
  .string()
  .min(1)
  .describe("the id of the question, the start of it, or its last characters (at least 3)");

/** The question of a handler's task that has ended. */
export const questionView = z.object({
  id: z.string(),
  state: z.string().describe("open, answered, expired or cancelled"),
  status: z
    .enum(["input_required", "completed", "cancelled"])
    .describe("input_required: the work resumes when a person answers"),
  handler: z.string(),
  text: z.string(),
  choices: z.array(z.string()),
  task_id: z.string().describe("the task that asked"),
  event_id: z.string().nullable(),
  target: z.string().describe("where the question was sent"),
  answer: z.string().nullable(),
  answered_by: z.string().nullable(),
  resumed: z.string().nullable().describe("the task that resumed with the answer"),
  asked_at: moment,
  expires_at: moment.nullable().describe("when it expires; no answer is accepted after this"),
});
type QuestionView = z.infer<typeof questionView>;

export function shownQuestion(record: Question): QuestionView {
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

const statuses: Readonly<Record<Question["state"], QuestionView["status"]>> = {
  open: "input_required",
  answered: "completed",
  expired: "cancelled",
  cancelled: "cancelled",
};

const states = ["open", "answered", "expired", "cancelled"] as const;

const columns: readonly Column<QuestionView>[] = [
  idColumn(({ id }) => id),
  stateColumn(({ state }) => state),
  ...timeColumns<QuestionView>("asked", (view) => view.asked_at),
  nameColumn("handler", ({ handler }) => handler),
  textColumn("text", ({ text, choices }) =>
    choices.length === 0 ? text : `${text} (${choices.join(" / ")})`,
  ),
  noteColumn(({ answer }) => answer && `→ ${answer}`),
];

export const listQuestions = listOperation(questionKind, {
  plural: "questions",
  summary: "List the questions of handlers' tasks, the newest first.",
  filters: {
    all: fields.all,
    state: z.enum(states).optional().describe("only questions in this state"),
    handler: z.string().optional().describe("only questions of this handler"),
  },
  aliases: { status: "state" },
  example: { limit: 10 },
  view: questionView,
  matching:
    ({ handler }) =>
    ({ body }) =>
      (handler ?? body.handler) === body.handler,
  show: shownQuestion,
  columns,
  empty: ({ language }) => textsOf(language).noQuestions(),
  more: (next, { language }) => textsOf(language).more(next),
});

export const showQuestion = operation({
  name: "show_question",
  summary: "Show the question of a handler's task.",
  input: z.strictObject({ id: questionInput }),
  output: questionView,
  aliases: { question_id: "id" },
  example: { id: "q-20261115-001" },
  route: { method: "GET", path: "/v1/questions/{id}" },
  command: { name: "question show", aliases: ["question"], positionals: ["id"] },
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

const codeCharsMin = 3;

/** A question by its id, by the last characters of it if only one open question ends with them, or by the start of it. */
export async function findQuestion(book: Book, idOrEnd: string): Promise<Question> {
  const record = await book.get(idOrEnd);
  if (is(questionKind, record)) return record;
  const code = idOrEnd.trim().toLowerCase();
  const open = await questionsEndingWith(book, code, true);
  const [first, second] = open.length > 0 ? open : await questionsEndingWith(book, code, false);
  if (first === undefined) {
    const started = await findByStart(book, idOrEnd, [questionKind]);
    if (started !== undefined) return started;
    throw noRecord("question", idOrEnd, ". List them: daybook question list");
  }
  // A late answer goes to the newest question that has ended, so that its error names the right one.
  if (second === undefined || open.length === 0) return first;
  const ids = open.map(({ id }) => id);
  const sentence = `${quote(idOrEnd)} matches ${ids.join(" and ")}: give more of the id.`;
  throw new DaybookError("conflict", sentence, { details: { ids } });
}

async function questionsEndingWith(
  book: Book,
  code: string,
  isOpen: boolean,
): Promise<readonly Question[]> {
  if (code.length < codeCharsMin) return [];
  const all = await Array.fromAsync(questionsIn(book, isOpen));
  return all.filter(({ id }) => id.endsWith(code));
}
