import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { hasCode } from "../../platform/errors.ts";
import { backup } from "./backup.ts";
import { sqlite } from "./sqlite.ts";

const body = { name: "sweep", everyMs: 1000 };

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "daybook-"));
  try {
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a backup of an open ledger has all acknowledged commits and can be opened", () =>
  inFolder(async (folder) => {
    const ledger = await sqlite({ path: join(folder, "book.db") });
    const append = (): Promise<unknown> =>
      ledger.of("ann", "cli").append({ kind: "chore", state: "waiting", body });
    await Promise.all(Array.from({ length: 300 }, append));
    const meanwhile = Array.from({ length: 300 }, append);
    const copy = join(folder, "copy.db");
    const content = await backup(join(folder, "book.db"), copy);
    await Promise.all(meanwhile);
    await ledger.close();

    assert.ok(content.records >= 300 && content.records <= 600);
    assert.equal(statSync(copy).mode & 0o777, 0o600);
    const restored = await sqlite({ path: copy });
    assert.equal((await restored.work.stats()).records, content.records);
    await restored.close();
  }));

test("a backup of a missing ledger fails and leaves no file", () =>
  inFolder(async (folder) => {
    const making = backup(join(folder, "nothing.db"), join(folder, "copy.db"));
    await assert.rejects(making, (error) => hasCode(error, "unavailable"));
    assert.deepEqual(readdirSync(folder), []);
  }));
