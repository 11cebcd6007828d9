import type { QueueStats, Stats } from "../../kernel/reading.ts";
import { time } from "./row.ts";
import type { Session } from "./transactions.ts";

export async function countAll(session: Session): Promise<Stats> {
  const now = await session.now();
  const [records] = await session.query(`select count(*) as count from daybook.record`, []);
  const queues = await session.query(
    `select queue, count(*) filter (where wake_at <= $1) as due,
       count(*) filter (where wake_at > $1 and holder is null) as later,
       count(*) filter (where wake_at > $1 and holder is not null) as leased,
       min(wake_at) filter (where wake_at <= $1) as oldest
     from daybook.due group by queue order by queue`,
    [now],
  );
  const entries = queues.map(({ queue, due, later, leased, oldest }): QueueStats => ({
    queue: String(queue),
    due: Number(due),
    later: Number(later),
    leased: Number(leased),
    oldestWakeAt: time(oldest),
  }));
  return { now, records: Number(records?.["count"]), queues: entries };
}
