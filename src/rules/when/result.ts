import * as z from "zod";
import type { Json } from "../../base/json.ts";
import type { RunOutput, RunResult } from "../runs/run-result.ts";
import { cut, harmless } from "../text.ts";

/** Where results may ask to be told: a channel, a person or a direct chat of Slack. */
const channel = z
  .string()
  .regex(/^[CDU][A-Z0-9]+$/)
  .max(31);
const words = (charsMax: number) => z.string().min(1).max(charsMax);

const summaryCharsMax = 20_000;
const errorCharsMax = 4_000;

/** What every result may have. */
const shared = {
  task_id: z.string().max(200),
  summary: z.string().max(summaryCharsMax),
  checkpoint_path: words(1_000).exactOptional(),
  memory_updates: z.array(words(4_000)).max(100).exactOptional(),
  /** What a program needs to go on where this one stopped. */
  session_id: words(200).exactOptional(),
};
/** What a result that is told of may have beside. */
const told = {
  notify_channel: channel.exactOptional(),
  proclamation: z.strictObject({ channel, message: words(3_000) }).exactOptional(),
};
const error = words(errorCharsMax);

/** How a task of a handler ended, as whoever ran it says. */
export const resultSchema = z.discriminatedUnion("status", [
  z.strictObject({ ...shared, ...told, status: z.literal("success") }),
  z.strictObject({ ...shared, ...told, status: z.literal("failed"), error }),
  z.strictObject({ ...shared, ...told, status: z.literal("killed"), error }),
  z.strictObject({
    ...shared,
    ...told,
    status: z.literal("skipped"),
    reason: words(errorCharsMax),
  }),
  z.strictObject({
    ...shared,
    status: z.literal("needs_human"),
    question: words(2_000),
    choices: z.array(words(200)).max(20).exactOptional(),
  }),
]);

export type Result = z.infer<typeof resultSchema>;
export type ResultStatus = Result["status"];

/** Reads what a worker says of a task. Its own name for the task does not count; undefined: it is no result. */
export function readResult(said: unknown, taskId: string): Result | undefined {
  const isObject = typeof said === "object" && said !== null && !Array.isArray(said);
  return isObject ? resultSchema.safeParse({ ...said, task_id: taskId }).data : undefined;
}

/** What is wrong with what a worker said, for whoever has to put it right. */
export function resultFault(said: unknown, taskId: string): string {
  const checked = resultSchema.safeParse({ ...(said as object), task_id: taskId });
  if (checked.success) return "";
  return checked.error.issues
    .map(({ path, message }) => `${path.length === 0 ? "the result" : path.join(".")}: ${message}`)
    .join("; ");
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
  const said = saidResult(ran, taskId);
  if (said !== undefined) return said;
  const base = { task_id: taskId, summary: shown(output.text) };
  switch (ran.result) {
    case "completed": {
      const text = ran.said ?? (typeof ran.returned === "string" ? ran.returned : undefined);
      return { ...base, status: "success", summary: shown(text ?? output.text) };
    }
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

/** The last line that a program wrote, or what a function returned. */
function saidResult(ran: RunResult, taskId: string): Result | undefined {
  if (ran.result === "completed" && ran.returned !== undefined) {
    const returned = readResult(ran.returned, taskId);
    if (returned !== undefined) return returned;
  }
  const last = ran.result === "completed" || ran.result === "failed" ? ran.lastLine : undefined;
  const line = last ?? (ran.result === "completed" ? ran.said?.trimEnd().split("\n").at(-1) : "");
  return readResult(parsed(line ?? ""), taskId);
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
