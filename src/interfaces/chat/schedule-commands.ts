import type { ChatAnswer } from "../../adapters/chats/chat.ts";
import { commonTexts } from "../../features/accounts/index.ts";
import { questionIn } from "../../features/events/index.ts";
import { scheduleKind } from "../../features/schedules/index.ts";
import { type TaskKind, taskKind, statusLabel } from "../../features/tasks/index.ts";
import { recordOf } from "../../kernel/book.ts";
import { is } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { DaybookError, hasCode } from "../../platform/errors.ts";
import { fromIso } from "../../platform/iso-time.ts";
import { distance, inWords } from "../../time/times.ts";
import { findRecord, isId } from "./find-record.ts";
import { fenced, literal, short } from "./literal.ts";
import { splitEvery } from "./time-split.ts";
import type { Turn } from "./turn.ts";

/** `/every WHEN GOAL` */
export async function every(turn: Turn, words: string): Promise<ChatAnswer> {
  const { look, texts, operations, key } = turn;
  if (!turn.hasAgent) return { text: texts.noAgent };
  const split = splitEvery(words, look);
  if (!("when" in split)) {
    const reason = split.reason === undefined ? [] : [literal(split.reason, 400)];
    const example =
      look.language === "ko" ? "평일 오전 9시 뉴스 요약" : "weekday 9am read me the news";
    return { text: [...reason, texts.noCadence(`/every ${example}`)].join("\n") };
  }
  const run = { agent: split.text };
  const made = await turn.ask(operations.createSchedule, { when: split.when, run, key });
  if (made.name === undefined) return { text: texts.forgotten(short(made.id)) };
  const next = made.next?.[0]?.text;
  const about = { name: literal(made.name), when: literal(made.when ?? split.when) };
  return {
    text: texts.scheduled({
      ...about,
      next: next === undefined ? undefined : literal(next),
      id: short(made.id),
    }),
  };
}

/** `/runs SCHEDULE`; without one, all there are, or that of the run that was answered to. */
export async function runs(turn: Turn, words: string): Promise<ChatAnswer> {
  const { look, texts, operations } = turn;
  const which =
    words.trim() === "" ? await repliedSchedule(turn) : await typedSchedule(turn, words);
  if (which === undefined) return schedules(turn);
  const { name, runs: found } = await turn.ask(operations.scheduleRuns, { id: which, limit: 10 });
  if (found.length === 0) return { text: `${texts.runsOf(literal(name))}\n${texts.noRuns}` };
  const states = commonTexts(look.language);
  const lines = found.map(({ run_id: id, slot, reason, output_summary: said, ...run }) =>
    texts.runLine({
      when: slot === null ? "" : literal(inWords(fromIso(slot), look.zone, look.language)),
      state: literal(states.state(statusLabel(run))),
      said: literal(reason === null ? (said ?? "") : states.reason(reason), 80),
      id: short(id),
    }),
  );
  return { text: [texts.runsOf(literal(name)), ...lines].join("\n") };
}

async function schedules(turn: Turn): Promise<ChatAnswer> {
  const { look, texts, operations } = turn;
  const { schedules: all } = await turn.ask(operations.searchSchedules, { limit: 20 });
  if (all.length === 0) return { text: texts.noSchedules };
  const states = commonTexts(look.language);
  const lines = all.map(({ id, name, when, next_run_at: at, last_run_status: state }) =>
    texts.scheduleLine({
      name: literal(name, 60),
      when: literal(when),
      next: at === null ? null : distance(fromIso(at) - look.now, look.language),
      state: state === null ? null : states.state(state),
      id: short(id),
    }),
  );
  return { text: [texts.whichSchedule, ...lines].join("\n") };
}

/** By its name, its id or the end of that. */
async function typedSchedule(turn: Turn, words: string): Promise<string> {
  const typed = words.trim();
  if (!isId(typed)) return typed;
  try {
    return (await findRecord(turn, typed, [scheduleKind])).id;
  } catch (error) {
    if (!hasCode(error, "not_found")) throw error;
    return typed;
  }
}

async function repliedSchedule(turn: Turn): Promise<string | undefined> {
  const run = await repliedRun(turn);
  return run?.body.slot?.schedule;
}

