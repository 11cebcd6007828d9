import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Ledger } from "../../kernel/ledger.ts";
import { hasCode } from "../../platform/errors.ts";
import { assertShown, readLedgerFolder } from "../../testing/ledger-folder.ts";
import { file } from "./file.ts";

const draft = {
  kind: "chore",
  state: "waiting",
  body: { name: "x".repeat(20_000), everyMs: 1 },
} as const;

async function append(ledger: Ledger, name: string = draft.body.name): Promise<string> {
  const body = { ...draft.body, name };
  return (await ledger.of("ann", "cli").append({ ...draft, body })).id;
}

/** Appends until the disk is full. Answers the acknowledged ids and the error. */
async function appendUntilFull(ledger: Ledger): Promise<{ ids: string[]; error: unknown }> {
  const ids: string[] = [];
  for (;;) {
    try {
      ids.push(await append(ledger));
    } catch (error) {
      return { ids, error };
    }
  }
}

async function idsOf(ledger: Ledger): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let after: string | undefined; ;) {
    const page = await ledger.of("ann", "cli").list({ limit: 500, ...(after ? { after } : {}) });
    ids.push(...page.records.map(({ id }) => id));
    if (page.next === null) return ids;
    after = page.next;
  }
}

/** Skips the rest with a reason. Fails where every part is required. */
function skipWithout(context: TestContext, why: string): void {
  assert.notEqual(process.env["DAYBOOK_REQUIRE_PARTS"], "1", why);
  context.skip(why);
}

