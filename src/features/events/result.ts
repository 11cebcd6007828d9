import * as z from "zod";
import { present, readJson, type Json } from "../../platform/json.ts";
import { cut, cutUnits, harmless } from "../../platform/text.ts";
import { validationMessage } from "../../platform/validation-message.ts";
import type { RunOutput, RunResult } from "../tasks/index.ts";

/** Where a result may send messages: the id of a channel, a person or a direct chat of Slack. */
const channel = z
  .string()
  .regex(/^[CDU][A-Z0-9]+$/, 'write the id of a channel, like "C0123456789"')
  .max(31);
const text = (charsMax: number) => z.string().min(1).max(charsMax);

const summaryCharsMax = 20_000;
const errorCharsMax = 4_000;

/** The fields of every result. */
const shared = {
  task_id: z.string().max(200),
  checkpoint_path: text(1_000).exactOptional(),
  memory_updates: z.array(text(4_000)).max(100).exactOptional(),
  /** The session that a program resumes. */
  session_id: text(200).exactOptional(),
};
/** The messages of a result. */
const messageFields = {
  notify_channel: channel.exactOptional(),
  proclamation: z.strictObject({ channel, message: text(3_000) }).exactOptional(),
};
const error = text(errorCharsMax);
const summary = z.string().max(summaryCharsMax);
/** Not required where an error, a reason or a question describes the end. */
const optionalSummary = summary.default("");

/** How a task of a handler ended, as its program, agent or worker reports it. */
export const resultSchema = z.discriminatedUnion("status", [
  z.strictObject({ ...shared, ...messageFields, status: z.literal("success"), summary }),
  z.strictObject({
    ...shared,
    ...messageFields,
    status: z.literal("failed"),
    summary: optionalSummary,
    error,
  }),
  z.strictObject({
    ...shared,
    ...messageFields,
    status: z.literal("killed"),
    summary: optionalSummary,
    error,
  }),
  z.strictObject({
    ...shared,
    ...messageFields,
    status: z.literal("skipped"),
    summary: optionalSummary,
    reason: text(errorCharsMax),
  }),
  z.strictObject({
    ...shared,
    ...messageFields, // a program may always add them; only the question is sent
    status: z.literal("needs_human"),
    summary: optionalSummary,
    question: text(2_000),
    choices: z.array(text(200)).max(20).exactOptional(),
  }),
]);

export type Result = z.infer<typeof resultSchema>;
export type ResultStatus = Result["status"];
const statuses: readonly ResultStatus[] = resultSchema.options.map(
  ({ shape }) => shape.status.value,
);

/** Parses the result of a task. The task id in it is ignored; undefined: it is not a valid result. */
export function readResult(value: unknown, taskId: string): Result | undefined {
  if (!isObject(value)) return undefined;
  return resultSchema.safeParse({ ...value, task_id: taskId }).data;
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is wrong with a result and how to write it, for the person who must correct it. */
export function resultFault(value: unknown, taskId: string): string {
  const checked = resultSchema.safeParse({ ...(value as object), task_id: taskId });
  if (checked.success) return "";
  const status = statuses.find((each) => each === (value as { status?: unknown }).status);
  const wrong =
    status === undefined
      ? `"status" must be one of ${statuses.join(", ")}`
      : validationMessage(value, checked.error);
  return `${wrong}: write it like ${JSON.stringify(examples[status ?? "success"])}`;
}

/** A short result of each status. */
const examples: { readonly [Status in ResultStatus]: object } = {
  success: { status: "success", summary: "3 files written" },
  failed: { status: "failed", error: "the network is down" },
  killed: { status: "killed", error: "told to stop" },
  skipped: { status: "skipped", reason: "it is a draft" },
  needs_human: { status: "needs_human", question: "Merge it?" },
};

/** The reason of a task whose result is not valid. */
export function invalidResult(wrong: string): string {
  return `its result is not valid: ${wrong}`;
}

/**
 * The result of an attempt: the one that it reported, if that is valid, else one made of its outcome. An attempt
 * without a report has failed, unless it completed.
 */
export function resultOf(
  ran: Exclude<RunResult, { result: "stopped" | "later" }>,
  output: Pick<RunOutput, "text">,
  taskId: string,
): Result {
  const reported = reportedResult(ran, taskId);
  if (reported !== undefined) return reported;
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
        ...present({ choices: choicesOf(ran.choices ?? []) }),
      };
    case "interrupted":
      return { ...base, status: "killed", error: "the node went away in the middle of it" };
    case "unanswered":
      return { ...base, status: "failed", error: "nobody answered what it asked in time" };
  }
}

