import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import { span } from "../../../time/times.ts";
import { textsOf } from "../texts.ts";
import { isQueued, queueLayouts, queueName, queueOf, type Queued } from "./queue-entry.ts";
import { atWork } from "./tasks.ts";

const count = z.object({
  queue: queueName,
  state: z.string(),
  count: z.number(),
  oldest_seconds: z
    .number()
    .nullable()
    .describe("the age of the oldest entry, in seconds; null for entries that have ended"),
});

const line = z.object({
  name: z.string().describe("the controller or handler that claims from it"),
  due: z.number(),
  later: z.number(),
  at_work: z.number(),
});

const output = z.object({
  counts: z.array(count).describe("entries by queue and state"),
  lines: z.array(line).describe("entries that have not ended, by their claimant"),
  cut: z.boolean().describe("there are more entries than were counted"),
});
type Output = z.infer<typeof output>;

/** At most this many live records of a kind are counted, and as many that have ended. */
const countedMax = 20_000;

export const queueStats = operation({
  name: "queue_stats",
  summary: "Count the entries of the queues, and show the age of the oldest.",
  input: z.strictObject({}),
  output,
  example: {},
  route: { method: "GET", path: "/v1/queue/stats" },
  command: { name: "queue stats", positionals: [] },
  run: (_, context): Promise<Output> => counted(context),
  render({ counts, lines, cut }, { language }) {
    const texts = textsOf(language);
    if (counts.length === 0) return texts.nothingQueued();
    return [
      ...counts.map(({ queue, state, count: many, oldest_seconds: seconds }) => {
        const oldest = seconds === null ? null : span(seconds * 1_000, language);
        return texts.queueCount({ queue, state: texts.state(state), count: many, oldest });
      }),
      ...lines.map(({ at_work: leased, ...each }) => texts.queueDue({ ...each, leased })),
      ...(cut ? [texts.notAll()] : []),
    ].join("\n");
  },
});

type Count = z.infer<typeof count>;
type Line = z.infer<typeof line>;

/** Counts the caller's own book only. */
async function counted(context: Context): Promise<Output> {
  const now = context.now();
  const counts = new Map<string, Count>();
  const lines = new Map<string, Line>();
  let isCut = false;
  const queries = Object.values(queueLayouts).flatMap(({ kind }) =>
    [true, false].map((live) => ({ kind, live })),
  );
  for (const query of queries) {
    let seen = 0;
    for await (const record of recordsIn(bookOf(context), query, countedMax)) {
      if (!isQueued(record)) continue;
      seen += 1;
      addCount(counts, record, now);
      if (query.live) addLine(lines, record, now);
    }
    isCut ||= seen >= countedMax;
  }
  return {
    counts: [...counts.values()],
    lines: [...lines.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    cut: isCut,
  };
}

function addCount(counts: Map<string, Count>, record: Queued, now: number): void {
  const { endedAt, createdAt, lease } = record;
  const queue = queueOf(record);
  // A task that somebody works on, as lists, `explain` and its folder show it.
  const isAtWork = record.kind === "task" && record.state === "pending" && lease !== null;
  const state = isAtWork ? atWork : record.state;
  const name = `${queue} ${state}`;
  const seconds = endedAt === null ? Math.max(Math.floor((now - createdAt) / 1_000), 0) : null;
  const before = counts.get(name);
  if (before === undefined) counts.set(name, { queue, state, count: 1, oldest_seconds: seconds });
  else before.count += 1; // the oldest came first
}

function addLine(lines: Map<string, Line>, record: Queued, now: number): void {
  const { queue: name, wakeAt, lease } = record;
  const line = lines.get(name) ?? { name, due: 0, later: 0, at_work: 0 };
  lines.set(name, line);
  if (wakeAt === null) line.later += 1;
  else if (wakeAt <= now) line.due += 1;
  else if (lease !== null) line.at_work += 1;
  else line.later += 1;
}
