import * as z from "zod";
import { bookOf } from "../../kernel/book.ts";
import { explainPart, type WaitView } from "../../kernel/explain.ts";
import type { Reader } from "../../kernel/operation.ts";
import { fromIso } from "../../platform/iso-time.ts";
import { withoutUndefined } from "../../platform/json.ts";
import { oneLine } from "../../platform/text.ts";
import { localTime } from "../accounts/index.ts";
import { sentBy, sentLine, sentView } from "../notifications/index.ts";
import { notifyPolicy, taskKind } from "./kind.ts";
import { answerCommand } from "./operations/handler-view.ts";
import { runNumber, unknownTask } from "./operations/inputs.ts";
import { isRunLocally } from "./operations/runnable.ts";
import { runView, runViewOf } from "./operations/view.ts";
import { failureNotices } from "./ports.ts";
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
  number: runNumber,
  notify: notifyPolicy.nullable(),
  notify_after_failures: z
    .number()
    .nullable()
    .describe("after how many failures in a row a notice is sent"),
  said: z.array(sentView).describe("the notifications that it caused, the oldest first"),
  unknown_task: unknownTask,
});
type View = z.infer<typeof view>;

export const explainRun = explainPart({
  key: "run",
  kind: taskKind,
  view,
  nullMeaning: "null: it is not a run",
  links: {
    run_before: {
      holds: "one",
      description: "the run that was still running when this one was skipped for overlap",
    },
  },
  async build(record, { context, causes }) {
    const book = bookOf(context);
    const { name, slot } = record.body;
    const isUnknown = record.endedAt === null && !isRunLocally(name, context);
    return withoutUndefined({
      ...(await runViewOf(record, context)),
      number: await numberOf(book, record),
      notify: slot?.notify ?? null,
      notify_after_failures: context.use(failureNotices)(causes),
      said: await sentBy(book, record.id),
      unknown_task: isUnknown ? name : undefined,
      run_before: await runBefore(book, record),
    });
  },
  cause: {
    schema: runCause,
    build: async (record, context) => runCauseOf(record, await numberOf(bookOf(context), record)),
    lines: (run, standing, reader) => [
      ...runLines({ ...standing, run }, reader),
      ...slotLines(run, reader),
    ],
    rules: ({ notify }, { language }) =>
      notify === null ? [] : [textsOf(language).outputSent(notify === "conditional")],
  },
  lines: {
    headline: (run, _head, reader) => headline(run, reader),
    message: ({ output_summary: summary }) => summary,
    request: ({ because }) => (because === "cadence" ? null : noRoute),
    time: slotLines,
    rules: (run, _story, { reader }) => rules(run, reader),
    sent: sentLines,
    next: (run, waits, reader) =>
      run.waiting?.for === "rate"
        ? run.waiting.text
        : isOverdue(waits, reader)
          ? notStarted(run, reader)
          : undefined,
  },
});

const noRoute = { origin: null, target_because: null };

/** Which run it is, how it ended, and why. */
function headline(run: View, reader: Reader): string {
  const { id, number, status: state, finished_at: end, reason } = run;
  const texts = textsOf(reader.language);
  const when = end === null ? null : `${localTime(end, reader)} ${reader.zone}`;
  const name = oneLine(run.name, 100);
  const head = texts.runLine({ name, id: numbered(number, id), state, when });
  // The reason of a skip is one of the rules.
  const isShown = reason !== null && state !== "skipped";
  return isShown ? `${head}: ${oneLine(texts.reason(reason), charsMax)}` : head;
}

/** Why it was skipped, or waits: overlap, budget, a question. */
function rules(
  {
    id,
    status,
    reason,
    run_before: before,
    input_required: question,
  }: View & { readonly run_before: RunCauseView | null },
  reader: Reader,
): string[] {
  const skip = status === "skipped" ? reason : null;
  const earlier = before === null ? [] : runLines(before, reader);
  const asks = question && {
    question: oneLine(question.question, charsMax),
    choices: question.choices.join(" / "),
    command: answerCommand(id, question),
  };
  const texts = textsOf(reader.language);
  return [
    ...(skip === null ? [] : [[endReason(skip, reader), ...earlier].join(": ")]),
    ...(asks === null ? [] : [texts.inputRequired(asks).replaceAll("\n", " ")]),
  ];
}

/** Why a run ended in its state. The stored reason of a skip is one word, and is explained in a sentence. */
export function endReason(reason: string, { language }: Reader): string {
  const texts = textsOf(language);
  const skip = skips.find((each) => each === reason);
  return skip === undefined ? oneLine(texts.reason(reason), charsMax) : texts.skipped(skip);
}

/** The notifications that it sent, or why it sent none. */
function sentLines(run: View, reader: Reader): string[] {
  const { said: sent, status, notify: policy, notify_after_failures: after } = run;
  if (sent.length > 0) return sent.map((each) => sentLine(each, reader));
  if (policy === null || run.task === "ping") return [];
  const texts = textsOf(reader.language);
  if (status === "completed") {
    // The headline shows that it had nothing to do.
    return policy === "always" || run.reason !== null ? [] : [texts.outputNotSent(policy)];
  }
  const isFailed = status === "failed" || status === "interrupted";
  return isFailed && after !== null ? [texts.failureNotSent(after)] : [];
}

/** It is due, and no runner has it. */
function isOverdue({ at, holder }: WaitView, { now }: Reader): boolean {
  return holder === null && at !== null && fromIso(at) <= now;
}

/** It waits for an external worker, or for a program that runs tasks of its name. */
function notStarted(run: View, { language }: Reader): string | undefined {
  const { handler, task, unknown_task: unknown } = run;
  const texts = textsOf(language);
  if (handler !== null && task === handler) return texts.waitsForWorker({ handler });
  return unknown === undefined ? undefined : texts.noRunner(unknown);
}
