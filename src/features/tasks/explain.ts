import * as z from "zod";
import { explainPart } from "../../kernel/explain.ts";
import type { Reader } from "../../kernel/operation.ts";
import { bookOf } from "../../kernel/own-book.ts";
import type { Waits } from "../../kernel/story.ts";
import { fromIso } from "../../platform/iso-time.ts";
import { oneLine } from "../../platform/text.ts";
import { localTime } from "../accounts/index.ts";
import { sentBy, sentLine, sentView } from "../notifications/index.ts";
import { notifyPolicy, taskKind } from "./kind.ts";
import { isRunLocally } from "./operations/runnable.ts";
import { runView, shownRunOf } from "./operations/view.ts";
import { failureNotices, handledTasks } from "./ports.ts";
import {
  numbered,
  runCause,
  runCauseOf,
  runLines,
  slotLines,
  type RunCauseView,
  numberOf,
  runBefore,
} from "./run-cause.ts";
import { textsOf } from "./texts.ts";

const charsMax = 200;
const skips = ["overlap", "budget", "paused"] as const;

const view = runView.extend({
  number: z.number().nullable().describe("which of its schedule's runs; null: not known"),
  notify: notifyPolicy.nullable(),
  notify_after_failures: z.number().nullable().describe("failures in a row until they are told"),
  said: z.array(sentView).describe("what was said because of it, the oldest first"),
  unknown_task: z.string().optional().describe("a task that nobody here runs: it waits"),
});
type View = z.infer<typeof view>;

export const explainRun = explainPart({
  key: "run",
  kind: taskKind,
  view,
  otherwise: "null: it is no run",
  links: {
    run_before: { holds: "one", description: "what was at work when it was skipped for overlap" },
  },
  async build(record, { context, causes }) {
    const book = bookOf(context);
    const { name, slot } = record.body;
    const isUnknown = record.endedAt === null && !isRunLocally(name, context);
    return {
      ...(await shownRunOf(book, record, context.use(handledTasks))),
      number: await numberOf(book, record),
      notify: slot?.notify ?? null,
      notify_after_failures: context.use(failureNotices)(causes),
      said: await sentBy(book, record.id),
      ...(isUnknown ? { unknown_task: name } : {}),
      run_before: await runBefore(book, record),
    };
  },
  cause: {
    schema: runCause,
    build: async (record, context) => runCauseOf(record, await numberOf(bookOf(context), record)),
    lines: (run, standing, reader) => [
      ...runLines({ ...standing, run }, reader),
      ...slotLines(run, reader),
    ],
    rules: ({ notify }, { language }) =>
      notify === null ? [] : [textsOf(language).told(notify === "conditional")],
  },
  lines: {
    headline: (run, _head, reader) => headline(run, reader),
    message: ({ output_summary: summary }) => summary,
    request: ({ because }) => (because === "cadence" ? null : noRoute),
    time: slotLines,
    rules: (run, _story, { reader }) => rules(run, reader),
    sent: sentLines,
    next: (run, waits, reader) => (isOverdue(waits, reader) ? neverBegun(run, reader) : undefined),
  },
});

const noRoute = { origin: null, target_because: null };

/** Which run of what, how it ended, and why so. */
function headline(run: View, reader: Reader): string {
  const { id, number, status: state, finished_at: end, reason } = run;
  const texts = textsOf(reader.language);
  const when = end === null ? null : `${localTime(end, reader)} ${reader.zone}`;
  const name = oneLine(run.name, 100);
  const head = texts.runIs({ name, id: numbered(number, id), state, when });
  // Why it was skipped is one of the rules.
  const isShown = reason !== null && state !== "skipped";
  return isShown ? `${head}: ${oneLine(texts.reason(reason), charsMax)}` : head;
}

/** Why it ran, did not, or waits: overlap, budget, a question. */
function rules(
  { status, reason, run_before: before, input_required: question }: View & Before,
  reader: Reader,
): string[] {
  const skip = status === "skipped" ? reason : null;
  const earlier = before === null ? [] : runLines(before, reader);
  const asks = question && {
    question: oneLine(question.question, charsMax),
    choices: question.choices.join(" / "),
    id: question.id,
  };
  const texts = textsOf(reader.language);
  return [
    ...(skip === null ? [] : [[endReason(skip, reader), ...earlier].join(": ")]),
    ...(asks === null ? [] : [texts.asksForAnswer(asks).replaceAll("\n", " ")]),
  ];
}

interface Before {
  readonly run_before: RunCauseView | null;
}

/** Why a run ended as it did. Why a slot was skipped is one of few words, and explained in more. */
export function endReason(reason: string, { language }: Reader): string {
  const texts = textsOf(language);
  const skip = skips.find((each) => each === reason);
  return skip === undefined ? oneLine(texts.reason(reason), charsMax) : texts.skipped(skip);
}

/** What came of what it sent, or why it sent nothing. */
function sentLines(run: View, reader: Reader): string[] {
  const { said: sent, status, notify: policy, notify_after_failures: after } = run;
  if (sent.length > 0) return sent.map((each) => sentLine(each, reader));
  if (policy === null || run.task === "ping") return [];
  const texts = textsOf(reader.language);
  if (status === "completed") {
    // That it had nothing to do stands in the headline.
    return policy === "always" || run.reason !== null ? [] : [texts.untold(policy)];
  }
  const isFailed = status === "failed" || status === "interrupted";
  return isFailed && after !== null ? [texts.failureUntold(after)] : [];
}

/** Its time has come, and nobody is at work on it. */
function isOverdue({ at, holder }: Waits, { now }: Reader): boolean {
  return holder === null && at !== null && fromIso(at) <= now;
}

/** A worker outside must claim it, or a program that runs such tasks must start. */
function neverBegun(run: View, { language }: Reader): string | undefined {
  const { handler, task, unknown_task: unknown } = run;
  const texts = textsOf(language);
  if (handler !== null && task === handler) return texts.waitsForWorker({ handler });
  return unknown === undefined ? undefined : texts.nobodyRuns(unknown);
}
