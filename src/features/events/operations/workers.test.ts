import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import {
  bookFixtureOn,
  eight,
  reviewer,
  worker,
  type BookFixture,
  withHandling,
} from "../../../../test/book-fixture.ts";
import { handClock, type HandClock } from "../../../../test/hand-clock.ts";
import { happening } from "../../../../test/when-records.ts";
import { type Kind, is } from "../../../kernel/kind.ts";
import type { Ledger } from "../../../kernel/ledger.ts";
import type { Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { Shape } from "../../../kernel/shape.ts";
import { hasCode, type ErrorCode } from "../../../platform/errors.ts";
import { ids } from "../../../platform/ids.ts";
import { seededRandom } from "../../../platform/random.ts";
import { file } from "../../../stores/file/file.ts";
import { memory } from "../../../stores/memory/memory.ts";
import { postgres } from "../../../stores/postgres/postgres.ts";
import { sqlite } from "../../../stores/sqlite/sqlite.ts";
import { postgresServer } from "../../../testing/postgres/server.ts";
import { fileLayouts } from "../../index.ts";
import { notificationKind } from "../../notifications/kind.ts";
import { taskKind } from "../../tasks/kind.ts";
import { cancelRun } from "../../tasks/operations/cancel.ts";
import { eventKind } from "../kind.ts";
import { questionKind } from "../question.ts";
import { claimTask } from "./claim.ts";
import { listTasks } from "./tasks.ts";
import { heartbeatTask, resultTask } from "./work-report.ts";

interface Opened {
  readonly ledger: Ledger;
  close(): Promise<void>;
}

interface Store {
  readonly name: string;
  readonly skip?: string;
  open(clock: HandClock): Promise<Opened>;
}

const server = await postgresServer();
after(() => ("missing" in server ? undefined : server.stop()));

const stores: readonly Store[] = [
  {
    name: "memory",
    async open(clock) {
      const ledger = memory({ now: clock.wall, ids: ids(clock, seededRandom(1)) });
      return { ledger, close: () => ledger.close() };
    },
  },
  { name: "SQLite", open: (clock) => inFolder((folder) => sqliteAt(folder, clock)) },
  {
    name: "file",
    open: (clock) => inFolder((folder) => file({ folder, layouts: fileLayouts, now: clock.wall })),
  },
  {
    name: "PostgreSQL",
    ...("missing" in server ? { skip: server.missing } : {}),
    async open(clock) {
      assert.ok(!("missing" in server));
      const ledger = await postgres({ url: await server.database(), now: clock.wall });
      return { ledger, close: () => ledger.close() };
    },
  },
];

async function inFolder(open: (folder: string) => Promise<Ledger>): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), "daybook-"));
  const ledger = await open(folder);
  const close = async (): Promise<void> => {
    await ledger.close();
    rmSync(folder, { recursive: true });
  };
  return { ledger, close };
}

/** Its thread reads the time from memory that both share. */
async function sqliteAt(folder: string, clock: HandClock): Promise<Ledger> {
  const sharedNow = new Float64Array(new SharedArrayBuffer(8));
  const set = (): void => void (sharedNow[0] = clock.wall());
  set();
  const { advance } = clock;
  clock.advance = (ms) => {
    advance(ms);
    set();
  };
  return sqlite({ path: join(folder, "book.db"), sharedNow });
}

const claim = (context: Context, asked: object): ReturnType<typeof claimTask.run> =>
  claimTask.run(claimTask.input.parse(asked), context);
const beat = (context: Context, id: string, ticket: number) =>
  heartbeatTask.run({ id, ticket }, context);
const end = (context: Context, id: string, ticket: number, said: object = {}) =>
  resultTask.run(
    resultTask.input.parse({ id, ticket, status: "success", summary: "done", ...said }),
    context,
  );

async function refused(asked: Promise<unknown>, code: ErrorCode, says: RegExp): Promise<void> {
  await assert.rejects(asked, (error) => hasCode(error, code) && says.test(error.message));
}

async function read<K extends Shape>(
  at: BookFixture,
  kind: Kind<K>,
  id: string,
): Promise<LedgerRecord<K>> {
  const record = await at.ledger.of("mina", "x").get(id);
  assert.ok(is(kind, record));
  return record;
}