/** The run whose output or question was replied to. */
async function repliedRun(turn: Turn): Promise<LedgerRecord<TaskKind> | undefined> {
  const replied = await turn.replied();
  const id = replied?.body.type === "question" ? replied.body.relatedTaskId : replied?.parent;
  return recordOf(turn.book, taskKind, id);
}

/** `/output RUN`, or as an answer to what a run said. */
export async function output(turn: Turn, words: string): Promise<ChatAnswer> {
  const { texts, operations } = turn;
  const typed = words.trim();
  const run = typed === "" ? await repliedRun(turn) : await findRecord(turn, typed, [taskKind]);
  if (run === undefined) return { text: texts.whichOne("output") };
  const part = await turn.ask(operations.runOutput, { id: run.id });
  if (part.chunk.trim() === "") return { text: texts.noOutput(part.at_work) };
  const left = part.remaining > 0 ? [texts.outputLeft(part.remaining)] : [];
  return { text: [fenced(part.chunk), ...left].join("\n") };
}

/** `/answer RUN TEXT`, or a question's code in its place. */
export async function answer(turn: Turn, words: string): Promise<ChatAnswer> {
  const { texts } = turn;
  const [first = ""] = words.trim().split(/\s/, 1);
  const text = words.trim().slice(first.length).trim();
  const isCode = questionCode.test(first);
  if ((!isId(first) && !isCode) || text === "") return { text: texts.whichOne("answer") };
  try {
    if (isCode) return await answerQuestion(turn, first, text);
  } catch (error) {
    if (!hasCode(error, "not_found") || !isId(first)) throw error;
  }
  const { id } = await findRecord(turn, first, [taskKind]);
  return answerRun(turn, id, text);
}

/** `q-20260207-001`, or the end of it. */
const questionCode = /^#?(?:q-)?[\d-]{3,30}$/i;

/** A refusal is shown as it is: the operation knows the language. */
async function answerQuestion(turn: Turn, which: string, text: string): Promise<ChatAnswer> {
  const id = which.replace(/^#/, "").toLowerCase();
  try {
    await turn.ask(turn.operations.answerQuestion, { id, answer: text.trim() });
    return { text: turn.texts.answered };
  } catch (error) {
    if (error instanceof DaybookError && error.details["refused"] !== undefined) {
      return { text: literal(error.message, 400) };
    }
    throw error;
  }
}

/** A reply to the question of a run is the answer. */
export async function answerTo(turn: Turn, said: string): Promise<ChatAnswer | undefined> {
  const replied = await turn.replied();
  if (replied !== undefined) {
    const { type, relatedTaskId: id, relatedQuestionId: question, seedType } = replied.body;
    // Programs may name questions of their own in their messages: those are not ours.
    if (seedType !== undefined && question !== undefined)
      return answerQuestion(turn, question, said);
    return type === "question" && id !== undefined ? answerRun(turn, id, said) : undefined;
  }
  const open = await openRunIn(turn);
  return open === undefined ? undefined : answerRun(turn, open.id, said);
}

/** A message in the thread of an open question is the answer, where no source makes an event of it. */
export async function answerInThread(turn: Turn): Promise<ChatAnswer | undefined> {
  const { content } = turn.incoming;
  if (!("text" in content) || content.inThread !== true) return undefined;
  const question = await questionIn(turn.book, turn.origin, true);
  return question === undefined ? undefined : answerQuestion(turn, question.id, content.text);
}

async function answerRun(turn: Turn, id: string, text: string): Promise<ChatAnswer> {
  await turn.ask(turn.operations.answerRun, { id, answer: text.trim() });
  return { text: turn.texts.answered };
}

/** In a thread nobody can answer to one message: the newest that asks there is meant. */
async function openRunIn({
  incoming: { content },
  book,
  origin,
}: Turn): Promise<LedgerRecord<TaskKind> | undefined> {
  if (!("text" in content) || content.inThread !== true) return undefined;
  const query = { kind: taskKind, state: "needs_human", order: "newest", limit: 200 } as const;
  const { records } = await book.list(query);
  return records
    .filter((record) => is(taskKind, record))
    .find(({ body, cancelling }) => body.target === origin && !cancelling);
}
