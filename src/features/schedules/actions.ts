import * as z from "zod";
import { bookOf } from "../../kernel/book.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { renderCadence } from "../../time/cadence/render.ts";
import { dueOf, dueView } from "../accounts/index.ts";
import {
  type Outlook,
  recordActions,
  shownWaiting,
  type Upcoming,
  waitingView,
} from "../notifications/index.ts";
import {
  forecastOfRun,
  type RunOutlook,
  runOutlookOf,
  type TaskKind,
  taskKind,
} from "../tasks/index.ts";
import { runsAhead } from "./forecast.ts";
import { type ScheduleKind, scheduleKind } from "./kind.ts";
import { schedulesIn, schedulesNamed } from "./operations/find-schedule.ts";

/** A future run. */
const upcomingRun = z.object({
  name: z.string(),
  due: dueView,
  target: z.string(),
  schedule_id: z.string().nullable(),
  every: z
    .string()
    .nullable()
    .describe("how often its schedule runs, as a phrase; null: this run is in the book already"),
  run_id: z.string().nullable().describe("null: the run is not in the book yet"),
  waiting: waitingView
    .nullable()
    .describe("why it does not run sooner; null: it waits for its time"),
});

interface Coming {
  readonly at: number;
  readonly repeats?: string;
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
      runsAhead(record, options, { count: limit + 1, until }).map((run) =>
        firing(record, run, options),
      ),
    );
    const outlook = await runOutlookOf(context);
    const { records } = await book.list({ kind: taskKind, live: true, limit: tasksMax });
    const waiting = records.flatMap((record) => waits(record, outlook, until));
    const found = [...fires, ...waiting].map(({ run, ...coming }) => ({
      ...coming,
      show: async () => run,
    }));
    return { found, isCut: false };
  },
  line: ({ name, due, waiting, target, run_id: run, schedule_id: schedule, every }) => {
    return { at: due.utc, waiting, text: `▸ ${name}`, target, id: run ?? schedule ?? "", every };
  },
};

function firing(
  { id, body }: LedgerRecord<ScheduleKind>,
  { at, hold }: ReturnType<typeof runsAhead>[number],
  options: Outlook,
): Coming {
  const { name, target, cadence } = body;
  const waiting = hold === undefined ? null : shownWaiting(hold, options);
  const every = renderCadence(cadence, options);
  const run = { name, due: dueOf(at, options), target, schedule_id: id, run_id: null, every };
  return { at, repeats: id, run: { ...run, waiting } };
}

/** A running task happens now. A task that waits for an answer has no time. */
function waits(record: LedgerRecord<TaskKind>, outlook: RunOutlook, until: number): Coming[] {
  const { at, waiting } = forecastOfRun(record, outlook);
  if (at === null || at > until) return [];
  const { slot, name, target } = record.body;
  const run = { name: slot?.name ?? name, due: dueOf(at, outlook), target, every: null, waiting };
  return [{ at, run: { ...run, schedule_id: slot?.schedule ?? null, run_id: record.id } }];
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
