import {
  deletedSchedule,
  editedSchedule,
  pausedSchedule,
  resumedSchedule,
} from "../../features/schedules/change.ts";
import { removedSchedule } from "../../features/schedules/declared/plan.ts";
import { makeSchedule } from "../../features/schedules/draft.ts";
import { type ScheduleKind, scheduleKind } from "../../features/schedules/kind.ts";
import { backfillSlots, runNow } from "../../features/schedules/slot.ts";
import { taskKind } from "../../features/tasks/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { Book } from "../../kernel/ledger.ts";
import type { AnyRecord, LedgerRecord } from "../../kernel/record.ts";
import { sleep } from "../../platform/clock.ts";
import { hasCode } from "../../platform/errors.ts";
import { chance, intBelow, pick } from "../chance.ts";
import type { Oracle } from "../oracle/oracle.ts";
import type { ClientPorts } from "./client-process.ts";
import { retried } from "./request-retry.ts";
import type { Scale } from "./scale.ts";
import { drawChanges, drawSchedule, minGapMs } from "./schedule-drafts.ts";

export interface ScheduleClientOptions extends ClientPorts {
  name: string;
  owner: string;
  oracle: Oracle;
  /** Every schedule it may have made. */
  made: string[];
  scale: Scale;
  busy(): boolean;
}

interface ScheduleClient extends ScheduleClientOptions {
  book: Book;
  count: number;
}

type Schedule = LedgerRecord<ScheduleKind>;
type Change = (client: ScheduleClient, record: Schedule) => Promise<unknown>;

/** What it does with a schedule that is there. */
const changes: readonly [Change, ...Change[]] = [
  edit,
  edit,
  pause,
  resume,
  resume,
  remove,
  run,
  run,
  backfill,
  stopRun,
];

const soonMs = 6 * 3_600_000;
const slowMsMax = 8_000;

/** Makes schedules, and changes its mind: edits, pauses, deletes, runs at once, while they run. */
export async function runScheduleClient(options: ScheduleClientOptions): Promise<void> {
  const { ledger, owner, name, clock, random, scale } = options;
  const client: ScheduleClient = { ...options, book: ledger.of(owner, name), count: 0 };
  const isMonth = scale.name === "month";
  for (let first = scale.schedules; first > 0; first -= 1) await create(client);
  while (options.busy()) {
    await sleep(clock, intBelow(random, chance(random, 0.3) ? 50 : scale.scheduleClientMs));
    const running = isMonth && chance(random, 0.8) ? await awaitRun(client) : undefined;
    const id = running ?? client.made[intBelow(random, client.made.length)];
    if (id === undefined || chance(random, 0.2)) await create(client);
    else await change(client, id);
  }
}

async function create(client: ScheduleClient): Promise<void> {
  const { owner, clock, ids, made, book, oracle, scale } = client;
  client.count += 1;
  const now = Math.floor(clock.wall());
  const body = drawSchedule(client, now);
  const limit = scale.schedulesMax; // fewer than it would like to have
  const draft = { ...makeSchedule(body, { owner, now, limit, minGapMs }), id: ids() };
  made.push(draft.id);
  const written = await retried(client, () => book.append(draft));
  if (written !== undefined) oracle.appendAcknowledged(draft.id);
}

async function change(client: ScheduleClient, id: string): Promise<void> {
  const record = await retried(client, () => client.book.get(id));
  if (!is(scheduleKind, record) || record.endedAt !== null) return;
  await pick(client.random, changes)(client, record).catch((error: unknown) => {
    if (hasCode(error, "bug", "unsupported")) {
      client.oracle.reportViolation("a valid request does not fail as a bug", String(error));
    }
  });
}

/** Waits until one is about to run: in a long world, chance alone would hardly meet a run. */
async function awaitRun({ book, clock, random }: ScheduleClient): Promise<string | undefined> {
  const query = { kind: scheduleKind, live: true, limit: 500 } as const;
  const { records } = await book.list(query).catch(() => ({ records: [] }));
  const waitMs = (each: AnyRecord): number =>
    is(scheduleKind, each) ? (each.outcome?.nextRunAt ?? 0) - clock.wall() : -1;
  const soon = records.filter((each) => waitMs(each) >= 0 && waitMs(each) < soonMs);
  const found = soon[intBelow(random, soon.length)];
  if (found === undefined) return undefined;
  await sleep(clock, waitMs(found) + intBelow(random, chance(random, 0.7) ? 8_000 : 600_000));
  return found.id;
}

function nowOf({ clock }: ScheduleClient): number {
  return Math.floor(clock.wall());
}

async function edit(client: ScheduleClient, record: Schedule): Promise<void> {
  const now = nowOf(client);
  const changes = drawChanges(client, now);
  await client.book.edit(editedSchedule(record, changes, now, minGapMs));
}

async function pause(client: ScheduleClient, record: Schedule): Promise<void> {
  const { random, book, scale } = client;
  const now = nowOf(client);
  const until = chance(random, 0.6)
    ? { until: now + 1 + intBelow(random, 20_000 * scale.stretch) }
    : {};
  await book.edit(pausedSchedule(record, { reason: "not now", ...until }, now));
}

async function resume(client: ScheduleClient, record: Schedule): Promise<void> {
  await client.book.edit(resumedSchedule(record, nowOf(client)));
}

/** Deletes it, or sets it down no more. */
async function remove(client: ScheduleClient, record: Schedule): Promise<void> {
  const { book, random, clock } = client;
  if (record.cancelling || chance(random, 0.5)) return;
  const now = nowOf(client);
  const comesMs = (record.outcome?.nextRunAt ?? Infinity) - now;
  // A slow asker: somebody is at work on its next slot by then.
  if (comesMs > 0 && comesMs < slowMsMax) await sleep(clock, comesMs + intBelow(random, 15));
  if (chance(random, 0.3)) {
    const { edit, rows } = removedSchedule(record, now);
    await book.edit(edit, { append: rows });
  } else {
    const { edit, consequences } = deletedSchedule(record, { reason: "not needed" }, now);
    await book.edit(edit, consequences);
  }
}

async function run(client: ScheduleClient, record: Schedule): Promise<void> {
  await client.book.append({ ...runNow(record, nowOf(client)), id: client.ids() });
}

async function backfill(client: ScheduleClient, record: Schedule): Promise<void> {
  const now = nowOf(client);
  for (const draft of backfillSlots(record, now - 60_000 * client.scale.stretch, now, 3))
    await client.book.append(draft);
}

async function stopRun({ book }: ScheduleClient, { id }: Schedule): Promise<void> {
  const { records } = await book.list({ kind: taskKind, parent: id, live: true, limit: 1 });
  for (const task of records) await book.cancel({ id: task.id, reason: "stop it" });
}
