import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventKind } from "../../features/events/kind.ts";
import { fileLayouts as layouts } from "../../features/index.ts";
import { taskKind } from "../../features/tasks/kind.ts";
import { is } from "../../kernel/kind.ts";
import { taskDraft } from "../../testing/external-programs.ts";
import {
  dropFile,
  event,
  events,
  inSharedFolder,
  until,
  type SharedFolder,
  withSharedFolder,
} from "../../testing/shared-folder.ts";
import { file } from "./file.ts";

async function pendingTask({ ledger, folder }: SharedFolder, id: string): Promise<string> {
  await ledger.of("me", "test").append(taskDraft(id));
  const path = `queue/tasks/pending/${id}.json`;
  while (!existsSync(join(folder, path))) await new Promise((resolve) => setImmediate(resolve));
  return path;
}

const moveTo = (folder: string, from: string, to: string): void =>
  renameSync(join(folder, from), join(folder, to));

test("a worker claims a task by moving its file, and ends it with its result", () =>
  inSharedFolder(async (shared) => {
    const { ledger, folder, programs, drop, read } = shared;
    const path = await pendingTask(shared, "task-20260207-001");
    moveTo(folder, path, path.replace("pending", "in_progress"));
    await programs.until("taken");
    const taken = await ledger.of("me", "test").get("task-20260207-001");
    assert.equal(taken?.lease?.holder, "file:gen-pr");
    drop("state/results/task-20260207-001.json", {
      task_id: "another", // ignored: the file's name decides
      status: "success",
      summary: "reviewed",
    });
    await programs.until("reported");
    const ended = await ledger.of("me", "test").get("task-20260207-001");
    assert.equal(ended?.state, "completed");
    await ledger.close();
    assert.deepEqual(readdirSync(join(folder, "queue/tasks/completed")), [
      "task-20260207-001.json",
    ]);
    assert.deepEqual(readdirSync(join(folder, "queue/tasks/in_progress")), []);
    const { task_id, status, summary } = read("state/results/task-20260207-001.json");
    assert.deepEqual([task_id, status, summary], ["task-20260207-001", "success", "reviewed"]);
  }));

test("a task whose file was moved while the ledger was closed is claimed at the start", () =>
  inSharedFolder(async (shared) => {
    const path = await pendingTask(shared, "t1");
    await shared.ledger.close();
    moveTo(shared.folder, path, path.replace("pending", "in_progress"));
    await (await file({ folder: shared.folder, layouts })).close(); // a store without workers
    await withSharedFolder(shared.folder, async ({ ledger }) => {
      assert.equal((await ledger.of("me", "test").get("t1"))?.lease?.holder, "file:gen-pr");
    });
  }));

test("a heartbeat extends the lease; without one the task can be claimed again", () =>
  inSharedFolder(
    async (shared) => {
      const { folder, programs, ledger } = shared;
      const path = await pendingTask(shared, "t1");
      moveTo(folder, path, path.replace("pending", "in_progress"));
      await programs.until("taken");
      const beat = join(folder, "state/results/t1-heartbeat");
      const claimedAt = Date.now();
      while (Date.now() < claimedAt + 900) {
        writeFileSync(beat, "");
        await new Promise((resolve) => setTimeout(resolve, 30));
        assert.equal(programs.lost(), 0);
      }
      await programs.until("reported"); // without a result
      assert.equal(programs.lost(), 1);
      const back = await ledger.of("me", "test").get("t1");
      assert.deepEqual([back?.state, back?.lease, back?.attempt], ["pending", null, 1]);
      await ledger.close();
      assert.deepEqual(readdirSync(join(folder, "queue/tasks/pending")), ["t1.json"]);
    },
    { leaseMs: 400 },
  ));

