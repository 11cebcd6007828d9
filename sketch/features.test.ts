import assert from "node:assert/strict";
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
  mkdirSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { compose } from "./app/compose.ts";
import { features } from "./app/features.ts";
import { methodsOf } from "./app/methods.ts";
import type { Daybook } from "./app/open.ts";
import { event } from "./features/events/kind.ts";
import { nags } from "./features/nags/index.ts";
import { makeNotification, notifications } from "./features/notifications/index.ts";
import { schedules } from "./features/schedules/index.ts";
import { schedule } from "./features/schedules/kind.ts";
import { makeTask, runHook, runHooks, task, tasks } from "./features/tasks/index.ts";
import { workspaces } from "./features/workspaces/index.ts";
import { adaptersOf, opened, storeNames, world } from "./fixture.ts";
import { runUntilIdle } from "./kernel/controller.ts";
import { feature, type Feature } from "./kernel/feature.ts";
import { ledgerPort } from "./kernel/node.ts";
import { operation } from "./kernel/operation.ts";
import { port, provide } from "./kernel/port.ts";
import { draft, edit, joined, type Draft } from "./kernel/unit.ts";
import { memoryStore } from "./stores/memory.ts";

const minute = 60_000;
const failing = { type: "command", input: { argv: ["false"] } };

/** Never called: the library's types come from the list of features. */
export async function proofs(book: Daybook): Promise<void> {
  const at: string = (await book.nag({ text: "x", at: "2026-01-01T00:00:00Z" })).at;
  const next: string | null = (await book.listSchedules({})).schedules[0]?.next_run_at ?? null;
  const explained = await book.explain({ id: "x" });
  const count: number | undefined = explained.nag?.sent_count;
  const cause: string | undefined = explained.causes[0]?.schedule?.name;
  // @ts-expect-error: a time is a text at the edge
  await book.nag({ text: "x", at: 1 });
  // @ts-expect-error: tasks cannot be paused, so nothing pauses them
  void book.pauseTask;
  // @ts-expect-error: no feature explains pages
  void explained.page;
  const needs = { mine: port<number>("x.mine") };
  const { doneNag } = nags.operations;
  operation({
    ...doneNag,
    needs,
    run: async (_input, _context, { mine }) => ({ id: mine }) as never,
  });
  // @ts-expect-error: an operation has only the ports it needs
  operation({ ...doneNag, needs, run: async (_input, _context, { other }) => other as never });
  // @ts-expect-error: what is provided has the port's type
  provide(needs.mine, {}, () => "text");
  void [at, next, count, cause];
}

test("compose says which port is missing, doubled, or provided from below", () => {
  const w = world();
  const node = (list: readonly (typeof features)[number][], adapters = adaptersOf(w)): unknown =>
    compose(list, { store: () => memoryStore(() => 0), now: () => 0, adapters });
  assert.throws(
    () => node([notifications], []),
    /notifications needs "notifications.channel", and nothing provides it/,
  );
  const [channel] = adaptersOf(w);
  assert.ok(channel);
  assert.throws(
    () => node([notifications], [channel, channel]),
    /provided twice, by adapters and adapters/,
  );
  assert.throws(() => node([notifications, workspaces, tasks]), /only a feature after tasks may/);
  assert.throws(() => node([notifications, schedules]), /put tasks before schedules/);
  assert.throws(() => node([notifications, notifications]), /two of the feature "notifications"/);
  const a = port<number>("loop.a");
  const b = port<number>("loop.b");
  const loop = feature({ name: "loop", needs: { a } });
  const both = feature({
    name: "both",
    provides: [provide(a, { b }, (p) => p.b), provide(b, { a }, (p) => p.a)],
  });
  const hooked = feature({
    name: "hooked",
    operations: { x: operation({ ...nags.operations.showNag, needs: { a } }) },
  });
  const later = compose([loop, both, hooked] as never, {
    store: () => memoryStore(() => 0),
    now: () => 0,
    adapters: [],
  });
  return assert.rejects(
    later.ask(hooked.operations.x, { id: "1" }, { owner: "me", by: "me", origin: null }),
    /need each other/,
  );
});

