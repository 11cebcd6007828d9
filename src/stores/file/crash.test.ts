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
import {
  assertNotTwice,
  assertShown,
  readLedgerFolder,
  type Found,
} from "../../testing/ledger-folder.ts";
import { file } from "./file.ts";
import type { Step } from "./step.ts";

/** Those are in external-crash.test.ts. */
type ExternalStep = "dropped" | "taken" | "reported" | "result shown";

const say = (line: string): number => writeSync(1, `${line}\n`);
const body = { message: "hi", at: 1, atText: "now", target: "stdout:", origin: "cli" };
const draft = { kind: "notification", state: "pending", wakeAt: 1, body } as const;
const waiting = { kind: "chore", state: "waiting", body: { name: "c", everyMs: 1 } } as const;

/** Writes without end, and says each answer as soon as it has it. */
async function writeUntilDead(folder: string, endAt: Step | undefined, nth: number): Promise<void> {
  let count = 0;
  let hear = (): void => undefined;
  const onStep = (step: Step): void => {
    if (step === "projected") hear();
    if (step === endAt) count += 1;
    if (step === endAt && count === nth) process.kill(process.pid, "SIGKILL");
  };
  const ledger = await file({ folder, layouts, checkpointCommits: 8, onStep });
  // A file is moved only if it was there before, and none is written while commits follow each other.
  const isAboutFiles = endAt === "moved" || endAt === "projected";
  const shown = isAboutFiles ? () => new Promise<void>((resolve) => (hear = resolve)) : undefined;
  for (let round = 0; ; round += 1) {
    await writeRound(ledger, `round-${process.pid}-${round}`);
    await shown?.();
  }
}

/** Five units of a record and a consequence in one commit; then some are claimed, ended, forgotten. */
async function writeRound(ledger: Ledger, by: string): Promise<void> {
  const append = async (): Promise<void> => {
    const { id } = await ledger.of("ann", by).append(draft, { append: [waiting] });
    say(`appended ${id}`);
  };
  await Promise.all([append(), append(), append(), append(), append()]);
  const lease = { kind: notificationKind, holder: "w", leaseMs: 60_000, limit: 3 } as const;
  const { records } = await ledger.work.claim(lease);
  for (const { id, lease } of records) say(`claimed ${id} ${lease.fence}`);
  const units = records
    .slice(1)
    .map(({ id, revision, lease: { fence } }) => ({ id, revision, fence }));
  await ledger.work.settle(units.map((unit) => ({ ...unit, ends: "delivered" })));
  for (const { id } of units) say(`settled ${id}`);
  await ledger.work.prune({ endedBefore: 1e15, limit: 1 });
}

function start(folder: string, endAt?: Step, nth = 3): ChildProcess {
  const args = [import.meta.filename, "write", folder, endAt ?? "", String(nth)];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
}

/** Runs a writer until it has died, and gives what it had said. */
async function watch(
  child: ChildProcess,
  onLine: (count: number) => void = () => {},
): Promise<readonly string[]> {
  const lines: string[] = [];
  assert.ok(child.stdout);
  createInterface(child.stdout).on("line", (line) => onLine(lines.push(line)));
  await once(child, "close");
  assert.equal(child.signalCode, "SIGKILL", "it died as it should");
  return lines;
}

/** An independent look: acknowledged is there, units are whole, and so are commits. */
function recheck(folder: string, said: readonly string[]): void {
  const { rows, changes } = readLedgerFolder(folder);
  const told = (what: string): string[][] =>
    said.flatMap((line) => (line.startsWith(what) ? [line.split(" ").slice(1)] : []));
  const settled = new Set(told("settled").map(([id]) => id));
  const claimed = new Set(told("claimed").map(([id]) => id));
  for (const [id = ""] of told("appended")) {
    assert.ok(rows.has(id) || claimed.has(id), `${id} is lost`); // a claimed one may be forgotten
  }
  for (const { id } of changes) assert.ok(rows.has(id), "what is forgotten has no history");
  for (const [id = "", fence] of told("claimed")) {
    const row = rows.get(id);
    if (row) assert.ok(row.fence >= Number(fence), `${id} has lost a claim`);
  }
  for (const id of settled) assert.equal(rows.get(id ?? "")?.state ?? "delivered", "delivered");
  recheckUnits([...rows.values()]);
}

function recheckUnits(rows: readonly Found[]): void {
  const consequences = rows.filter(({ parent }) => parent !== null);
  const rounds = Map.groupBy(consequences, ({ by }) => by);
  for (const [by, { length }] of rounds) assert.equal(length, 5, `${by} is whole`);
  const causes = new Set(consequences.map(({ parent }) => parent));
  for (const { id, parent } of rows) assert.ok(parent !== null || causes.has(id));
}

/** The next start repairs what is shown, and fences go on from where they were. */
async function reopen(folder: string, said: readonly string[]): Promise<void> {
  recheck(folder, said);
  assertNotTwice(folder);
  const ledger = await file({ folder, layouts, now: () => Date.now() + 120_000 });
  assertShown(folder);
  const lease = { kind: notificationKind, holder: "x", leaseMs: 1, limit: 500 } as const;
  const { records } = await ledger.work.claim(lease);
  for (const { id, lease } of records) assert.ok(!said.includes(`claimed ${id} ${lease.fence}`));
  await ledger.close();
  recheck(folder, said);
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
    begun: 9,
    written: 9,
    synced: 9,
    answered: 9,
    moved: 7,
    projected: 40,
    rotated: 2,
    "snapshot written": 2,
    "snapshot named": 2,
    forgotten: 2,
  };
  for (const [step, nth] of Object.entries(steps)) {
    test(`kill -9 at "${step}": acknowledged commits are there, and each is whole or absent`, () =>
      inFolder(async (folder) => {
        const said = await watch(start(folder, step as Step, nth));
        assert.ok(said.length > 5);
        await reopen(folder, said);
      }));
  }

  test("kill -9 at any time, again and again on one folder, loses nothing", () =>
    inFolder(async (folder) => {
      const said: string[] = [];
      for (let round = 1; round <= 8; round += 1) {
        const child = start(folder);
        const kill = (count: number): boolean => count === round * 23 && child.kill("SIGKILL");
        said.push(...(await watch(child, kill)));
        recheck(folder, said);
        assertNotTwice(folder);
      }
      await reopen(folder, said);
    }));
}

const [, , role, folder = "", endAt = "", nth = ""] = process.argv;
if (role === "write") await writeUntilDead(folder, (endAt || undefined) as Step, Number(nth));
else tests();
