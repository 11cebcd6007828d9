import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileLayouts as layouts } from "../../features/index.ts";
import { notificationKind } from "../../features/notifications/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { sampleSize } from "../../testing/depth.ts";
import {
  assertNotTwice,
  assertShown,
  readLedgerFolder,
  type Found,
} from "../../testing/ledger-folder.ts";
import { file } from "./file.ts";
import type { Step } from "./step.ts";

/** Steps that external-crash.test.ts tests. */
type ExternalStep = "dropped" | "taken" | "reported" | "result shown";

const print = (line: string): number => writeSync(1, `${line}\n`);
const body = { message: "hi", at: 1, atText: "now", target: "stdout:", origin: "cli" };
const draft = { kind: "notification", state: "pending", wakeAt: 1, body } as const;
const waiting = { kind: "chore", state: "waiting", body: { name: "c", everyMs: 1 } } as const;

/** Writes until the process is killed, and prints each answer. */
async function writeUntilDead(folder: string, endAt: Step | undefined, nth: number): Promise<void> {
  let count = 0;
  let onProjected = (): void => undefined;
  const onStep = (step: Step): void => {
    if (step === "projected") onProjected();
    if (step === endAt) count += 1;
    if (step === endAt && count === nth) process.kill(process.pid, "SIGKILL");
  };
  const ledger = await file({ folder, layouts, checkpointCommits: 8, onStep });
  // A file is moved only if it exists, and none is written while commits follow each other.
  const isAboutFiles = endAt === "moved" || endAt === "projected";
  const shown = isAboutFiles
    ? () => new Promise<void>((resolve) => (onProjected = resolve))
    : undefined;
  for (let round = 0; ; round += 1) {
    await writeRound(ledger, `round-${process.pid}-${round}`);
    await shown?.();
  }
}

/** Five units of a record and a consequence in one commit; then some are claimed, ended and pruned. */
async function writeRound(ledger: Ledger, by: string): Promise<void> {
  const append = async (): Promise<void> => {
    const { id } = await ledger.of("ann", by).append(draft, { append: [waiting] });
    print(`appended ${id}`);
  };
  await Promise.all([append(), append(), append(), append(), append()]);
  const lease = { kind: notificationKind, holder: "w", leaseMs: 60_000, limit: 3 } as const;
  const { records } = await ledger.work.claim(lease);
  for (const { id, lease } of records) print(`claimed ${id} ${lease.fence}`);
  const units = records
    .slice(1)
    .map(({ id, revision, lease: { fence } }) => ({ id, revision, fence }));
  await ledger.work.settle(units.map((unit) => ({ ...unit, ends: "delivered" })));
  for (const { id } of units) print(`settled ${id}`);
  await ledger.work.prune({ endedBefore: 1e15, limit: 1 });
}

function start(folder: string, endAt?: Step, nth = 3): ChildProcess {
  const args = [import.meta.filename, "write", folder, endAt ?? "", String(nth)];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
}

/** Runs a writer until it is killed. Answers the lines that it printed. */
async function watch(
  child: ChildProcess,
  onLine: (count: number) => void = () => {},
): Promise<readonly string[]> {
  const lines: string[] = [];
  assert.ok(child.stdout);
  createInterface(child.stdout).on("line", (line) => onLine(lines.push(line)));
  await once(child, "close");
  assert.equal(child.signalCode, "SIGKILL", "the writer is killed");
  return lines;
}

/** Checks without the store's own code: acknowledged writes exist, units and commits are complete. */
function recheck(folder: string, printed: readonly string[]): void {
  const { rows, changes } = readLedgerFolder(folder);
  const idsOf = (what: string): string[][] =>
    printed.flatMap((line) => (line.startsWith(what) ? [line.split(" ").slice(1)] : []));
  const settled = new Set(idsOf("settled").map(([id]) => id));
  const claimed = new Set(idsOf("claimed").map(([id]) => id));
  for (const [id = ""] of idsOf("appended")) {
    assert.ok(rows.has(id) || claimed.has(id), `${id} is lost`); // a claimed one may be pruned
  }
  for (const { id } of changes) assert.ok(rows.has(id), "a pruned record has no history");
  for (const [id = "", fence] of idsOf("claimed")) {
    const row = rows.get(id);
    if (row) assert.ok(row.fence >= Number(fence), `${id} has lost a claim`);
  }
  for (const id of settled) assert.equal(rows.get(id ?? "")?.state ?? "delivered", "delivered");
  recheckUnits([...rows.values()]);
}

function recheckUnits(rows: readonly Found[]): void {
  const consequences = rows.filter(({ parent }) => parent !== null);
  const rounds = Map.groupBy(consequences, ({ by }) => by);
  for (const [by, { length }] of rounds) assert.equal(length, 5, `${by} is complete`);
  const causes = new Set(consequences.map(({ parent }) => parent));
  for (const { id, parent } of rows) assert.ok(parent !== null || causes.has(id));
}

/** The next start repairs the files, and fences continue from their last number. */
async function reopen(folder: string, printed: readonly string[]): Promise<void> {
  recheck(folder, printed);
  assertNotTwice(folder);
  const ledger = await file({ folder, layouts, now: () => Date.now() + 120_000 });
  assertShown(folder);
  const lease = { kind: notificationKind, holder: "x", leaseMs: 1, limit: 500 } as const;
  const { records } = await ledger.work.claim(lease);
  for (const { id, lease } of records) assert.ok(!printed.includes(`claimed ${id} ${lease.fence}`));
  await ledger.close();
  recheck(folder, printed);
  assertShown(folder);
}

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), "daybook-"));
  try {
    await run(join(parent, "book"));
  } finally {
    rmSync(parent, { recursive: true });
  }
}

function tests(): void {
  const steps: Readonly<Record<Exclude<Step, ExternalStep>, number>> = {
    started: 9,
    written: 9,
    synced: 9,
    answered: 9,
    moved: 7,
    projected: 40,
    rotated: 2,
    "snapshot written": 2,
    "snapshot named": 2,
    replaced: 2,
  };
  for (const [step, nth] of Object.entries(steps)) {
    test(`kill -9 at "${step}": every acknowledged commit is complete`, () =>
      inFolder(async (folder) => {
        const printed = await watch(start(folder, step as Step, nth));
        assert.ok(printed.length > 5);
        await reopen(folder, printed);
      }));
  }

  test("repeated kill -9 on one folder loses nothing", (t) =>
    inFolder(async (folder) => {
      const printed: string[] = [];
      const rounds = sampleSize(t, 8, { size: 4, of: "deaths" });
      for (let round = 1; round <= rounds; round += 1) {
        const child = start(folder);
        const kill = (count: number): boolean => count === round * 23 && child.kill("SIGKILL");
        printed.push(...(await watch(child, kill)));
        recheck(folder, printed);
        assertNotTwice(folder);
      }
      await reopen(folder, printed);
    }));
}

const [, , role, folder = "", endAt = "", nth = ""] = process.argv;
if (role === "write") await writeUntilDead(folder, (endAt || undefined) as Step, Number(nth));
else tests();
