import { levelOf, type Events } from "../../kernel/events.ts";
import type { Work } from "../../kernel/ledger.ts";
import type { Bus } from "../../platform/event-bus.ts";
import { counter, histogram, exposition, type Family } from "../../platform/metrics.ts";

const lateBounds = [5, 10, 25, 50, 100, 250, 1_000, 5_000, 60_000, 600_000, 3_600_000];
const tookBounds = [1, 5, 10, 50, 100, 500, 1_000, 5_000, 30_000];
const batchBounds = [1, 2, 5, 10, 20, 50, 100, 500];

/** Counts the events of the node, and renders them in the text format of Prometheus. */
export function metrics(events: Bus<Events>, work: Work): () => Promise<string> {
  const settled = counter(
    "daybook_settled_total",
    "Attempts that were settled, by where they left it.",
  );
  const late = histogram(
    "daybook_lateness_ms",
    "From when it was due to its first attempt, without the wait for a listener to attach.",
    lateBounds,
  );
  const took = histogram("processing_time_ms", "From the claim to the settle.", tookBounds);
  const batch = histogram("daybook_batch_size", "Records per claim that found any.", batchBounds);
  const faults = counter("daybook_faults_total", "What went wrong, by what it was.");
  const working = new Map<string, { working: number; most: number }>();
  events.listen((name, facts) => {
    if (name === "record settled") {
      const { kind, state, lateMs, tookMs } = facts as Events["record settled"];
      settled.add({ kind, state });
      if ((facts as Events["record settled"]).attempt === 1) late.add({ kind }, lateMs);
      took.add({ kind }, tookMs);
    } else if (name === "work claimed") {
      const { queue, found, working: now, most } = facts as Events["work claimed"];
      batch.add({ queue }, found);
      working.set(queue, { working: now, most });
    } else if (["warn", "error"].includes(levelOf(name))) {
      faults.add({ what: name });
    }
  });
  return async () => {
    const gauges = await gaugesOf(work, working);
    return exposition(
      [settled, late, took, batch, faults].map((each) => each.family()).concat(gauges),
    );
  };
}

async function gaugesOf(
  work: Work,
  working: ReadonlyMap<string, { working: number; most: number }>,
): Promise<Family[]> {
  const { now, records, queues } = await work.stats();
  const gauge = (name: string, help: string, values: readonly [string, number][]): Family => ({
    name,
    help,
    type: "gauge",
    samples: values.map(([queue, value]) => ({ labels: { queue }, value })),
  });
  const per = (value: (queue: (typeof queues)[number]) => number): [string, number][] =>
    queues.map((queue) => [queue.queue, value(queue)]);
  const queueLoads = [...working];
  return [
    gauge(
      "daybook_due",
      "Waiting, with a time that has come.",
      per(({ due }) => due),
    ),
    gauge(
      "daybook_later",
      "Waiting for a later time.",
      per(({ later }) => later),
    ),
    gauge(
      "daybook_leased",
      "At work.",
      per(({ leased }) => leased),
    ),
    gauge(
      "daybook_oldest_due_ms",
      "How long the oldest has been due.",
      per(({ oldestWakeAt }) => (oldestWakeAt === null ? 0 : Math.max(now - oldestWakeAt, 0))),
    ),
    gauge(
      "daybook_concurrency",
      "At work on this node at its last claim.",
      queueLoads.map(([queue, { working: count }]) => [queue, count]),
    ),
    gauge(
      "daybook_concurrency_limit",
      "The most at work on this node.",
      queueLoads.map(([queue, { most }]) => [queue, most]),
    ),
    {
      name: "daybook_records",
      help: "Records in the book.",
      type: "gauge",
      samples: [{ labels: {}, value: records }],
    },
  ];
}
