import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileLayouts as layouts } from "../../features/index.ts";
import { notificationKind } from "../../features/notifications/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { hasCode, type ErrorCode } from "../../platform/errors.ts";
import { assertShown, readLedgerFolder } from "../../testing/ledger-folder.ts";
import { file, type FileOptions } from "./file.ts";
import { remoteName } from "./folder.ts";

const body = { message: "hi", at: 1, atText: "now", target: "stdout:", origin: "cli" };
const draft = { kind: "notification", state: "pending", body, wakeAt: 1 } as const;

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), "daybook-"));
  try {
    await run(join(parent, "book"));
  } finally {
    rmSync(parent, { recursive: true });
  }
}

async function withLedger<T>(
  folder: string,
  run: (ledger: Ledger) => Promise<T>,
  more: Partial<FileOptions> = {},
): Promise<T> {
  const ledger = await file({ folder, layouts, ...more });
  try {
    return await run(ledger);
  } finally {
    await ledger.close();
  }
}

const append = (ledger: Ledger, id: string): Promise<unknown> =>
  ledger.of("ann", "cli").append({ ...draft, id });

async function refusesToOpen(folder: string, code: ErrorCode, message: RegExp): Promise<void> {
  await assert.rejects(file({ folder, layouts }), (error: Error) => {
    assert.ok(hasCode(error, code), `expected ${code}, got ${String(error)}`);
    assert.match(error.message, message);
    return true;
  });
}

