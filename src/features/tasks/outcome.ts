import * as z from "zod";
import { count, json, moment } from "../../kernel/schemas.ts";
import type { Draft } from "../../kernel/unit.ts";

/** What an agent used. */
const usage = z.strictObject({
  turns: z.number(),
  /** In the currency that the prices are set in. */
  cost: z.number(),
});
export type Usage = z.output<typeof usage>;

/** Each kind's own schemas describe its drafts: here it is enough that there is a kind. */
const draft = z.custom<Draft>(
  (value) => typeof value === "object" && value !== null && "kind" in value && "body" in value,
);

const ends = {
  /** The last line that a program wrote: it may say how it ended. */
  lastLine: z.string().exactOptional(),
  exit: z.number().exactOptional(),
  usage: usage.exactOptional(),
};

const completed = z.strictObject({
  result: z.literal("completed"),
  /** Sent in place of its output. */
  said: z.string().exactOptional(),
  /** Why it had nothing to do; then nothing is sent, whatever the policy. */
  nothingToDo: z.string().exactOptional(),
  /** What a function returned. */
  returned: json.exactOptional(),
  /** Committed with the end: notifications, further tasks. */
  consequences: z.array(draft).readonly().exactOptional(),
  ...ends,
});

const failed = z.strictObject({
  result: z.literal("failed"),
  reason: z.string(),
  /** False: trying again cannot help. */
  retry: z.boolean().exactOptional(),
  /** The service that failed asked for this pause. */
  retryAfterMs: z.number().exactOptional(),
  ...ends,
});

/** It needs a person; it is run again with the answer. */
const asks = z.strictObject({
  result: z.literal("asks"),
  question: z.string(),
  choices: z.array(z.string()).readonly().exactOptional(),
  /** How long to wait for an answer. */
  withinMs: z.number().exactOptional(),
});

/** A callback will report the end; until then nothing runs here. */
const later = z.strictObject({ result: z.literal("later") });

/** What a runner reports of an attempt. */
export type Ran = z.output<typeof completed | typeof failed | typeof asks | typeof later>;

/** What is known of an attempt: the runner's report, or why there is none. */
const runResult = z.discriminatedUnion("result", [
  completed,
  failed,
  asks,
  later,
  /** Nobody answered its question. */
  z.strictObject({ result: z.literal("unanswered") }),
  /** It was stopped before it came to an end of its own. */
  z.strictObject({ result: z.literal("stopped"), usage: usage.exactOptional() }),
  /** An attempt was cut off, and no other is made. */
  z.strictObject({ result: z.literal("interrupted") }),
]);
export type RunResult = z.output<typeof runResult>;

/** How the reason begins of an attempt that took too long. */
export const timedOutMark = "timed out after";

export function usageOf(ran: RunResult): Usage | undefined {
  return "usage" in ran ? ran.usage : undefined;
}

/** A run's own choice whether its output is sent, and with which text. */
const choice = z.strictObject({ notify: z.boolean(), message: z.string() });
export type Choice = z.output<typeof choice>;

const runOutput = z.strictObject({
  /** Bytes in the stream in all, earlier attempts included. */
  bytes: count,
  isCut: z.boolean(),
  /** It began with the marker, which was taken off; errors beside it do not count. */
  isMarked: z.boolean(),
  /** All that it wrote beside errors is this choice. */
  choice: choice.exactOptional(),
  /** The beginning of what this attempt wrote. */
  text: z.string(),
});
/** What an attempt wrote. */
export type RunOutput = z.output<typeof runOutput>;

/** One attempt as it was observed at its end. */
const runAttempt = z.strictObject({
  ran: runResult,
  startedAt: moment,
  output: runOutput,
  /** The callback that the run was given. */
  callback: json.exactOptional(),
});
export type RunAttempt = z.output<typeof runAttempt>;

/** What was observed of a run. */
export const outcome = z.strictObject({
  startedAt: moment.nullable(),
  finishedAt: moment.nullable(),
  /** Why it ended as it did, when it did not complete; `overlap`, `budget`, `paused` for a skipped one. */
  reason: z.string().nullable(),
  exit: z.number().nullable(),
  /** The beginning of its output, at most 500 characters. */
  summary: z.string().nullable(),
  /** The size of its whole output, which is the stream `output`; cut when it was too long. */
  outputBytes: count,
  outputCut: z.boolean(),
  turns: z.number().nullable(),
  cost: z.number().nullable(),
  /** The run's own report of its progress. */
  progress: z.string().nullable(),
  /** What it asked, while it waits for the answer. */
  question: z
    .strictObject({ text: z.string(), choices: z.array(z.string()).readonly() })
    .nullable(),
  /** When waiting for an answer ends; absent: never. */
  askedUntil: moment.exactOptional(),
  /** What a function returned. */
  result: json,
  /** The HTTP runner's callback. */
  callback: json.exactOptional(),
  /** When waiting for the callback ends. */
  awaitsUntil: moment.exactOptional(),
  /** It has the names that it must hold to run. */
  hasTurn: z.boolean().exactOptional(),
  /** It waits for capacity: a run that ends wakes the next in line. */
  isInLine: z.literal(true).exactOptional(),
  /** It ran, and the consequences of its end are not written yet. */
  ended: runAttempt.exactOptional(),
  /** Attempts before the record's own count of them began anew. */
  earlier: count.exactOptional(),
});
export type TaskOutcome = z.output<typeof outcome>;

/** Nothing was seen yet. */
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