/** The result of an attempt that completed without a valid report. */
function completedAs(
  ran: RunResult & { result: "completed" },
  base: Pick<Result, "task_id" | "summary">,
): Result {
  const { nothingToDo, said, returned } = ran;
  const fault = faultOfReport(ran, base.task_id);
  if (fault !== undefined) return { ...base, status: "failed", error: reason(fault) };
  if (nothingToDo !== undefined) {
    return { ...base, status: "skipped", reason: reason(nothingToDo) };
  }
  const text = said ?? (typeof returned === "string" ? returned : undefined);
  const own =
    text === undefined ? {} : { summary: cutUnits(harmless(text.trim()), summaryCharsMax) };
  return { ...base, status: "success", ...own };
}

/** The result that the attempt reported. */
function reportedResult(ran: RunResult, taskId: string): Result | undefined {
  const read = candidatesOf(ran).map((each) => readResult(each, taskId));
  return read.find((each) => each !== undefined);
}

/** An invalid report is never taken for a success, nor its text for a summary. */
function faultOfReport(ran: RunResult, taskId: string): string | undefined {
  const read = readLine(lineOf(ran));
  if ("wrong" in read) return invalidResult(read.wrong);
  const returned = returnedOf(ran);
  const isStatus = isObject(returned) && statuses.some((each) => each === returned["status"]);
  if (isStatus) return invalidResult(resultFault(returned, taskId));
  const { json } = read;
  const isReport = isObject(json) && reportNames.some((name) => Object.hasOwn(json, name));
  return isReport ? invalidResult(resultFault(json, taskId)) : undefined;
}

/** A line of JSON with one of these is meant as a result; any other is output, such as a line of a log. */
const reportNames = ["status", "summary", "task_id"];

/** The value that a function returned, and the last line that a program wrote. */
function candidatesOf(ran: RunResult): readonly Json[] {
  const read = readLine(lineOf(ran));
  return [returnedOf(ran), "json" in read ? read.json : null];
}

function returnedOf(ran: RunResult): Json {
  return ran.result === "completed" ? (ran.returned ?? null) : null;
}

function lineOf(ran: RunResult): string {
  const last = ran.result === "completed" || ran.result === "failed" ? ran.lastLine : undefined;
  const said = ran.result === "completed" ? ran.said?.trimEnd().split("\n").at(-1) : undefined;
  return last ?? said ?? "";
}

/** Null: the line is not meant as JSON, such as `{name} was deployed`. */
function readLine(line: string): { json: Json } | { wrong: string } {
  if (!/^\{\s*(["'}]|\w+\s*:)/.test(line)) return { json: null };
  const read = readJson(new TextEncoder().encode(line));
  // It was parsed from JSON.
  if ("value" in read) return { json: read.value as Json };
  return { wrong: unreadable(read.wrong) };
}

/** What is wrong with the text of a result, and how to write it. */
export function unreadable(wrong: string): string {
  return `${wrong} Write it like ${JSON.stringify(examples.success)}`;
}

function choicesOf(choices: readonly string[]): string[] | undefined {
  const read = choices.slice(0, 20).map((each) => cut(harmless(each), 200));
  const some = read.filter((each) => each !== "");
  return some.length === 0 ? undefined : some;
}

function reason(text: string): string {
  return cut(harmless(text), errorCharsMax) || "it failed without a reason";
}

function shown(text: string): string {
  return cut(harmless(text.trim()), 500);
}
