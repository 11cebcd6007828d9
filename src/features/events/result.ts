import * as z from "zod";
import type { Json } from "../../platform/json.ts";
import { cut, harmless } from "../../platform/text.ts";
import { validationMessage } from "../../platform/validation-message.ts";
import type { RunOutput, RunResult } from "../tasks/index.ts";
/** Where results may ask to be told: a channel, a person or a direct chat of Slack. */
const channel = z
  .string()
  .regex(/^[CDU][A-Z0-9]+$/, 'write the id of a channel, like "C0123456789"')
  .max(31);
const words = (charsMax: number) => z.string().min(1).max(charsMax);

const summaryCharsMax = 20_000;
const errorCharsMax = 4_000;

/** What every result may have. */
const shared = {
  task_id: z.string().max(200),
  checkpoint_path: words(1_000).exactOptional(),
  memory_updates: z.array(words(4_000)).max(100).exactOptional(),
  /** What a program needs to go on where this one stopped. */
  session_id: words(200).exactOptional(),
};
/** What a result that is told of may have beside. */
const messageFields = {
  notify_channel: channel.exactOptional(),
  proclamation: z.strictObject({ channel, message: words(3_000) }).exactOptional(),
};
const error = words(errorCharsMax);
const summary = z.string().max(summaryCharsMax);
/** Where something else says it: an error, a reason or a question. */
const summaryBeside = summary.default("");

/** How a task of a handler ended, as whoever ran it says. */
export const resultSchema = z.discriminatedUnion("status", [
  z.strictObject({ ...shared, ...messageFields, status: z.literal("success"), summary }),
  z.strictObject({
    ...shared,
    ...messageFields,
    status: z.literal("failed"),
    summary: summaryBeside,
    error,
  }),
  z.strictObject({
    ...shared,
    ...messageFields,
    status: z.literal("killed"),
    summary: summaryBeside,
    error,
  }),
  z.strictObject({
    ...shared,
    ...messageFields,
    status: z.literal("skipped"),
    summary: summaryBeside,
    reason: words(errorCharsMax),
  }),
  z.strictObject({
    ...shared,
    status: z.literal("needs_human"),
    summary: summaryBeside,
    question: words(2_000),
    choices: z.array(words(200)).max(20).exactOptional(),
  }),
]);

export type Result = z.infer<typeof resultSchema>;
export type ResultStatus = Result["status"];
const statuses: readonly string[] = resultSchema.options.map(({ shape }) => shape.status.value);

/** Reads what a worker says of a task. Its own name for the task does not count; undefined: it is no result. */
export function readResult(said: unknown, taskId: string): Result | undefined {
  if (!isObject(said)) return undefined;
  return resultSchema.safeParse({ ...said, task_id: taskId }).data;
}

function isObject(said: unknown): said is { readonly [name: string]: unknown } {
  return typeof said === "object" && said !== null && !Array.isArray(said);
}

/** What is wrong with what a worker said, for whoever has to put it right. */
export function resultFault(said: unknown, taskId: string): string {
  const checked = resultSchema.safeParse({ ...(said as object), task_id: taskId });
  if (checked.success) return "";
  const isKnown = statuses.includes(String((said as { status?: unknown }).status));
  return isKnown
    ? validationMessage(said, checked.error)
    : `"status" must be one of ${statuses.join(", ")}`;
}

/** Attempts that end nothing: they are made again, or their end comes later. */
export type Unfinished = RunResult & { result: "stopped" | "later" };

/**
 * The result of an attempt: what it says itself, when that can be read; else what came of it. Whoever ends
 * without a word has failed, unless it ended well.
 */
export function resultOf(
  ran: Exclude<RunResult, Unfinished>,
  output: Pick<RunOutput, "text">,
  taskId: string,
): Result {
  const said = reportedResult(ran, taskId);
  if (said !== undefined) return said;
  const base = { task_id: taskId, summary: shown(output.text) };
  switch (ran.result) {
    case "completed":
      return completedAs(ran, base);
    case "failed":
      return { ...base, status: "failed", error: reason(ran.reason) };
    case "asks":
      return {
        ...base,
        status: "needs_human",
        question: cut(harmless(ran.question), 2_000) || "?",
        ...choicesOf(ran.choices ?? []),
      };
    case "interrupted":
      return { ...base, status: "killed", error: "the node went away in the middle of it" };
    case "unanswered":
      return { ...base, status: "failed", error: "nobody answered what it asked in time" };
  }
}

/** Without a result that can be read. */
function completedAs(
  ran: RunResult & { result: "completed" },
  base: Pick<Result, "task_id" | "summary">,
): Result {
  const { nothingToDo, said, returned } = ran;
  const fault = unreadable(ran, base.task_id);
  if (fault !== undefined) return { ...base, status: "failed", error: reason(fault) };
  if (nothingToDo !== undefined) {
    return { ...base, status: "skipped", reason: reason(nothingToDo) };
  }
  const text = said ?? (typeof returned === "string" ? returned : undefined);
  const { summary } = base;
  return { ...base, status: "success", summary: text === undefined ? summary : shown(text) };
}

/** What it says itself, as far as that can be read. */
function reportedResult(ran: RunResult, taskId: string): Result | undefined {
  const read = candidatesOf(ran).map((each) => readResult(each, taskId));
  return read.find((each) => each !== undefined);
}

/** Whoever says that it did not go well is believed, though the rest of it cannot be read: never a success. */
function unreadable(ran: RunResult, taskId: string): string | undefined {
  const wrong = candidatesOf(ran).find((each) => {
    const status = isObject(each) ? each["status"] : undefined;
    return typeof status === "string" && status !== "success" && statuses.includes(status);
  });
  if (wrong === undefined) return undefined;
  return `what it said is no result: ${resultFault(wrong, taskId)}`;
}

/** What a function returned, and the last line that a program wrote. */
function candidatesOf(ran: RunResult): readonly Json[] {
  const returned = ran.result === "completed" ? (ran.returned ?? null) : null;
  const last = ran.result === "completed" || ran.result === "failed" ? ran.lastLine : undefined;
  const line = last ?? (ran.result === "completed" ? ran.said?.trimEnd().split("\n").at(-1) : "");
  return [returned, parsed(line ?? "")];
}

function parsed(line: string): Json {
  if (!line.startsWith("{")) return null;
  try {
    return JSON.parse(line) as Json;
  } catch {
    return null;
  }
}

function choicesOf(choices: readonly string[]): { choices?: string[] } {
  const read = choices.slice(0, 20).map((each) => cut(harmless(each), 200));
  const some = read.filter((each) => each !== "");
  return some.length === 0 ? {} : { choices: some };
}

function reason(text: string): string {
  return cut(harmless(text), errorCharsMax) || "it failed without a word";
}

function shown(text: string): string {
  return cut(harmless(text.trim()), 500);
}