async function inFolder(run: (folder: string) => Promise<void> | void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "daybook-"));
  try {
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Opens a copy, as after a crash at this moment. */
async function assertCopyOpens(folder: string, records: number): Promise<void> {
  await inFolder(async (parent) => {
    const copy = join(parent, "copy");
    cpSync(folder, copy, { recursive: true });
    const ledger = await file({ layouts: [], folder: copy });
    assert.equal((await idsOf(ledger)).length, records);
    await ledger.close();
  });
}

async function fillDisk(disk: string): Promise<void> {
  const folder = join(disk, "book");
  const ledger = await file({ layouts: [], folder });
  const before = await append(ledger);
  writeFileSync(join(disk, "other"), Buffer.alloc(6 * 1024 * 1024));
  const { ids, error } = await appendUntilFull(ledger);
  assert.ok(hasCode(error, "unavailable"), String(error));
  assert.deepEqual(await idsOf(ledger), [before, ...ids]);
  await assert.rejects(append(ledger), (again) => hasCode(again, "unavailable"));
  rmSync(join(disk, "other"));
  const after = [await append(ledger, "short"), await append(ledger)];
  await assertCopyOpens(folder, ids.length + 3);
  await ledger.close();
  assert.deepEqual([...readLedgerFolder(folder).rows.keys()], [before, ...ids, ...after]);
  const again = await file({ layouts: [], folder });
  assert.deepEqual(await idsOf(again), [before, ...ids, ...after]);
  assertShown(folder);
  await again.close();
}

function tests(): void {
  test("a full disk refuses writes until there is free space, and loses nothing", (context) =>
    inFolder(async (folder) => {
      const mount = ["-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs", folder];
      const { status, stderr } = spawnSync("mount", mount, { encoding: "utf8" });
      if (status !== 0)
        return skipWithout(context, `A small disk cannot be mounted here: ${stderr}`);
      try {
        await fillDisk(folder);
      } finally {
        spawnSync("umount", ["-l", folder]); // also while a failed test has it open
      }
    }));

  test("a file size limit counts as a full disk", () =>
    inFolder((folder) => {
      const script = `trap '' XFSZ; ulimit -f 400; exec "$0" "$@"`; // in KiB
      const args = [
        "-c",
        script,
        process.execPath,
        import.meta.filename,
        "fill",
        join(folder, "b"),
      ];
      const { stdout } = spawnSync("bash", args, { encoding: "utf8" });
      const { code, ids } = JSON.parse(stdout) as { code: string; ids: string[] };
      assert.equal(code, "unavailable");
      assert.ok(ids.length > 10);
      assert.deepEqual([...readLedgerFolder(join(folder, "b")).rows.keys()], ids);
    }));

  test("a prune that fails leaves the records as they were", () =>
    inFolder(async (folder) => {
      let isFull = false;
      const onStep = (step: string): void => {
        if (isFull && step === "started") throw new Error("The disk is full.");
      };
      const ledger = await file({ layouts: [], folder, onStep, now: () => 1 });
      const ann = ledger.of("ann", "cli");
      const { body, kind } = draft;
      await ann.append({ kind, body, ends: "cancelled", id: "old" });
      await ann.append({ ...draft, id: "new" });
      const readAll = async (): Promise<unknown> => [await ann.list({}), await ann.changes({})];
      const before = await readAll();
      isFull = true;
      await assert.rejects(ledger.work.prune({ endedBefore: 2, limit: 9 }));
      isFull = false;
      assert.deepEqual(await readAll(), before);
      assert.equal(await ledger.work.prune({ endedBefore: 2, limit: 9 }), 1);
      assert.deepEqual(await idsOf(ledger), ["new"]);
      await ledger.close();
    }));

  test("after a failed sync, writes are unknown and calls fail until a restart", () =>
    inFolder(async (folder) => {
      let isBroken = false;
      const onStep = (step: string): void => {
        if (isBroken && step === "written") throw new Error("EIO: i/o error, fdatasync");
      };
      const ledger = await file({ layouts: [], folder, onStep });
      const first = await append(ledger);
      isBroken = true;
      const fates = await Promise.allSettled([append(ledger), append(ledger), idsOf(ledger)]);
      for (const fate of fates) {
        assert.ok(fate.status === "rejected" && hasCode(fate.reason, "unknown"));
      }
      isBroken = false;
      for (const call of [() => append(ledger), () => idsOf(ledger)]) {
        await assert.rejects(call(), (error) => hasCode(error, "unavailable"));
      }
      await ledger.close();
      const again = await file({ layouts: [], folder });
      const ids = await idsOf(again);
      assert.ok(ids.includes(first) && [1, 3].includes(ids.length), "all of the commit or nothing");
      await again.close();
    }));

  test("a commit is synced before its answer, as system calls show", (context) =>
    inFolder((folder) => {
      const trace = join(folder, "trace");
      const calls = "trace=pwrite64,write,fdatasync,fsync,rename,unlink,unlinkat";
      const args = ["-f", "-y", "-e", calls, "-o", trace, process.execPath];
      const child = [import.meta.filename, "append", join(folder, "book")];
      const { error, status } = spawnSync("strace", [...args, ...child], { encoding: "utf8" });
      if (error) return skipWithout(context, `There is no strace here: ${error.message}`);
      assert.equal(status, 0);
      const lines = readFileSync(trace, "utf8").split("\n");
      assert.match(lines.map(commitCall).join(""), /^(w+sa){20}$/);
      assert.match(lines.map(checkpointCall).join(""), /^f*(fsnfu+)+$/);
    }));
}

/** In this order: sync the folder (for the new journal's name), sync and rename the snapshot, sync the folder, then
 * remove the older files. */
function checkpointCall(line: string): string {
  if (/ fsync\(.*\.tmp-snapshot-/.test(line)) return "s";
  if (/ fsync\(/.test(line)) return "f";
  if (/ rename\(.*\.tmp-snapshot-/.test(line)) return "n";
  return / unlink(at)?\(.*\/(journal|snapshot)-/.test(line) ? "u" : "";
}

/** A write of the journal, a completed sync, an answer. */
function commitCall(line: string): string {
  if (/ pwrite64\(/.test(line)) return "w";
  if (/fdatasync.*= 0$/.test(line)) return "s";
  return / write\(1[^,]*, "answered/.test(line) ? "a" : "";
}

const [, , role, folder = ""] = process.argv;
if (role === "fill") {
  const { ids, error } = await appendUntilFull(await file({ layouts: [], folder }));
  const code = hasCode(error, "unavailable") ? error.code : String(error);
  writeSync(1, JSON.stringify({ code, ids }));
  process.exit(0);
} else if (role === "append") {
  const ledger = await file({ layouts: [], folder, checkpointCommits: 6 });
  for (let n = 0; n < 20; n += 1) {
    await append(ledger);
    writeSync(1, `answered ${n}\n`);
  }
  await ledger.close();
} else {
  tests();
}
