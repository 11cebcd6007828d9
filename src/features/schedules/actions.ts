import * as z from "zod";
import type { Book } from "../../kernel/ledger.ts";
import { bookOf } from "../../kernel/own-book.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { dueOf, dueView, type MomentOptions } from "../accounts/index.ts";
import { recordActions, type Upcoming } from "../notifications/index.ts";
import { type TaskKind, taskKind } from "../tasks/index.ts";
import { type ScheduleKind, scheduleKind } from "./kind.ts";
import { schedulesIn } from "./operations/find-schedule.ts";
import { comingFires } from "./operations/view.ts";
/** A run that will be. */
const upcomingRun = z.object({
  name: z.string(),
  due: dueView,
  target: z.string(),
  schedule_id: z.string().nullable(),
  run_id: z.string().nullable().describe("null: it is not in the book yet"),
});

interface Coming {
  readonly at: number;
  readonly run: z.infer<typeof upcomingRun>;
}

const tasksMax = 500;

/** The next times of every schedule, and what waits to be run. */
const upcomingRuns: Upcoming<"runs", typeof upcomingRun> = {
  key: "runs",
  view: upcomingRun,
  async list({ until, limit, look, context }) {
    const book = bookOf(context);
    const schedules = await schedulesIn(book, { live: true });
    const fires = schedules.flatMap((record) =>
      comingFires(record, look, limit + 1)
        .filter((at) => at <= until)
        .map((at) => firing(record, at, look)),
    );
    const { records } = await book.list({ kind: taskKind, live: true, limit: tasksMax });
    const waiting = records.flatMap((record) => waits(record, look, until));
    const found = [...fires, ...waiting].map(({ at, run }) => ({ at, show: async () => run }));
    return { found, isCut: false };
  },
  line: ({ name, due, target, run_id: run, schedule_id: schedule }) => {
    return { at: due.utc, due, text: `▸ ${name}`, target, id: run ?? schedule ?? "" };
  },
};

function firing({ id, body }: LedgerRecord<ScheduleKind>, at: number, look: MomentOptions): Coming {
  const { name, target } = body;
  return { at, run: { name, due: dueOf(at, look), target, schedule_id: id, run_id: null } };
}

/** What is at work happens now; what waits for an answer never does by itself. */
function waits(record: LedgerRecord<TaskKind>, look: MomentOptions, until: number): Coming[] {
  const { id, body, wakeAt, lease } = record;
  const at = lease === null ? (wakeAt ?? Infinity) : Math.min(look.now, wakeAt ?? look.now);
  if (at > until) return [];
  const { slot, name, target } = body;
  const run = { name: slot?.name ?? name, due: dueOf(at, look), target };
  return [{ at, run: { ...run, schedule_id: slot?.schedule ?? null, run_id: id } }];
}

export const scheduleActions = recordActions({
  kind: scheduleKind,
  names: {
    mayBeIds: true,
    async live(book, name) {
      const [only] = await named(book, name, true);
      return only;
    },
    ended: (book, name) => named(book, name, false),
  },
  upcoming: upcomingRuns,
});

async function named(
  book: Book,
  name: string,
  live: boolean,
): Promise<readonly LedgerRecord<ScheduleKind>[]> {
  const same = name.toLowerCase();
  const all = await schedulesIn(book, { live, order: "newest" });
  return all.filter(({ body }) => body.name.toLowerCase() === same);
}