test("a late, unknown or foreign result goes to quarantine at the start", () =>
  inSharedFolder(async (shared) => {
    const { ledger, folder, programs, drop, quarantined, read } = shared;
    const path = await pendingTask(shared, "t1");
    drop("state/results/t1.json", { status: "success", summary: "one" }); // without moving it first
    await programs.until("reported");
    while (existsSync(join(folder, path))) await new Promise((resolve) => setImmediate(resolve));
    await ledger.of("me", "test").append({ ...taskDraft("t2"), queue: "task@node" });
    await ledger.work.claim({
      kind: taskKind,
      queue: "task@node",
      holder: "n",
      leaseMs: 1e6,
      limit: 1,
    });
    await ledger.close();
    const late = { status: "failed", summary: "two", error: "late" };
    for (const name of ["t1", "t2", "t3"]) drop(`state/results/${name}.json`, late);
    drop("state/results/t1-raw.json", { any: "thing" });
    await withSharedFolder(folder, async () => undefined);
    assert.deepEqual(quarantined().toSorted(), [
      "state/results/t1.json: The task had already ended (completed).",
      "state/results/t2.json: n has claimed the task: only its result is accepted.",
      "state/results/t3.json: There is no task with this id.",
    ]);
    assert.equal(read("state/results/t1.json")["summary"], "one");
    assert.deepEqual(read("state/results/t1-raw.json"), { any: "thing" });
  }));

test("a late result goes to quarantine while the ledger is open, and the first is restored", () =>
  inSharedFolder(async (shared) => {
    const { folder, programs, drop, quarantined, read } = shared;
    const path = "state/results/t1.json";
    const task = await pendingTask(shared, "t1");
    drop(path, { status: "success", summary: "one" });
    await programs.until("reported");
    await until(() => !existsSync(join(folder, task)) && "daybook" in read(path));
    // The second has a field that the stored one lacks, the third differs by its status alone.
    const late = [
      { status: "failed", summary: "two", error: "late" },
      { status: "success", summary: "one", session_id: "s-1" },
      { status: "failed", summary: "one" },
    ];
    for (const [index, each] of late.entries()) {
      drop(path, each);
      await until(() => quarantined().length > index);
      await until(() => existsSync(join(folder, path)));
      assert.deepEqual([read(path)["status"], read(path)["summary"]], ["success", "one"]);
    }
    const reason = "state/results/t1.json: The task had already ended (completed).";
    assert.deepEqual(quarantined(), [reason, reason, reason]);
    writeFileSync(join(folder, path), JSON.stringify(late[0])); // in path, without a rename
    await until(() => quarantined().length > late.length);
    await until(() => existsSync(join(folder, path)));
    rmSync(join(folder, path));
    await until(() => existsSync(join(folder, path)));
  }));

test("a start keeps the stored result and quarantines a late one", () =>
  inSharedFolder(async (shared) => {
    const { folder, programs, drop, read, ledger, quarantined } = shared;
    const path = "state/results/t1.json";
    await pendingTask(shared, "t1");
    drop(path, { status: "success", summary: "one" });
    await programs.until("reported");
    await until(() => "daybook" in read(path));
    await ledger.close();
    const { ino } = lstatSync(join(folder, path));
    await withSharedFolder(folder, async () => {
      assert.equal(lstatSync(join(folder, path)).ino, ino);
      drop(path, { status: "success", summary: "one" }); // the same result changes nothing
      await until(() => "daybook" in read(path));
      assert.deepEqual(quarantined(), []);
      drop(path, { status: "failed", summary: "two", error: "late" });
      await until(() => quarantined().length > 0);
    });
    assert.equal(read(path)["summary"], "one");
  }));

test("other moved files are moved back, and removed files are restored", () =>
  inSharedFolder(async (shared) => {
    const { folder, ledger, drop, programs } = shared;
    drop(`${events}/evt-1.json`, event);
    await programs.until("dropped");
    const path = await pendingTask(shared, "t1");
    await pendingTask(shared, "own");
    const later = { ...taskDraft("later"), wakeAt: Date.now() + 1e8 };
    await ledger.of("me", "test").append(later);
    await ledger.close();
    moveTo(folder, `${events}/evt-1.json`, "queue/events/completed/evt-1.json");
    moveTo(folder, path, "queue/tasks/completed/t1.json");
    moveTo(folder, "queue/tasks/pending/later.json", "queue/tasks/in_progress/later.json");
    await withSharedFolder(folder, async ({ ledger: again }) => {
      for (const id of ["t1", "own", "later", "evt-1"]) {
        assert.equal((await again.of("me", "test").get(id))?.state, "pending");
      }
      rmSync(join(folder, "queue/tasks/pending/own.json"));
    });
    await withSharedFolder(folder, async () => undefined);
    const names = readdirSync(join(folder, "queue/tasks/pending")).toSorted();
    assert.deepEqual(names, ["later.json", "own.json", "t1.json"]);
  }));

