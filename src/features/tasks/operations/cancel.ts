import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import { taskKind } from "../kind.ts";
import { handledTasks } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { cancelTask } from "./cancel-task.ts";
import { runId } from "./inputs.ts";
import { runView, shownRunOf } from "./view.ts";

const output = runView.extend({
  cancel: z
    .enum(["cancelled", "cancelling", "ended"])
    .describe("cancelling: it is at work, and is being stopped; ended: it was over before"),
});

export const cancelRun = operation({
  name: "cancel_run",
  summary: "Stop a run, or let it not begin.",
  input: z.strictObject({
    id: runId,
    reason: z.string().max(1_000).optional().describe("why; kept with it"),
  }),
  output,
  aliases: { run_id: "id" },
  scope: "write",
  effect: "ends",
  route: { method: "POST", path: "/v1/runs/{id}/cancel", also: "/v1/tasks/{id}/cancel" },
  command: { name: "cancel-run", positionals: ["id"] },
  tool: "on request",
  async run({ id, reason }, context): Promise<z.infer<typeof output>> {
    const book = bookOf(context);
    const handled = context.use(handledTasks);
    const result = await cancelTask(book, await find(book, taskKind, id), {
      reason,
      now: context.now(),
      handled,
    });
    const record = await find(book, taskKind, id);
    return { ...(await shownRunOf(book, record, handled)), cancel: result };
  },
  render({ cancel: result, status }, { language }) {
    const texts = textsOf(language);
    if (result === "cancelled") return texts.runCancelled();
    return result === "cancelling" ? texts.runStopping() : texts.runEnded(status);
  },
});
