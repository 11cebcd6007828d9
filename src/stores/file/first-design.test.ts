import assert from "node:assert/strict";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileLayouts as layouts } from "../../features/index.ts";
import { taskKind } from "../../features/tasks/kind.ts";
import { emptyOutcome } from "../../features/tasks/outcome.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { testPrograms, taskDraft } from "../../testing/external-programs.ts";
import { assertNotTwice, assertShown } from "../../testing/ledger-folder.ts";
import { file } from "./file.ts";

const leaseMs = 300;

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), "daybook-"));
  try {
    await run(join(parent, "book"));
  } finally {
    rmSync(parent, { recursive: true });
  }
}

/** A store that handles files of other programs. */
async function open(folder: string, scanMs = 50) {
  const programs = testPrograms({ leaseMs });
  const { external, onStep } = programs;
  return {
    programs,
    ledger: await file({ folder, layouts, scanMs, external: () => external, onStep }),
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function shown(folder: string, path: string): Promise<void> {
  while (!existsSync(join(folder, path))) await turn();
}

async function addTask({ of }: Ledger, folder: string, id: string): Promise<void> {
  await of("me", "test").append(taskDraft(id));
  await shown(folder, `queue/tasks/pending/${id}.json`);
}

function move(folder: string, id: string, from: string, to: string): void {
  renameSync(
    join(folder, `queue/tasks/${from}/${id}.json`),
    join(folder, `queue/tasks/${to}/${id}.json`),
  );
}

function report(folder: string, id: string): void {
  const path = join(folder, `state/results/.tmp-${id}`);
  writeFileSync(path, JSON.stringify({ status: "success", summary: "ok" }));
  renameSync(path, join(folder, `state/results/${id}.json`));
}

test("a dead worker's task is pending again, even after a restart (B7.6)", () =>
  inFolder(async (folder) => {
    const first = await open(folder);
    await addTask(first.ledger, folder, "t1");
    move(folder, "t1", "pending", "in_progress");
    await first.programs.until("taken");
    await first.ledger.close();
    const { programs, ledger } = await open(folder);
    await programs.until("reported"); // as having no result
    await shown(folder, "queue/tasks/pending/t1.json");
    move(folder, "t1", "pending", "in_progress");
    await programs.until("taken");
    report(folder, "t1");
    await shown(folder, "queue/tasks/completed/t1.json");
    assert.equal((await ledger.of("me", "test").get("t1"))?.state, "completed");
    await ledger.close();
    assertShown(folder);
  }));

test("a task released and claimed again is in one folder at any time (B7.8)", () =>
  inFolder(async (folder) => {
    const ledger = await file({ folder, layouts });
    await addTask(ledger, folder, "t1");
    const rounds = 100;
    for (let round = 0; round < rounds; round += 1) {
      const lease = { kind: taskKind, queue: "task@gen-pr", holder: "h", leaseMs: 60_000 } as const;
      const [record = assert.fail()] = (await ledger.work.claim({ ...lease, limit: 1 })).records;
      const { id, revision } = record;
      const unit = {
        id,
        fence: record.lease.fence,
        revision,
        state: "pending",
        wakeAt: 0,
      } as const;
      const [settled] = await ledger.work.settle([{ ...unit, outcome: emptyOutcome }]);
      assert.equal(settled?.result, "settled");
      assertNotTwice(folder);
      assert.equal(globSync("queue/tasks/*/t1.json", { cwd: folder }).length, 1, `round ${round}`);
      if (round % 3 === 0) await turn();
    }
    assert.equal((await ledger.of("me", "test").get("t1"))?.attempt, rounds);
    await ledger.close();
    assertShown(folder);
  }));

test("a folder is scanned when its watcher misses everything (B7.21)", () =>
  inFolder(async (folder) => {
    await (await file({ folder, layouts })).close();
    const { programs, ledger } = await open(folder);
    // Replaces the folder: a watcher of the old one receives nothing.
    const pending = join(folder, "queue/events/pending");
    renameSync(pending, `${pending}-old`);
    mkdirSync(pending);
    rmSync(`${pending}-old`, { recursive: true });
    const path = join(pending, "evt-1.json");
    writeFileSync(join(pending, ".tmp-evt-1"), JSON.stringify({ type: "a.b", source: "sh" }));
    renameSync(join(pending, ".tmp-evt-1"), path);
    await programs.until("dropped");
    assert.equal((await ledger.of("me", "test").get("evt-1"))?.state, "pending");
    await ledger.close();
  }));

test("a pruned record leaves no file, whatever its suffix (B7.24)", () =>
  inFolder(async (folder) => {
    const { programs, ledger } = await open(folder);
    await addTask(ledger, folder, "t1");
    move(folder, "t1", "pending", "in_progress");
    await programs.until("taken");
    const beat = join(folder, "state/results/t1-heartbeat");
    writeFileSync(beat, "");
    report(folder, "t1");
    await shown(folder, "queue/tasks/completed/t1.json");
    const pruned = await ledger.work.prune({ endedBefore: Date.now() + 1_000, limit: 10 });
    assert.equal(pruned, 1);
    await ledger.close();
    assert.deepEqual(globSync("**/*t1*", { cwd: folder, exclude: ["journal-*"] }), []);
  }));
