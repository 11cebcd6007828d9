import * as z from "zod";
import { count, json, moment } from "../../kernel/schemas.ts";
import type { Draft } from "../../kernel/unit.ts";

/** What the run of an agent used. */
const usage = z.strictObject({
  turns: z.number(),
  /** In the currency of the prices in the settings. */
  cost: z.number(),
});
export type Usage = z.output<typeof usage>;

/** A draft of any kind; the schemas of its own kind check the rest. */
const draft = z.custom<Draft>(
  (value) => typeof value === "object" && value !== null && "kind" in value && "body" in value,
);

const ends = {
  /** The last line that a program wrote, which may report its result. */
  lastLine: z.string().exactOptional(),
  exit: z.number().exactOptional(),
  usage: usage.exactOptional(),
};

const completed = z.strictObject({
  result: z.literal("completed"),
  /** The text to send in place of the output. */
  said: z.string().exactOptional(),
  /** Why the run had nothing to do: then nothing is sent, whatever the policy. */
  nothingToDo: z.string().exactOptional(),
  /** The result of a function. */
  returned: json.exactOptional(),
  /** Records that are written in the unit of the end: notifications, further tasks. */
  consequences: z.array(draft).readonly().exactOptional(),
  ...ends,
});

const failed = z.strictObject({
  result: z.literal("failed"),
  reason: z.string(),
  /** False: a retry cannot help. */
  retry: z.boolean().exactOptional(),
  /** The pause that the failing service requested. */
  retryAfterMs: z.number().exactOptional(),
  ...ends,
});

/** The run needs an answer from a person, and runs again with it. */
const asks = z.strictObject({
  result: z.literal("asks"),
  question: z.string(),
  choices: z.array(z.string()).readonly().exactOptional(),
  /** How long to wait for the answer. */
  withinMs: z.number().exactOptional(),
});

/** A callback will report the end. Nothing runs here until then. */
const later = z.strictObject({ result: z.literal("later") });

/** The result of an attempt, as a runner reports it. */
export type Ran = z.output<typeof completed | typeof failed | typeof asks | typeof later>;

/** The result of an attempt: the report of the runner, or why there is none. */
const runResult = z.discriminatedUnion("result", [
  completed,
  failed,
  asks,
  later,
  /** The answer to its question did not come in time. */
  z.strictObject({ result: z.literal("unanswered") }),
  /** It was aborted before it ended by itself. */
  z.strictObject({ result: z.literal("stopped"), usage: usage.exactOptional() }),
  /** The attempt was cut off by a crash, and is not retried. */
  z.strictObject({ result: z.literal("interrupted") }),
]);
export type RunResult = z.output<typeof runResult>;

/** The start of the reason of an attempt that timed out. */
export const timedOutMark = "timed out after";

export function usageOf(ran: RunResult): Usage | undefined {
  return "usage" in ran ? ran.usage : undefined;
}

/** The decision of a run about its own notification: whether it is sent, and with which text. */
const choice = z.strictObject({ notify: z.boolean(), message: z.string() });
export type Choice = z.output<typeof choice>;

const runOutput = z.strictObject({
  /** The size of the stream, earlier attempts included. */
  bytes: count,
  isCut: z.boolean(),
  /** The output started with the marker, which was removed. Errors do not count. */
  isMarked: z.boolean(),
  /** The decision, if the output without its errors is nothing else. */
  choice: choice.exactOptional(),
  /** The start of the output of this attempt. */
  text: z.string(),
});
/** The output of an attempt. */
export type RunOutput = z.output<typeof runOutput>;

/** One attempt, observed at its end. */
const runAttempt = z.strictObject({
  ran: runResult,
  startedAt: moment,
  output: runOutput,
  /** The callback that the attempt received as input. */
  callback: json.exactOptional(),
});
export type RunAttempt = z.output<typeof runAttempt>;

/** The observed state of a run. */
export const outcome = z.strictObject({
  startedAt: moment.nullable(),
  finishedAt: moment.nullable(),
  /** Why it did not complete; `overlap`, `budget` or `paused` if it was skipped. */
  reason: z.string().nullable(),
  exit: z.number().nullable(),
  /** The start of its output, at most 500 characters. */
  summary: z.string().nullable(),
  /** The size of the stream `output`, and whether the output was too long and was cut. */
  outputBytes: count,
  outputCut: z.boolean(),
  turns: z.number().nullable(),
  cost: z.number().nullable(),
  /** The progress that the run last reported. */
  progress: z.string().nullable(),
  /** The open question, while it waits for the answer. */
  question: z
    .strictObject({ text: z.string(), choices: z.array(z.string()).readonly() })
    .nullable(),
  /** Until when it waits for the answer; absent: without a limit. */
  askedUntil: moment.exactOptional(),
  /** The result of a function. */
  result: json,
  /** The callback for a run of the HTTP runner. */
  callback: json.exactOptional(),
  /** Until when it waits for the callback. */
  awaitsUntil: moment.exactOptional(),
  /** Whether it holds the names in `turns`, and its slot of the runner. */
  hasTurn: z.boolean().exactOptional(),
  /** It waits for capacity: the end of another run wakes the next in line. */
  isInLine: z.literal(true).exactOptional(),
  /** The rate of its handler is used up until then. */
  rateUntil: moment.exactOptional(),
  /** An attempt that ended, and whose consequences are not written yet. */
  ended: runAttempt.exactOptional(),
  /** Attempts before the count of the record last restarted. */
  earlier: count.exactOptional(),
});
export type TaskOutcome = z.output<typeof outcome>;

/** The outcome before the first attempt. */
export const emptyOutcome: TaskOutcome = {
  startedAt: null,
  finishedAt: null,
  reason: null,
  exit: null,
  summary: null,
  outputBytes: 0,
  outputCut: false,
  turns: null,
  cost: null,
  progress: null,
  question: null,
  result: null,
};