for (const store of storeNames) {
  test(`a nag is sent until it is done; its notification's end wakes it: ${store}`, async () => {
    const w = world();
    const { book } = await opened(w, { store, config: { curves: { short: { minutes: [5] } } } });
    const made = await book.nag({ text: "stretch", curve: "short" });
    await book.work();
    assert.deepEqual(w.sent, ["stretch"]);
    w.now += 5 * minute;
    await book.work();
    assert.deepEqual(w.sent, ["stretch", "stretch"]);
    assert.equal((await book.pauseNag({ id: made.id })).state, "paused");
    await book.resumeNag({ id: made.id });
    assert.equal((await book.done({ id: made.id })).state, "done");
    await assert.rejects(
      book.nag({ text: "x", curve: "none" }),
      /Unknown curve "none". Configured: short, gentle/,
    );
  });

  test(`the hooks of a schedule and an event run in one settle, in order: ${store}`, async () => {
    const w = world();
    const { book } = await opened(w, { store });
    const own = book.node.ledger.of("me", "me");
    const { record: s } = await own.append(
      draft(schedule, {
        body: {
          name: "nightly",
          everyMs: 1,
          run: failing,
          target: "inbox:me",
          notifyAfterFailures: 1,
        },
        state: "active",
      }),
    );
    const { record: e } = await own.append(
      draft(event, { body: { type: "push", payload: {} }, state: "dispatched" }),
    );
    const about = { id: e.id, handler: "ci", outside: false };
    await own.append(
      makeTask({
        name: "command",
        input: {},
        at: 0,
        target: "inbox:me",
        slot: { schedule: s.id, at: 0 },
        event: about,
      }),
    );
    w.output = "failed: no disk"; // completed for the runner, failed for the event's hook, before the verdict
    w.overloaded = true;
    await book.work();
    assert.equal((await own.get(e.id))?.state, "dispatched", "load shedding postpones it");
    w.overloaded = false;
    w.now += minute;
    await book.work();
    const [run] = await own.list({ kind: task });
    assert.equal(run?.state, "failed");
    assert.equal((await own.get(e.id, event))?.outcome?.reason, "no disk");
    assert.equal((await own.get(s.id, schedule))?.outcome?.failures, 1);
    assert.deepEqual(w.sent, ["nightly failed 1 times in a row."]);
  });

  test(`a task waits as a record until its workspace runs: ${store}`, async () => {
    const w = world();
    const { book } = await opened(w, { store });
    const run = await book.runTask({ type: "command", input: { argv: ["make"] }, in: "lab" });
    assert.equal(run.name, "workspace");
    await book.work();
    assert.equal((await book.showRun({ id: run.id })).state, "completed");
    assert.equal((await book.listWorkspaces({})).workspaces[0]?.state, "running");
    await assert.rejects(
      book.runTask({ type: "magic", input: null }),
      /Known: command, function, ping, workspace/,
    );
  });
}

/** Moves the schedule between the read and the settle; may add a consequence that is always refused. */
function meddlerWith(append: (taskId: string) => readonly Draft[]): Feature {
  let isMoved = false;
  const hook = provide(runHooks, { ledger: ledgerPort }, ({ ledger }) =>
    runHook({
      applies: () => true,
      async read({ body }) {
        const id = body.slot?.schedule ?? "";
        if (!isMoved) await ledger.of("me", "me").edit(edit(schedule, { id, state: "active" }));
        isMoved = true;
      },
      finish: (verdict, { task: { id } }) =>
        "ends" in verdict && verdict.ends === "completed"
          ? { ...verdict, consequences: joined(verdict.consequences, { append: append(id) }) }
          : verdict,
    }),
  );
  return feature({ name: "meddler", provides: [hook] });
}

