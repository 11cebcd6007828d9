import * as z from "zod";
import { bookOf, findRecord } from "../../../kernel/book.ts";
import { operation } from "../../../kernel/operation.ts";
import type { Claimed } from "../../../kernel/record.ts";
import { DaybookError, fromErrorData } from "../../../platform/errors.ts";
import { fromIso, isoOf } from "../../../platform/iso-time.ts";
import { cut, harmless, numberOr } from "../../../platform/text.ts";
import { inWords } from "../../../time/times.ts";
import {
  taskKind,
  runId,
  runView,
  runViewOf,
  emptyOutcome,
  progressEveryMs,
  progressText,
  type TaskKind,
  type TaskOutcome,
} from "../../tasks/index.ts";
import { readResult, resultFault } from "../result.ts";
import { textsOf } from "../texts.ts";
import { endTask, heldTask } from "./worker.ts";

const ticket = z.coerce.number().int().min(0).describe("the ticket that the claim returned");

const progressCharsMax = 200;

const text = z.string();

/** The schema of the result checks which fields a status needs. */
const input = z.strictObject({
  id: runId,
  ticket,
  status: z
    .enum(["success", "failed", "needs_human", "skipped", "killed"])
    .describe("how it ended: success, failed, needs_human, skipped or killed"),
  summary: text.optional().describe("the result as a text; required for success"),
  error: text.optional().describe("the error; required for failed and killed"),
  reason: text.optional().describe("why there was nothing to do; required for skipped"),
  question: text.optional().describe("the question to a person; required for needs_human"),
  choices: z
    .array(text)
    .optional()
    .describe("the possible answers, with commas between. Default: any answer"),
  session_id: text.optional().describe("the session that the answer resumes"),
  notify_channel: text
    .optional()
    .describe(
      "the Slack channel that is notified, such as C0123456789. Default: the thread of the task",
    ),
  proclamation: z
    .strictObject({
      channel: text.describe("the Slack channel, such as C0123456789"),
      message: text.describe("the text"),
    })
    .optional()
    .describe("a message to another channel"),
  checkpoint_path: text.optional().describe("the path of its work so far"),
  memory_updates: z.array(text).optional().describe("what it learned, with commas between"),
  task_id: text.optional().describe("the id of the task again; another id is refused"),
});

export const resultTask = operation({
  name: "result_task",
  summary: "Report the result of a task that you claimed.",
  input,
  output: runView,
  example: { id: "task-20261115-001", ticket: 1, status: "success", summary: "written" },
  route: { method: "POST", path: "/v1/tasks/{id}/result" },
  command: { name: "worker result", positionals: ["id", "ticket", "status", "summary"] },
  async run({ id: typed, ticket: fence, task_id: named = typed, ...report }, context) {
    const record = await heldTask(context, typed, fence);
    const { id } = record;
    if (![typed, id].includes(named)) {
      const sentence = `The result of ${named} was sent for ${id}: send each result for its own task.`;
      throw new DaybookError("conflict", sentence, { details: { id, task_id: named } });
    }
    const result = readResult(report, id);
    if (result === undefined) {
      const sentence = `This is not a valid result: ${resultFault(report, id)}.`;
      throw new DaybookError("invalid", sentence);
    }
    await endTask(context, record, result);
    return runViewOf(await findRecord(bookOf(context), taskKind, id), context);
  },
  render({ id, status, finished_at: end, next_at: next }, { language, zone }) {
    const texts = textsOf(language);
    const hasEnded = next === null || (end !== null && status !== "pending");
    const again = hasEnded ? null : `${inWords(fromIso(next), zone, language)} ${zone}`;
    return texts.resultTaken({ id, state: texts.state(status), again });
  },
});
/** Progress is saved every few seconds at most, however often the worker reports it. */
function reported(
  { outcome, lease, updatedAt }: Claimed<TaskKind>,
  { progress, note }: { progress?: string | undefined; note?: string | undefined },
  now: number,
): { outcome?: TaskOutcome; note?: string } {
  if (progress === undefined) return {};
  const text = cut(harmless(progressText(numberOr(progress), note)), progressCharsMax);
  const before = outcome ?? emptyOutcome;
  if (text === before.progress) return {};
  if (before.progress !== null && now - updatedAt < progressEveryMs) return {};
  const saved = { ...before, startedAt: lease.claimedAt, progress: text };
  return { outcome: saved, note: text };
}

const output = z.object({
  id: z.string(),
  lease_until: z.string().describe("when the lease ends; a heartbeat before this time extends it"),
  cancelling: z.boolean().describe("the task was cancelled: stop and send the result so far"),
});

export const heartbeatTask = operation({
  name: "heartbeat_task",
  summary: "Extend the lease of a task that you claimed.",
  input: z.strictObject({
    id: runId,
    ticket,
    progress: z.coerce
      .string()
      .max(1_000)
      .optional()
      .describe("the part that is done, such as 0.4, or a few words"),
    note: z.string().max(1_000).optional().describe("words beside it, such as '3 of 5 files'"),
  }),
  output,
  aliases: { task_id: "id" },
  example: { id: "task-20261115-001", ticket: 1, progress: "0.5" },
  route: { method: "POST", path: "/v1/tasks/{id}/heartbeat" },
  command: { name: "worker heartbeat", positionals: ["id", "ticket"] },
  async run({ id: typed, ticket: fence, ...report }, context): Promise<z.infer<typeof output>> {
    const record = await heldTask(context, typed, fence);
    const { id, body } = record;
    const { timeoutMs: leaseMs } = body;
    const unit = { id, fence, leaseMs, ...reported(record, report, context.now()) };
    const [kept] = await context.ledger.work.keep([unit]);
    if (kept?.result === "refused") throw fromErrorData(kept.error);
    if (kept?.result !== "kept") {
      const sentence = `Another worker holds ${id} now: stop working on it and claim it again.`;
      throw new DaybookError("stale", sentence, { details: { id } });
    }
    const { cancelling } = kept;
    return { id, lease_until: isoOf(context.now() + leaseMs), cancelling };
  },
  render({ id, lease_until: end, cancelling: isCancelling }, { language, zone }) {
    const until = `${inWords(fromIso(end), zone, language)} ${zone}`;
    return textsOf(language).keptUntil({ id, until, isCancelling });
  },
});