test("a retry starts without the result of the attempt before", () =>
  inSharedFolder(async (shared) => {
    const { ledger, folder, programs, drop } = shared;
    const path = await pendingTask(shared, "t1");
    const failed = { status: "failed", summary: "no", error: "no" };
    for (const times of [1, 2]) {
      moveTo(folder, path, path.replace("pending", "in_progress"));
      await programs.until("taken", times);
      drop("state/results/t1.json", failed);
      await programs.until("reported", times);
      while (!existsSync(join(folder, path))) await new Promise((resolve) => setImmediate(resolve));
      assert.ok(!existsSync(join(folder, "state/results/t1.json")));
    }
    assert.equal((await ledger.of("me", "test").get("t1"))?.attempt, 2);
    await ledger.close();
    dropFile(folder, "state/results/t1.json", failed); // as after a crash between settle and removal
    utimesSync(join(folder, "state/results/t1.json"), 1, 1);
    await withSharedFolder(folder, async ({ ledger: again }) => {
      assert.equal((await again.of("me", "test").get("t1"))?.attempt, 2);
    });
    assert.ok(!existsSync(join(folder, "state/results/t1.json")));
  }));

for (const [what, text, wrong] of [
  ["a result with an unknown status", '{"status": "great"}', "great is no status."],
  ["a result that is not JSON", '{"status": "success"', "It is not JSON."],
] as const) {
  test(`a worker's bad result fails the task at once with that reason: ${what}`, () =>
    inSharedFolder(async (shared) => {
      const { ledger, folder, programs, quarantined, read } = shared;
      const path = await pendingTask(shared, "t1");
      moveTo(folder, path, path.replace("pending", "in_progress"));
      await programs.until("taken");
      dropFile(folder, "state/results/.tmp-result", text);
      utimesSync(join(folder, "state/results/.tmp-result"), 1, 1);
      moveTo(folder, "state/results/.tmp-result", "state/results/t1.json");
      await programs.until("reported");
      const ended = await ledger.of("me", "test").get("t1");
      assert.equal(ended?.state, "failed");
      assert.equal(is(taskKind, ended) && ended.outcome?.reason, wrong);
      await until(() => quarantined().length === 1);
      assert.deepEqual(quarantined(), [`state/results/t1.json: ${wrong}`]);
      await until(() => existsSync(join(folder, "state/results/t1.json")));
      assert.equal(read("state/results/t1.json")["error"], wrong);
    }));
}

test("text in a result is never executed", () =>
  inSharedFolder(async (shared) => {
    const { ledger, programs, drop } = shared;
    await pendingTask(shared, "t1");
    drop("state/results/t1.json", { status: "success", summary: 'it\'s $(done) & "quoted"\n%s' });
    await programs.until("reported");
    assert.equal((await ledger.of("me", "test").get("t1"))?.state, "completed");
  }));

test("a shell script can be a worker, and payloads are never executed", () =>
  inSharedFolder(async (shared) => {
    const { ledger, folder, programs } = shared;
    await pendingTask(shared, "t1");
    const script = `set -e
      mv queue/tasks/pending/t1.json queue/tasks/in_progress/
      echo '{"status":"success","summary":"by sh"}' > state/results/.tmp-t1.json
      mv state/results/.tmp-t1.json state/results/t1.json
      echo '{"type":"a.b","source":"sh","payload":{"text":"a & b '"'"'c'"'"' $(x)"}}' > queue/events/pending/.tmp-e
      mv queue/events/pending/.tmp-e queue/events/pending/evt-sh-1.json`;
    assert.equal(spawnSync("sh", ["-c", script], { cwd: folder }).status, 0);
    await Promise.all([programs.until("reported"), programs.until("dropped")]);
    assert.equal((await ledger.of("me", "test").get("t1"))?.state, "completed");
    const event = await ledger.of("me", "test").get("evt-sh-1");
    assert.deepEqual(is(eventKind, event) && event.body.payload, { text: "a & b 'c' $(x)" });
  }));
