import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import { DaybookError, fromErrorData } from "../../../platform/errors.ts";
import { fromIso, isoOf } from "../../../platform/iso-time.ts";
import { cut, harmless } from "../../../platform/text.ts";
import { inWords } from "../../../time/times.ts";
import { taskKind, runId, runView, runViewOf, emptyOutcome } from "../../tasks/index.ts";
import { readResult, resultFault } from "../result.ts";
import { textsOf } from "../texts.ts";
import { handledTasks } from "./tasks.ts";
import { endTask, heldTask } from "./worker.ts";

const ticket = z.coerce.number().int().min(0).describe("the ticket that was given with the task");

const progressCharsMax = 200;

const text = z.string();

/** As it is written; what belongs to which status is for the result's own schema to say. */
const input = z.strictObject({
  id: runId,
  ticket,
  status: z
    .enum(["success", "failed", "needs_human", "skipped", "killed"])
    .describe("how it ended: success, failed, needs_human, skipped or killed"),
  summary: text.optional().describe("what was done, for whoever reads it; needed for success"),
  error: text.optional().describe("what went wrong, of one that failed or was killed"),
  reason: text.optional().describe("why nothing was done, of one that was skipped"),
  question: text.optional().describe("what a person must say, of one that needs a human"),
  choices: z.array(text).optional().describe("what may be answered, with commas between"),
  session_id: text.optional().describe("what is needed to go on with the answer"),
  notify_channel: text.optional().describe("the channel that is told, instead of the thread"),
  proclamation: z
    .strictObject({
      channel: text.describe("where something is proclaimed beside"),
      message: text.describe("what is proclaimed there"),
    })
    .optional()
    .describe("what is said in another channel beside"),
  checkpoint_path: text.optional().describe("where its work can be found"),
  memory_updates: z.array(text).optional().describe("what it learned, with commas between"),
  task_id: text.optional().describe("the task again: refused when it is another"),
});

export const resultTask = operation({
  name: "result_task",
  summary: "Say how a task ended that you took.",
  input,
  output: runView,
  example: { id: "task-20261115-001", ticket: 1, status: "success", summary: "written" },
  route: { method: "POST", path: "/v1/tasks/{id}/result" },
  command: { name: "worker result", positionals: ["id", "ticket", "status", "summary"] },
  async run({ id, ticket: fence, task_id: named = id, ...said }, context) {
    if (named !== id) {
      const sentence = `This is the result of ${named}, and was sent for ${id}: send each for its own task.`;
      throw new DaybookError("conflict", sentence, { details: { id, task_id: named } });
    }
    const record = await heldTask(context, id, fence);
    const result = readResult(said, id);
    if (result === undefined) {
      const sentence = `This is no result: ${resultFault(said, id)}.`;
      throw new DaybookError("invalid", sentence);
    }
    await endTask(context, record, result);
    const book = bookOf(context);
    return runViewOf(book, await find(book, taskKind, id), handledTasks);
  },
  render({ id, status, finished_at: end, next_at: next }, { language, zone }) {
    const texts = textsOf(language);
    const isOver = next === null || (end !== null && status !== "pending");
    const again = isOver ? null : `${inWords(fromIso(next), zone, language)} ${zone}`;
    return texts.resultTaken({ id, state: texts.state(status), again });
  },
});
const output = z.object({
  id: z.string(),
  lease_until: z.string().describe("a heartbeat before this moment keeps it longer"),
  cancelling: z.boolean().describe("it was cancelled: stop, and say how far it came"),
});

export const heartbeatTask = operation({
  name: "heartbeat_task",
  summary: "Say that you still work on a task that you took.",
  input: z.strictObject({
    id: runId,
    ticket,
    progress: z.string().max(1_000).optional().describe("how far it is, in your own words"),
  }),
  output,
  aliases: { task_id: "id" },
  example: { id: "task-20261115-001", ticket: 1, progress: "half of it" },
  route: { method: "POST", path: "/v1/tasks/{id}/heartbeat" },
  command: { name: "worker heartbeat", positionals: ["id", "ticket"] },
  async run({ id, ticket: fence, progress }, context): Promise<z.infer<typeof output>> {
    const { body, outcome, lease } = await heldTask(context, id, fence);
    const seen = { ...(outcome ?? emptyOutcome), startedAt: lease.claimedAt };
    const told = progress && { progress: cut(harmless(progress), progressCharsMax) };
    const { timeoutMs: leaseMs } = body;
    const keep = { id, fence, leaseMs, ...(told && { outcome: { ...seen, ...told } }) };
    const [kept] = await context.ledger.work.keep([keep]);
    if (kept?.result === "refused") throw fromErrorData(kept.error);
    if (kept?.result !== "kept") {
      const sentence = `${id} is another's by now: stop working on it, and claim it anew.`;
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
