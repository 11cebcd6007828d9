import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import { exampleId, operation, type Context } from "../../../kernel/operation.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { parseTime } from "../../../time/times.ts";
import { dueOf, dueView, momentOptions } from "../../accounts/index.ts";
import { type TaskKind, taskKind } from "../../tasks/index.ts";
import { backfillSlots } from "../slot.ts";
import { textsOf } from "../texts.ts";
import { findLive } from "./find-schedule.ts";
import { scheduleId, scheduleAliases, toolIds } from "./inputs.ts";
import { appendRun } from "./runs.ts";

const input = z.strictObject({
  id: scheduleId,
  from: z
    .string()
    .describe(
      'the first time to run, such as "3 days ago" or "2026-11-01 09:00"; "yesterday" or "2026-11-01" is the full day',
    ),
  to: z.string().optional().describe("the last time to run, written like `from`. Default: now"),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(100)
    .describe("how many times to run at most; over that, the request is refused. Default: 100"),
  dry_run: z.boolean().default(false).describe("only show what would run. Default: false"),
});

const output = z.object({
  schedule_id: z.string(),
  name: z.string(),
  slots: z.array(
    z.object({
      slot: dueView,
      run_id: z.string().nullable().describe("null: nothing was written"),
      fresh: z.boolean().describe("false: it had a run already"),
    }),
  ),
  count: z.number().describe("how many runs are created, or would be"),
  dry_run: z.boolean(),
  fresh: z.boolean().describe("false: nothing was written"),
});

const runsMax = 10_000;

export const backfillSchedule = operation({
  name: "schedule_backfill",
  summary: "Run the missed times of a schedule, oldest first.",
  input,
  output,
  aliases: { schedule_id: scheduleAliases.schedule_id },
  toolInputs: toolIds,
  effect: "adds",
  example: { id: exampleId, from: "2026-11-12", to: "2026-11-12 12:00", dry_run: true },
  route: { method: "POST", path: "/v1/schedules/{id}/backfill" },
  command: { name: "schedule backfill", aliases: ["backfill"], positionals: ["id"] },
  async run(request, context): Promise<z.infer<typeof output>> {
    const options = momentOptions(context);
    const book = bookOf(context);
    const record = await findLive(book, request.id);
    if ("ping" in record.body.run) {
      throw new DaybookError(
        "refused",
        "A watch waits for pings and runs nothing: it has no times to run.",
      );
    }
    const from = parseTime(request.from, { ...options, edge: "start" }).at;
    if (from > options.now) {
      const sentence = '"from" is in the future: give a past time, such as 2026-11-01.';
      throw new DaybookError("invalid", sentence);
    }
    const to =
      request.to === undefined
        ? options.now
        : parseTime(request.to, { ...options, edge: "end" }).at;
    const drafts = backfillSlots(record, from, to, request.limit);
    const runs = request.dry_run
      ? await planned(book, record.id, drafts)
      : await written(context, drafts);
    const slots = runs.map(({ at, ...rest }) => ({ slot: dueOf(at, options), ...rest }));
    const count = slots.filter(({ fresh }) => fresh).length;
    return {
      schedule_id: record.id,
      name: record.body.name,
      slots,
      count,
      dry_run: request.dry_run,
      fresh: count > 0 && !request.dry_run,
    };
  },
  render({ slots, count, dry_run: isDry }, { language }) {
    const texts = textsOf(language);
    const about = { count, before: slots.length - count };
    const lines = slots.filter(({ fresh }) => fresh).map(({ slot }) => `  ${slot.text}`);
    return [isDry ? texts.wouldBackfill(about) : texts.backfilled(about), ...lines].join("\n");
  },
});

interface SlotRun {
  readonly at: number;
  readonly run_id: string | null;
  readonly fresh: boolean;
}

/** Every run has its own key, so a request that fails in the middle can be repeated. */
async function written(context: Context, drafts: readonly DraftOf<TaskKind>[]): Promise<SlotRun[]> {
  const runs: SlotRun[] = [];
  for (const draft of drafts) {
    const { id, fresh } = await appendRun(context, draft);
    runs.push({ at: draft.body.at, run_id: id, fresh });
  }
  return runs;
}

async function planned(
  book: Book,
  parent: string,
  drafts: readonly DraftOf<TaskKind>[],
): Promise<SlotRun[]> {
  const runs = await runsBySlot(book, parent);
  return drafts.map(({ body: { at } }) => {
    const id = runs.get(at);
    return { at, run_id: id ?? null, fresh: id === undefined };
  });
}

async function runsBySlot(book: Book, parent: string): Promise<ReadonlyMap<number, string>> {
  const runs = new Map<number, string>();
  const query = { kind: taskKind, parent, order: "newest" } as const;
  for await (const { body, id } of recordsIn(book, query, runsMax)) {
    if (body.slot !== undefined && body.slot.because !== "run now") runs.set(body.slot.at, id);
  }
  return runs;
}
