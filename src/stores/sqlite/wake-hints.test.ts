import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Ledger } from "../../kernel/ledger.ts";
import { sqlite } from "./sqlite.ts";
import { touchWakeFile, watchWakeFile } from "./wake-hints.ts";

const body = { name: "sweep", everyMs: 1000 };

async function append(ledger: Ledger): Promise<void> {
  await ledger.of("ann", "cli").append({ kind: "chore", state: "waiting", body, wakeAt: 1 });
}

/** Opens, writes one record and does not close, as a command does. */
async function writer(path: string): Promise<void> {
  const ledger = await sqlite({ path });
  ledger.work.onHint("chore", () => undefined);
  await append(ledger);
}

/** Closes while the store polls for commits of other processes. */
async function closer(path: string): Promise<void> {
  const ledger = await sqlite({ path });
  ledger.work.onHint("chore", () => undefined);
  await ledger.close();
}

/** Runs this in another process. Resolves when that process has exited with success. */
async function inOtherProcess(path: string, what: "write" | "close" = "write"): Promise<void> {
  const args = [import.meta.filename, what, path];
  const [code] = await once(spawn(process.execPath, args, { stdio: "inherit" }), "exit");
  assert.equal(code, 0);
}

async function withLedger(run: (ledger: Ledger, path: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "daybook-"));
  const path = join(folder, "book.db");
  const ledger = await sqlite({ path });
  try {
    await run(ledger, path);
  } finally {
    await ledger.close();
    rmSync(folder, { recursive: true });
  }
}

function hinted(ledger: Ledger, queue: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = ledger.work.onHint(queue, () => {
      stop();
      resolve();
    });
  });
}

function tests(): void {
  test("a write of this process hints its queue", () =>
    withLedger(async (ledger) => {
      const hint = hinted(ledger, "chore");
      await append(ledger);
      await hint;
    }));

  test("a write of another process hints, and a listener keeps no process alive", () =>
    withLedger(async (ledger, path) => {
      const hint = hinted(ledger, "chore");
      await inOtherProcess(path);
      await hint;
      assert.equal((await ledger.work.stats()).records, 1);
    }));

  test("close resolves during a poll", () =>
    withLedger((_, path) => inOtherProcess(path, "close")));

  test("touching the wake file notifies the watcher, also after the file was replaced", () =>
    withLedger(async (_, path) => {
      let touched = Promise.withResolvers<void>();
      const watch = watchWakeFile(path, () => touched.resolve());
      touchWakeFile(path);
      await touched.promise;

      touched = Promise.withResolvers();
      rmSync(`${path}-wake`);
      await touched.promise; // the removal notifies too
      watch.refresh();
      touched = Promise.withResolvers();
      touchWakeFile(path);
      await touched.promise;
      watch.close();
    }));

  test("hints still arrive after the wake file was deleted", () =>
    withLedger(async (ledger, path) => {
      const first = hinted(ledger, "chore");
      const second = hinted(ledger, "notification");
      await inOtherProcess(path);
      await Promise.all([first, second]); // the queue of another process is unknown
      const third = hinted(ledger, "chore");
      rmSync(`${path}-wake`);
      await inOtherProcess(path);
      await third;
    }));
}

const [, , role, path = ""] = process.argv;
if (role === "write") await writer(path);
else if (role === "close") await closer(path);
else tests();
