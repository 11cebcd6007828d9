import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import { fields, keptKey } from "../../notifications/operations/fields.ts";
import { runView, shownRunOf } from "../../tasks/operations/view.ts";
import { handledTasks } from "../../tasks/ports.ts";
import { textsOf as taskTexts } from "../../tasks/texts.ts";
import { runNow } from "../extra-runs.ts";
import { textsOf } from "../texts.ts";
import { appendRun } from "./append-run.ts";
import { findLive } from "./find-schedule.ts";
import { scheduleId } from "./inputs.ts";
import { toldRunning } from "./refusals.ts";
import { scheduleAliases } from "./seed-names.ts";

const output = runView.partial().extend({
  id: z.string(),
  run_id: z.string(),
  name: z.string(),
  status: z.string().describe("forgotten: it was asked before with the same key, and is gone"),
  fresh: z.boolean().describe("false: it had been asked before with the same key"),
});

export const runScheduleNow = operation({
  name: "schedule_run_now",
  summary: "Run what a schedule runs, now, beside its own times.",
  input: z.strictObject({ id: scheduleId, key: fields.key }),
  output,
  aliases: { schedule_id: scheduleAliases.schedule_id },
  scope: "write",
  effect: "adds",
  route: { method: "POST", path: "/v1/schedules/{id}/run" },
  command: { name: "run-now", positionals: ["id"] },
  tool: "on request",
  async run({ id: which, key: name }, context): Promise<z.infer<typeof output>> {
    const book = bookOf(context);
    const schedule = await findLive(book, which);
    const now = context.now();
    const keyed = name === undefined ? {} : { key: keptKey(name, { runNow: schedule.id }, now) };
    const draft = { ...runNow(schedule, now), ...keyed };
    const { id, record, fresh } = await appendRun(context, draft).catch((error: unknown) => {
      throw toldRunning(error);
    });
    const about = { id, run_id: id, name: schedule.body.name, fresh };
    if (record === null) return { ...about, status: "forgotten" };
    return { ...(await shownRunOf(book, record, context.use(handledTasks))), ...about };
  },
  render({ id, name, fresh, status: state }, { language }) {
    return fresh
      ? textsOf(language).runAsked({ name, id })
      : taskTexts(language).runAskedBefore({ name, state });
  },
});
