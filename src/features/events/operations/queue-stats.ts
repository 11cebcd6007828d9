import * as z from "zod";
import { recordsIn } from "../../../kernel/list-all.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import { span } from "../../../time/times.ts";
import { textsOf } from "../texts.ts";
import { queueKinds, isQueued, queueOf, type Queued } from "./queued.ts";

const count = z.object({
  queue: z.enum(["events", "tasks", "messages"]),
  state: z.string(),
  count: z.number(),
  oldest_seconds: z.number().nullable().describe("how long the oldest waits; null: it has ended"),
});

const line = z.object({
  name: z.string().describe("who claims from it"),
  due: z.number(),
  later: z.number(),
  at_work: z.number(),
});

const output = z.object({
  counts: z.array(count).describe("by queue and state"),
  lines: z.array(line).describe("what waits, by who claims it"),
  cut: z.boolean().describe("there is more than was counted"),
});
type Output = z.infer<typeof output>;

/** More of one kind and sort is not counted. */
const countedMax = 20_000;

export const queueStats = operation({
  name: "queue_stats",
  summary: "Count what lies in the queues, and say how long the oldest waits.",
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
        const about = { what: queue, state: texts.state(state), count: many, oldest };
        return texts.queueCount(about);
      }),
      ...lines.map(({ name, due, later, at_work: leased }) =>
        texts.queueDue({ queue: name, due, later, leased }),
      ),
      ...(cut ? [texts.notAll()] : []),
    ].join("\n");
  },
});

type Count = z.infer<typeof count>;
type Line = z.infer<typeof line>;

/** In the asker's own book: what others have waiting is theirs to know. */
async function counted(context: Context): Promise<Output> {
  const now = context.now();
  const counts = new Map<string, Count>();
  const lines = new Map<string, Line>();
  let isCut = false;
  const sorts = Object.values(queueKinds).flatMap((kind) =>
    [true, false].map((live) => ({ kind, live })),
  );
  for (const sort of sorts) {
    let seen = 0;
    for await (const record of recordsIn(bookOf(context), sort, countedMax)) {
      if (!isQueued(record)) continue;
      seen += 1;
      add(counts, record, now);
      if (sort.live) addLine(lines, record, now);
    }
    isCut ||= seen >= countedMax;
  }
  return {
    counts: [...counts.values()],
    lines: [...lines.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    cut: isCut,
  };
}

function add(counts: Map<string, Count>, record: Queued, now: number): void {
  const { state, endedAt, createdAt } = record;
  const queue = queueOf(record);
  const seconds = endedAt === null ? Math.max(Math.floor((now - createdAt) / 1_000), 0) : null;
  const before = counts.get(`${queue} ${state}`);
  if (before === undefined) {
    counts.set(`${queue} ${state}`, { queue, state, count: 1, oldest_seconds: seconds });
  } else {
    before.count += 1; // the oldest came first
  }
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
