import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { oneLine } from "../../../platform/text.ts";
import { inWords } from "../../../time/times.ts";
import { fields } from "../../notifications/operations/fields.ts";
import { taskKind } from "../../tasks/kind.ts";
import { runLine, runLineOf, standingOf } from "../../tasks/operations/view.ts";
import { textsOf } from "../texts.ts";
import { findSchedule } from "./find-schedule.ts";
import { scheduleId } from "./inputs.ts";
import { scheduleAliases } from "./seed-names.ts";

const output = z.object({
  schedule_id: z.string(),
  name: z.string(),
  runs: z.array(runLine),
  count: z.number(),
  next: z.string().nullable().describe("where the next page starts; null on the last"),
});

export const scheduleRuns = operation({
  name: "schedule_runs",
  summary: "Show what became of each time of a schedule, the newest first.",
  input: z.strictObject({
    id: scheduleId,
    limit: z.coerce.number().int().min(1).max(20).default(5).describe("how many at most"),
    after: fields.after,
  }),
  output,
  aliases: { schedule_id: scheduleAliases.schedule_id },
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/schedules/{id}/runs" },
  command: { name: "runs", positionals: ["id"] },
  tool: "always",
  async run({ id: which, limit, after }, context) {
    const book = bookOf(context);
    const { id, body } = await findSchedule(book, which);
    const query = { kind: taskKind, parent: id, order: "newest", limit, after } as const;
    const { records, next } = await book.list(query);
    const runs = await Promise.all(records.map((record) => runLineOf(book, record)));
    return { schedule_id: id, name: body.name, runs, count: runs.length, next };
  },
  render({ runs, next }, { language, zone }) {
    const texts = textsOf(language);
    if (runs.length === 0) return texts.noRuns();
    const lines = runs.map(({ run_id: id, slot, reason, output_summary: summary, ...run }) => {
      const state = texts.state(standingOf(run)).padEnd(11);
      const when = slot === null ? "" : inWords(fromIso(slot), zone, language);
      const said = oneLine(reason === null ? (summary ?? "") : texts.reason(reason), 80);
      return `${id}  ${when}  ${state}  ${said}`.trimEnd();
    });
    return [...lines, ...(next === null ? [] : [texts.more(next)])].join("\n");
  },
});