async function endOfRun(
  meddler: Feature,
): Promise<{ run: unknown; failures: unknown; reason: string }> {
  const w = world();
  const now = (): number => w.now;
  const adapters = adaptersOf(w);
  const node = compose([...features, meddler], { store: () => memoryStore(now), now, adapters });
  const book = methodsOf(features, node, { owner: "me", by: "me", origin: null });
  await book.createSchedule({ name: "hourly", every_ms: 60 * minute, run: failing });
  await runUntilIdle(await node.controllers(), { ledger: node.ledger, now });
  const own = node.ledger.of("me", "me");
  const [run] = await own.list({ kind: task });
  const [counted] = await own.list({ kind: schedule });
  return {
    run: run?.state,
    failures: counted?.outcome?.failures,
    reason: run?.outcome?.reason ?? "",
  };
}

test("a schedule that moved before the settle is read again, and the run counts", async () => {
  assert.deepEqual(await endOfRun(meddlerWith(() => [])), {
    run: "completed",
    failures: 0,
    reason: "",
  });
});

test("a refused consequence that no hook knows fails the run", async () => {
  const taken = (id: string): readonly Draft[] => [
    makeNotification({ message: "x", target: "y", at: 0 }, { id }),
  ];
  const { run, failures, reason } = await endOfRun(meddlerWith(taken));
  assert.deepEqual([run, failures], ["failed", 1]);
  assert.match(reason, /A consequence was refused/);
});

test("explain is merged from the features, in both languages", async () => {
  const w = world();
  const { book } = await opened(w);
  await book.createSchedule({ name: "hourly", every_ms: 60 * minute, run: failing });
  await book.work();
  const [sent] = (await book.listNotifications({})).notifications;
  const explained = await book.explain({ id: sent?.id ?? "" });
  assert.deepEqual(
    explained.causes.map((each) => each.run?.name ?? each.schedule?.name),
    ["command", "hourly"],
  );
  assert.equal(explained.nag, null);
  assert.equal(explained.notification?.message, "ok");
  const byName = await book.explain({ id: "hourly" });
  assert.equal(byName.schedule?.next_run_at, "2026-01-01T10:00:00.000Z");
  const explain = features[6].operations.explain;
  const reader = { language: "ko", zone: "Asia/Seoul" } as const;
  assert.equal(
    await book.render(explain as never, byName, reader),
    "hourly 다음 실행: 2026-01-01T10:00:00.000Z",
  );
  assert.deepEqual((await book.next({})).upcoming, [
    { at: "2026-01-01T10:00:00.000Z", text: "hourly" },
  ]);
});

test("the file store takes dropped files, a worker's claim and its result, and knows no kind", async () => {
  const w = world();
  const { book, folder, scan } = await opened(w, {
    store: "file",
    config: { handlers: { ci: { on: "push" } } },
  });
  const queue = join(folder, "queue");
  mkdirSync(join(queue, "events/pending"), { recursive: true });
  writeFileSync(
    join(queue, "events/pending/e1.json"),
    JSON.stringify({ type: "push", payload: { ref: "main" } }),
  );
  writeFileSync(join(queue, "events/pending/e2.json"), JSON.stringify({ payload: 1 }));
  await scan();
  assert.match(readFileSync(join(folder, "quarantine/e2.json.reason"), "utf8"), /type/);
  await book.work();
  assert.ok(existsSync(join(queue, "events/dispatched/e1.json")));
  const [file = ""] = readdirSync(join(queue, "tasks/pending"));
  const id = file.replace(".json", "");
  mkdirSync(join(queue, "tasks/in_progress"), { recursive: true });
  renameSync(join(queue, "tasks/pending", file), join(queue, "tasks/in_progress", file));
  await scan();
  const own = book.node.ledger.of("me", "me");
  assert.equal((await own.get(id))?.lease?.holder, "file:ci");
  mkdirSync(join(folder, "state/results"), { recursive: true });
  writeFileSync(
    join(folder, "state/results", file),
    JSON.stringify({ status: "success", summary: "built" }),
  );
  await scan();
  assert.equal(
    (await own.get("e1"))?.state,
    "completed",
    "the hook ended the event in the same unit",
  );
  assert.ok(existsSync(join(queue, "tasks/completed", file)));
  await book.work();
  assert.deepEqual(readdirSync(join(queue, "messages/sent")).length, 1);
  assert.deepEqual(w.sent, ["built"]);
});
