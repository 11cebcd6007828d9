import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { DaybookError, fromErrorData } from "../../../platform/errors.ts";
import { isoOf, fromIso } from "../../../platform/iso-time.ts";
import { cut, harmless } from "../../../platform/text.ts";
import { inWords } from "../../../time/times.ts";
import { runId } from "../../tasks/operations/inputs.ts";
import { emptyOutcome } from "../../tasks/outcome.ts";
import { textsOf } from "../texts.ts";
import { heldTask } from "./worker.ts";

export const ticket = z.coerce
  .number()
  .int()
  .min(0)
  .describe("the ticket that was given with the task");

const progressCharsMax = 200;

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
  scope: "write",
  effect: "changes",
  route: { method: "POST", path: "/v1/tasks/{id}/heartbeat" },
  command: { name: "worker heartbeat", positionals: ["id", "ticket"] },
  tool: "on request",
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