function tests(): void {
  test("a record's file moves with its state, and only its owner can read it", () =>
    inFolder(async (folder) => {
      await withLedger(folder, async (ledger) => {
        await append(ledger, "a");
        const { records } = await ledger.work.claim({
          kind: notificationKind,
          holder: "w",
          leaseMs: 1000,
          limit: 1,
        });
        const units = records.map(({ id, revision, lease }) => ({
          id,
          revision,
          fence: lease.fence,
        }));
        await ledger.work.settle(units.map((unit) => ({ ...unit, ends: "delivered" })));
        await append(ledger, "b");
      });
      const files = globSync("queue/**/*.json", { cwd: folder }).toSorted();
      assert.deepEqual(files, ["queue/messages/pending/b.json", "queue/messages/sent/a.json"]);
      assert.match(
        readFileSync(join(folder, "queue/messages/sent/a.json"), "utf8"),
        /^\{\n  "id": "a",\n  "type": "notification",/,
      );
      for (const path of globSync("**/*", { cwd: folder })) {
        const stat = lstatSync(join(folder, path));
        assert.equal(stat.mode & 0o777, stat.isDirectory() ? 0o700 : 0o600, path);
      }
      assert.equal(statSync(folder).mode & 0o777, 0o700);
    }));

  test("hostile ids stay in the queue, one file each", () =>
    inFolder(async (folder) => {
      const ids = ["../../x", "/etc/x", "..", "A", "a", "ä", "con", "x".repeat(256), "_a"];
      await withLedger(folder, (ledger) => Promise.all(ids.map((id) => append(ledger, id))));
      assertShown(folder);
      assert.equal(readdirSync(join(folder, "queue/messages/pending")).length, ids.length);
      const found = await withLedger(folder, (ledger) => ledger.of("ann", "cli").list({}));
      assert.deepEqual(
        found.records.map(({ id }) => id),
        ids,
      );
    }));

  test("a folder with other files or open permissions is refused and unchanged", () =>
    inFolder(async (folder) => {
      mkdirSync(folder);
      writeFileSync(join(folder, "thesis.txt"), "mine");
      await refusesToOpen(folder, "refused", /folder of its own/);
      assert.deepEqual(readdirSync(folder), ["thesis.txt"]);
      rmSync(join(folder, "thesis.txt"));
      chmodSync(folder, 0o777);
      await refusesToOpen(folder, "refused", /chmod 700/);
      rmSync(folder, { recursive: true });
      writeFileSync(folder, "");
      await refusesToOpen(folder, "unavailable", /cannot be used/);
    }));

  test("a damaged folder is refused, never opened as empty", () =>
    inFolder(async (folder) => {
      await withLedger(folder, (ledger) => append(ledger, "a"));
      await withLedger(folder, (ledger) => append(ledger, "b"));
      const journal = join(folder, "journal-1");
      const whole = readFileSync(journal);
      for (const at of [0, 9, 30, whole.length - 30, whole.length - 1]) {
        const flipped = Buffer.from(whole);
        flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at);
        writeFileSync(journal, flipped);
        await refusesToOpen(folder, "unavailable", /damaged after byte \d+: restore/);
        assert.deepEqual(readFileSync(journal), flipped, "nothing was changed");
      }
      rmSync(journal);
      await refusesToOpen(folder, "unavailable", /journal-1 is missing/);
      writeFileSync(journal, whole, { mode: 0o600 });
      writeFileSync(join(folder, "daybook.json"), '{"what":"daybook ledger","format":4}\n');
      await refusesToOpen(
        folder,
        "unsupported",
        /has format 4, and this Daybook reads format 3: upgrade Daybook/,
      );
      writeFileSync(join(folder, "daybook.json"), '{"what":"daybook ledger","format":2}\n');
      await refusesToOpen(
        folder,
        "unsupported",
        /has format 2, and this Daybook reads format 3: open it with/,
      );
    }));

  test("a damaged or missing snapshot is refused", () =>
    inFolder(async (folder) => {
      await withLedger(
        folder,
        async (ledger) => {
          for (let n = 0; n < 5; n += 1) await append(ledger, `a${n}`);
        },
        { checkpointCommits: 2 },
      );
      const name = readdirSync(folder).find((each) => each.startsWith("snapshot-")) ?? "";
      const path = join(folder, name);
      const whole = readFileSync(path);
      writeFileSync(path, whole.subarray(0, whole.length - 1));
      await refusesToOpen(folder, "unavailable", /snapshot-\d is damaged/);
      rmSync(path);
      await refusesToOpen(folder, "unavailable", /journal-1 is missing/);
      writeFileSync(path, whole);
      assert.equal((await withLedger(folder, (ledger) => ledger.work.stats())).records, 5);
    }));

  test("a torn last commit of any length is cut off and kept in quarantine", () =>
    inFolder(async (folder) => {
      await withLedger(folder, (ledger) => append(ledger, "a"));
      const before = readFileSync(join(folder, "journal-1")).length;
      await withLedger(folder, (ledger) => append(ledger, "b"));
      const whole = readFileSync(join(folder, "journal-1"));
      for (let size = before + 1; size < whole.length; size += 1) {
        writeFileSync(join(folder, "journal-1"), whole.subarray(0, size));
        const stats = await withLedger(folder, (ledger) => ledger.work.stats());
        assert.equal(stats.records, 1, `cut at ${size}`);
        assert.equal(readFileSync(join(folder, "journal-1")).length, before);
      }
      const kept = readdirSync(join(folder, "quarantine")).filter((name) => !name.includes("-b."));
      assert.deepEqual(kept, ["torn-2", "torn-2.reason"]);
      // Its first sector was not written, and the rest was.
      const holed = Buffer.concat([Buffer.alloc(100), Buffer.from(`${"x".repeat(9000)}\n`)]);
      writeFileSync(join(folder, "journal-1"), holed, { flag: "a" });
      await withLedger(folder, async (ledger) => {
        await append(ledger, "c");
        cpSync(folder, `${folder}-copy`, { recursive: true }); // as if the process had died now
      });
      const copy = await withLedger(`${folder}-copy`, (ledger) => ledger.work.stats());
      assert.equal(copy.records, 2, "nothing of the torn commit is left");
      assertShown(folder);
    }));

  test("a start repairs the store's files and removes none of other programs", () =>
    inFolder(async (folder) => {
      await withLedger(folder, (ledger) =>
        Promise.all(["a", "b", "c", "d"].map((id) => append(ledger, id))),
      );
      const pending = join(folder, "queue/messages/pending");
      writeFileSync(join(pending, "a.json"), "{}");
      rmSync(join(pending, "b.json"));
      renameSync(join(pending, "c.json"), join(folder, "queue/messages/sent/c.json"));
      rmSync(join(pending, "d.json"));
      symlinkSync("/etc/passwd", join(pending, "d.json"));
      writeFileSync(join(folder, "queue/messages/sent/stranger.json"), '{"id":"other"}');
      writeFileSync(join(pending, "notes.txt"), "mine");
      writeFileSync(join(folder, "queue/messages/sent/.tmp-x.json"), "half");
      writeFileSync(join(pending, ".tmp-x.json"), "unfinished");
      writeFileSync(join(pending, "dropped.json"), '{"id":"dropped"}');
      await withLedger(folder, async () => undefined);
      assert.ok(!existsSync(join(folder, "queue/messages/sent/.tmp-x.json")));
      for (const name of ["notes.txt", ".tmp-x.json", "dropped.json"]) rmSync(join(pending, name));
      assertShown(folder);
      assert.ok(lstatSync(join(pending, "d.json")).isFile());
      const kept = readdirSync(join(folder, "quarantine"));
      assert.match(kept.join(), /^\d+-stranger\.json,\d+-stranger\.json\.reason$/);
    }));

  test("a link in place of a folder is refused", () =>
    inFolder(async (folder) => {
      await withLedger(folder, (ledger) => append(ledger, "a"));
      const elsewhere = `${folder}-elsewhere`;
      renameSync(join(folder, "queue/messages/pending"), elsewhere);
      symlinkSync(elsewhere, join(folder, "queue/messages/pending"));
      await refusesToOpen(folder, "refused", /pending is not a folder/);
    }));

  test("one process locks the folder, and its end releases the lock", () =>
    inFolder(async (folder) => {
      const child = spawn(process.execPath, [import.meta.filename, "own", folder], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      try {
        await once(child.stdout, "data");
        await refusesToOpen(folder, "busy", new RegExp(`"pid":${child.pid},`));
      } finally {
        child.kill("SIGKILL");
        await once(child, "close");
      }
      await withLedger(folder, async (ledger) => {
        assert.equal((await ledger.work.stats()).records, 1);
        await refusesToOpen(folder, "busy", new RegExp(`"pid":${process.pid},`));
        await refusesToOpen(folder, "busy", new RegExp(`"pid":${process.pid},`));
      });
    }));

  test("concurrent calls share a commit", () =>
    inFolder(async (folder) => {
      const steps: string[] = [];
      const onStep = (step: string): number => steps.push(step);
      await withLedger(
        folder,
        async (ledger) => {
          const ids = Array.from({ length: 200 }, (_, n) => `a${n}`);
          const first = append(ledger, "first");
          await Promise.resolve().then(() => undefined); // the first is on its way now
          await Promise.all([first, ...ids.map((id) => append(ledger, id))]);
        },
        { onStep },
      );
      assert.equal(steps.filter((step) => step === "synced").length, 2);
      assert.equal(readLedgerFolder(folder).rows.size, 201);
    }));

  test("later changes of a call's input have no effect", () =>
    inFolder((folder) =>
      withLedger(folder, async (ledger) => {
        const changing = { ...draft, id: "a", body: { ...body } };
        const appended = ledger.of("ann", "cli").append(changing);
        changing.body.message = "changed";
        assert.deepEqual((await appended).record?.body, body);
      }),
    ));

  test("remote file systems are recognized by their numbers", () => {
    assert.equal(remoteName(0x6969, "linux"), "NFS");
    assert.equal(remoteName(0xff534d42, "linux"), "SMB");
    assert.equal(remoteName(-11317950, "linux"), "SMB"); // as a signed number
    assert.equal(remoteName(0x01021997, "linux"), "9p");
    assert.equal(remoteName(0xef53, "linux"), undefined);
    assert.equal(remoteName(0x6969, "darwin"), undefined);
  });
}

const [, , role, folder = ""] = process.argv;
if (role === "own") {
  await append(await file({ folder, layouts }), "a");
  writeSync(1, "open\n");
  setInterval(() => undefined, 1000);
} else {
  tests();
}
