import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Ledger } from "../../kernel/ledger.ts";
import { hasCode } from "../../platform/errors.ts";
import { sqlite, type SqliteOptions } from "./sqlite.ts";

type EndAt = NonNullable<SqliteOptions["endAt"]>;
const groupSize = 5;

/** Writes groups of units until the process is killed, and prints the result of each. */
async function writeUntilDead(path: string, endAt: EndAt | undefined): Promise<void> {
  const ledger = await sqlite(endAt ? { path, endAt } : { path });
  for (let group = 0; ; group += 1) {
    await Promise.all(Array.from({ length: groupSize }, () => writeUnit(ledger, `group-${group}`)));
  }
}

/** One unit: a record and a consequence. */
async function writeUnit(ledger: Ledger, by: string): Promise<void> {
  const draft = { kind: "chore", state: "waiting", body: { name: by, everyMs: 1 } } as const;
  try {
    const { id } = await ledger.of("ann", by).append(draft, { append: [draft] });
    print(`written ${id}`);
  } catch (error) {
    const code = ["unknown", "unavailable"].find((code) => hasCode(error, code as "unknown"));
    print(code ?? "bug");
    if (code === "unavailable") process.exit(0);
  }
}

/** Prints a line at once. A full pipe is retried: a slow reader must not end the writer. */
function print(line: string): void {
  for (;;) {
    try {
      writeSync(1, `${line}\n`);
      return;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    }
  }
}

interface Output {
  acknowledged: readonly string[];
  errors: readonly string[];
}

/** Runs a writer until it ends. Answers what it printed. */
async function watch(
  child: ChildProcess,
  onLine: (count: number) => void = () => {},
): Promise<Output> {
  const lines: string[] = [];
  assert.ok(child.stdout);
  createInterface(child.stdout).on("line", (line) => onLine(lines.push(line)));
  await once(child, "close");
  const acknowledged = lines.flatMap((line) => /^written (.+)$/.exec(line)?.[1] ?? []);
  return { acknowledged, errors: lines.filter((line) => !line.startsWith("written")) };
}

function start(path: string, endAt?: EndAt): ChildProcess {
  const args = [import.meta.filename, "write", path, JSON.stringify(endAt ?? null)];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
}

/** Checks without the store's own code: acknowledged writes exist, units and groups are complete. */
function recheck(path: string, acknowledged: readonly string[]): number {
  const database = new DatabaseSync(path);
  const has = database.prepare("select count(*) as n from record where uid = ? or parent = ?");
  for (const id of acknowledged) assert.equal(has.get(id, id)?.["n"], 2, `${id} was acknowledged`);
  const partialUnits = database.prepare(`
    select count(*) as n from record r where parent is null
      and not exists (select 1 from record c where c.parent = r.uid)`);
  assert.equal(partialUnits.get()?.["n"], 0);
  const groups = database.prepare("select count(*) as n from record group by by").all();
  for (const { n } of groups) assert.equal(n, groupSize * 2);
  assert.equal(database.prepare("pragma integrity_check").get()?.["integrity_check"], "ok");
  const { n } = database.prepare("select count(*) as n from history").get() ?? {};
  assert.equal(n, groups.length * groupSize * 2);
  database.close();
  return groups.length;
}

async function inFolder(run: (path: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "daybook-"));
  try {
    await run(join(folder, "book.db"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function tests(): void {
  const groupsAfter = { started: 2, written: 2, committed: 3, answered: 3 };
  for (const step of ["started", "written", "committed", "answered"] as const) {
    test(`kill -9 when a group is ${step}: the whole group is written, or none of it`, () =>
      inFolder(async (path) => {
        const { acknowledged } = await watch(start(path, { step, nth: 3, what: "process" }));
        assert.ok(acknowledged.length >= 2 * groupSize);
        assert.equal(recheck(path, acknowledged), groupsAfter[step]);
      }));
  }

  test("kill -9 at any time loses nothing that was acknowledged", () =>
    inFolder(async (path) => {
      for (let round = 1; round <= 5; round += 1) {
        const file = `${path}-${round}`;
        const child = start(file);
        const { acknowledged } = await watch(child, (count) => {
          if (count === round * 77) child.kill("SIGKILL");
        });
        assert.ok(acknowledged.length >= round * 77);
        recheck(file, acknowledged);
      }
    }));

  test("after a failed commit, its writes are unknown and the store stops writing", () =>
    inFolder(async (path) => {
      // No file may grow over 300 KiB: the log reaches it, and the write within a commit fails.
      const script = `trap '' XFSZ; ulimit -f 300; exec "$0" "$@"`;
      const args = ["-c", script, process.execPath, import.meta.filename, "write", path, "null"];
      const child = spawn("bash", args, { stdio: ["ignore", "pipe", "inherit"] });
      const { acknowledged, errors } = await watch(child);
      assert.ok(acknowledged.length > 0);
      assert.deepEqual(
        errors.slice(0, groupSize),
        Array.from({ length: groupSize }, () => "unknown"),
      );
      assert.equal(errors[groupSize], "unavailable");
      recheck(path, acknowledged);
    }));
}

const [, , role, path = "", endAt = "null"] = process.argv;
if (role === "write") await writeUntilDead(path, JSON.parse(endAt) ?? undefined);
else tests();