for (const { name, skip, open } of stores) {
  const on = async (run: (at: BookFixture) => Promise<void>): Promise<void> => {
    const clock = handClock(eight);
    const { ledger, close } = await open(clock);
    try {
      await run(bookFixtureOn(ledger, clock));
    } finally {
      await close();
    }
  };
  void describe(`workers from outside, ${name}:`, { skip: skip ?? false }, () => {
    test("a task is claimed, kept and ended with its event and message in one unit", () =>
      on(async (at) => {
        const { event, task } = await happening(at.mina);
        const taken = await claim(at.mina, { handler: "gen-docs", worker: "box-1" });
        assert.deepEqual([taken.id, taken.attempt, taken.lease_seconds], [task, 1, 60]);
        const ticket = taken.ticket ?? -1;
        const { lease } = await read(at, taskKind, task);
        assert.equal(lease?.holder, "worker:mina-at-cli:box-1");
        at.clock.advance(50_000);
        const kept = await beat(at.mina, task, ticket);
        assert.deepEqual([kept.cancelling, kept.lease_until], [false, "2026-11-15T23:01:50Z"]);
        at.clock.advance(50_000);
        const done = await end(at.mina, task, ticket);
        assert.deepEqual([done.status, done.finished_at], ["completed", "2026-11-15T23:01:40Z"]);
        const { state, outcome } = await read(at, eventKind, event);
        assert.deepEqual([state, outcome?.task], ["completed", task]);
        const said = await at.ledger.of("mina", "x").list({ kind: notificationKind, parent: task });
        assert.deepEqual(
          said.records.map(({ id, body }) => [id, body.message, body.final]),
          [["msg-20261116-001", "✅ gen-docs: done", true]],
        );
        await refused(
          end(at.mina, task, ticket),
          "ended",
          /has ended \(completed\), so no report is accepted/,
        );
        await refused(beat(at.mina, task, ticket), "ended", /claim another task/);
      }));

    test("worker heartbeat --progress is in task list, and in the history every few seconds", () =>
      on(async (at) => {
        const { task } = await happening(at.mina);
        const { ticket } = await claim(at.mina, { handler: "gen-docs" });
        const report = (progress: number | string, note?: string) =>
          heartbeatTask.run(
            heartbeatTask.input.parse({ id: task, ticket, progress, note }),
            at.mina,
          );
        await report(0.2);
        await report(0.3); // too soon after the one before
        at.clock.advance(5_000);
        await report("0.4", "2 of 5 files");
        await report("0.4", "2 of 5 files");
        const { tasks } = await listTasks.run(listTasks.input.parse({}), at.mina);
        assert.deepEqual(
          tasks.map(({ progress }) => progress),
          ["40 %: 2 of 5 files"],
        );
        const shown = listTasks.render({ tasks, next: null }, at.reader("en"));
        assert.match(shown, /in_progress .* gen-docs  40 %: 2 of 5 files /);
        const { changes } = await at.ledger.of("mina", "x").changes({ id: task });
        const notes = changes.flatMap(({ what, note }) => (what === "kept" ? note : []));
        assert.deepEqual(notes, ["20 %", "40 %: 2 of 5 files"]);
      }));

    test("the most urgent task is next, then the oldest, and each goes to one worker", () =>
      on(async (at) => {
        const order = ["low", "normal", "high", "normal"] as const;
        for (const [index, priority] of order.entries()) {
          at.clock.advance(1_000);
          await happening(at.mina, { name: `evt-${index}`, task: `task-${index}`, priority });
        }
        const taken = [];
        for (let count = 0; count < 5; count += 1) {
          taken.push((await claim(at.mina, { handler: "gen-docs" })).id);
        }
        assert.deepEqual(taken, ["task-2", "task-1", "task-3", "task-0", null]);
        await refused(
          claim(at.mina, { id: "task-0" }),
          "leased",
          /worker:mina-at-cli:worker holds task-0 until/,
        );
      }));

    test("many workers at once get one task each", () =>
      on(async (at) => {
        for (const index of [1, 2, 3]) {
          await happening(at.mina, { name: `evt-${index}`, task: `task-${index}` });
        }
        const asked = Array.from({ length: 6 }, () => claim(at.mina, { handler: "gen-docs" }));
        const ids = (await Promise.all(asked)).map(({ id }) => id);
        const got = ids.filter((id) => id !== null);
        assert.deepEqual(got.toSorted(), ["task-1", "task-2", "task-3"]);
      }));

    test("a task is claimed by its id, and gets a lane if it has none", () =>
      on(async (at) => {
        await happening(at.mina, { name: "evt-1", task: "task-1" });
        const { task } = await happening(at.mina, { name: "evt-2", task: "task-2" });
        await at.ledger.of("mina", "x").edit({ kind: "task", id: task, lane: null });
        assert.equal((await claim(at.mina, { id: task })).id, task);
        assert.equal((await claim(at.mina, { handler: "gen-docs" })).id, "task-1");
      }));

    test("an old, foreign or invented ticket is refused and changes nothing", () =>
      on(async (at) => {
        const { task } = await happening(at.mina);
        const first = await claim(at.mina, { id: task });
        at.clock.advance(61_000);
        const second = await claim(at.mina, { id: task });
        assert.deepEqual([second.attempt, second.ticket !== first.ticket], [2, true]);
        const before = await at.ledger.of("mina", "x").changes({ id: task });
        const other = { ...at.mina, by: "somebody" };
        for (const [context, ticket] of [
          [at.mina, first.ticket ?? 0],
          [other, second.ticket ?? 0],
          [at.mina, 99],
        ] as const) {
          await refused(end(context, task, ticket), "stale", /claim it again/);
          await refused(beat(context, task, ticket), "stale", /claim it again/);
        }
        await refused(
          end(at.mina, task, second.ticket ?? 0, { task_id: "task-9" }),
          "conflict",
          /The result of task-9 was sent for task-20261115-001/,
        );
        await refused(
          end(at.mina, task, second.ticket ?? 0, { status: "failed" }),
          "invalid",
          /"error" is missing/,
        );
        assert.deepEqual(await at.ledger.of("mina", "x").changes({ id: task }), before);
        assert.equal((await end(at.mina, task, second.ticket ?? 0)).status, "completed");
      }));

    test("a failure is retried after a minute, and the last one ends the task", () =>
      on(async (at) => {
        const { event, task } = await happening(at.mina);
        const fail = async (error: string): Promise<string> => {
          const { ticket } = await claim(at.mina, { handler: "gen-docs" });
          return (await end(at.mina, task, ticket ?? 0, { status: "failed", error })).status;
        };
        assert.equal(await fail("first"), "pending");
        assert.equal((await claim(at.mina, { handler: "gen-docs" })).id, null);
        await refused(claim(at.mina, { id: task }), "held", /due at 2026-11-15T23:01:00Z/);
        at.clock.advance(60_000);
        assert.equal(await fail("second"), "failed");
        const { state, outcome } = await read(at, eventKind, event);
        assert.deepEqual([state, outcome?.reason], ["failed", "second"]);
      }));

    test("a task that workers keep abandoning ends failed, and the next is claimed", () =>
      on(async (at) => {
        const { event, task } = await happening(at.mina, { name: "evt-1", task: "task-1" });
        for (let attempt = 1; attempt <= worker.retries + 1; attempt += 1) {
          assert.equal((await claim(at.mina, { handler: "gen-docs" })).attempt, attempt);
          at.clock.advance(60_001);
        }
        await happening(at.mina, { name: "evt-2", task: "task-2" });
        assert.equal((await claim(at.mina, { handler: "gen-docs" })).id, "task-2");
        const { state, outcome } = await read(at, taskKind, task);
        assert.deepEqual(
          [state, outcome?.reason],
          ["failed", "the worker went away without a result"],
        );
        assert.equal((await read(at, eventKind, event)).state, "failed");
      }));

    test("a result that needs a human writes an open question in the same unit", () =>
      on(async (at) => {
        const { task } = await happening(at.mina);
        const { ticket } = await claim(at.mina, { id: task });
        const asks = { status: "needs_human", question: "Which branch?", session_id: "s-1" };
        const done = await end(at.mina, task, ticket ?? 0, asks);
        const question = { id: "q-20261115-001", question: "Which branch?", choices: [] };
        assert.deepEqual([done.status, done.input_required], ["completed", question]);
        assert.equal((await read(at, questionKind, question.id)).state, "open");
      }));

    test("a cancel reaches the worker by its heartbeat, and ends an idle task at once", () =>
      on(async (at) => {
        const busy = await happening(at.mina, { name: "evt-1", task: "task-1" });
        const idle = await happening(at.mina, { name: "evt-2", task: "task-2" });
        const { ticket } = await claim(at.mina, { id: busy.task });
        assert.equal((await cancelRun.run({ id: busy.task }, at.mina)).cancel, "cancelling");
        assert.equal((await beat(at.mina, busy.task, ticket ?? 0)).cancelling, true);
        const failed = { status: "failed", error: "stopped" };
        assert.equal((await end(at.mina, busy.task, ticket ?? 0, failed)).status, "cancelled");
        assert.equal((await read(at, eventKind, busy.event)).state, "cancelled");
        const reason = "by hand";
        assert.equal((await cancelRun.run({ id: idle.task, reason }, at.mina)).cancel, "cancelled");
        const { state, outcome } = await read(at, eventKind, idle.event);
        assert.deepEqual([state, outcome?.reason], ["cancelled", reason]);
      }));

    test("an abandoned task ends when it is cancelled, before or after", () =>
      on(async (at) => {
        const [one, two] = [
          await happening(at.mina, { name: "evt-1", task: "task-1" }),
          await happening(at.mina, { name: "evt-2", task: "task-2" }),
        ];
        await claim(at.mina, { id: one.task });
        await claim(at.mina, { id: two.task });
        assert.equal((await cancelRun.run({ id: one.task }, at.mina)).cancel, "cancelling");
        at.clock.advance(60_001);
        assert.equal((await cancelRun.run({ id: two.task }, at.mina)).cancel, "cancelled");
        assert.equal((await read(at, eventKind, two.event)).state, "cancelled");
        assert.equal((await claim(at.mina, { handler: "gen-docs" })).id, null);
        assert.equal((await read(at, taskKind, one.task)).state, "cancelled");
      }));

    test("a long list is read once a second, and each task goes to one worker", () =>
      on(async (at) => {
        const append = async (id: string, priority: "normal" | "high"): Promise<void> => {
          await happening(at.mina, { name: `evt-${id}`, task: id, priority });
        };
        for (let index = 100; index < 310; index += 1) await append(`task-${index}`, "normal");
        const next = async (): Promise<string | null> =>
          (await claim(at.mina, { handler: "gen-docs" })).id;
        assert.equal(await next(), "task-100");
        await cancelRun.run({ id: "task-101" }, at.mina);
        await append("task-900", "high");
        const asked = await Promise.all([next(), next(), next()]);
        assert.deepEqual(asked.toSorted(), ["task-102", "task-103", "task-104"]);
        at.clock.advance(1_000);
        assert.deepEqual([await next(), await next()], ["task-900", "task-105"]);
      }));

    test("runs that take turns are claimed one after the other", () =>
      on(async (at) => {
        const book = at.ledger.of("mina", "x");
        for (const index of [1, 2]) {
          const { task } = await happening(at.mina, {
            name: `evt-${index}`,
            task: `task-${index}`,
          });
          const { body } = await read(at, taskKind, task);
          await book.edit({ kind: "task", id: task, body: { ...body, turns: ["turn:report"] } });
        }
        const first = await claim(at.mina, { handler: "gen-docs" });
        assert.deepEqual([first.id, first.attempt], ["task-1", 1]);
        assert.equal((await claim(at.mina, { handler: "gen-docs" })).id, null);
        await end(at.mina, "task-1", first.ticket ?? 0);
        at.clock.advance(30_000);
        const second = await claim(at.mina, { handler: "gen-docs" });
        assert.deepEqual([second.id, second.attempt], ["task-2", 1]);
      }));

    test("a waiting claim gets a new task, or nothing at its end", () =>
      on(async (at) => {
        const rests: number[] = [];
        const rest = async (ms: number): Promise<void> => {
          at.clock.advance(ms);
          rests.push(ms);
          if (rests.length === 3) await happening(at.mina);
        };
        const waits = withHandling(at.mina, { pause: rest });
        const asked = { handler: "gen-docs", wait_seconds: 1 };
        assert.equal((await claim(waits, asked)).id, "task-20261115-001");
        assert.equal((await claim(waits, asked)).id, null);
        assert.equal(rests.length, 7);
      }));

    test("tasks of other owners, and those that run here, are refused", () =>
      on(async (at) => {
        const { task } = await happening(at.mina);
        assert.equal((await claim(at.jun, { handler: "gen-docs" })).id, null);
        await refused(claim(at.jun, { id: task }), "not_found", /There is no run or task/);
        const ours = { handler: reviewer, name: "evt-2", task: "task-2" };
        const { task: run } = await happening(at.mina, ours);
        await refused(
          claim(at.mina, { id: run }),
          "refused",
          /runs on this installation, by command/,
        );
        await refused(claim(at.mina, { handler: "nobody" }), "not_found", /There is no handler/);
        await refused(claim(at.mina, {}), "invalid", /give a handler or the id of a task/);
      }));
  });
}
