import * as z from "zod";
import { bookOf } from "../../kernel/book.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { dueOf, dueView, type MomentOptions } from "../accounts/index.ts";
import { recordActions, type Upcoming } from "../notifications/index.ts";
import { type TaskKind, taskKind } from "../tasks/index.ts";
import { type ScheduleKind, scheduleKind } from "./kind.ts";
import { schedulesIn, schedulesNamed } from "./operations/find-schedule.ts";
import { comingFires } from "./operations/view.ts";

/** A future run. */
const upcomingRun = z.object({
  name: z.string(),
  due: dueView,
  target: z.string(),
  schedule_id: z.string().nullable(),
  run_id: z.string().nullable().describe("null: the run is not in the book yet"),
});

interface Coming {
  readonly at: number;
  readonly run: z.infer<typeof upcomingRun>;
}

const tasksMax = 500;

/** The next times of every schedule, and the tasks that wait to run. */
const upcomingRuns: Upcoming<"runs", typeof upcomingRun> = {
  key: "runs",
  view: upcomingRun,
  async list({ until, limit, options, context }) {
    const book = bookOf(context);
    const schedules = await schedulesIn(book, { live: true });
    const fires = schedules.flatMap((record) =>
      comingFires(record, options, limit + 1)
        .filter((at) => at <= until)
        .map((at) => firing(record, at, options)),
    );
    const { records } = await book.list({ kind: taskKind, live: true, limit: tasksMax });
    const waiting = records.flatMap((record) => waits(record, options, until));
    const found = [...fires, ...waiting].map(({ at, run }) => ({ at, show: async () => run }));
    return { found, isCut: false };
  },
  line: ({ name, due, target, run_id: run, schedule_id: schedule }) => {
    return { at: due.utc, waiting: null, text: `▸ ${name}`, target, id: run ?? schedule ?? "" };
  },
};

function firing(
  { id, body }: LedgerRecord<ScheduleKind>,
  at: number,
  options: MomentOptions,
): Coming {
  const { name, target } = body;
  return { at, run: { name, due: dueOf(at, options), target, schedule_id: id, run_id: null } };
}

/** A running task happens now. A task that waits for an answer has no time. */
function waits(record: LedgerRecord<TaskKind>, options: MomentOptions, until: number): Coming[] {
  const { id, body, wakeAt, lease } = record;
  const at = lease === null ? (wakeAt ?? Infinity) : Math.min(options.now, wakeAt ?? options.now);
  if (at > until) return [];
  const { slot, name, target } = body;
  const run = { name: slot?.name ?? name, due: dueOf(at, options), target };
  return [{ at, run: { ...run, schedule_id: slot?.schedule ?? null, run_id: id } }];
}

export const scheduleActions = recordActions({
  kind: scheduleKind,
  names: {
    mayBeIds: true,
    async live(book, name) {
      const [only] = await schedulesNamed(book, name, { live: true });
      return only;
    },
    ended: (book, name) => schedulesNamed(book, name, { live: false }),
  },
  upcoming: upcomingRuns,
});
