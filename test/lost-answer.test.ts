import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { test } from "node:test";
import { folder } from "./child.ts";
import { bin } from "./walk-book.ts";

const full = "/dev/full";
const skip = existsSync(full) ? false : `there is no ${full} here`;

test("an answer that cannot be written is a reported failure", { skip }, (t) => {
  const out = openSync(full, "w");
  t.after(() => closeSync(out));
  const env = { ...process.env, DAYBOOK_HOME: folder(t) };
  const stdio = ["ignore", out, "pipe"] as const;
  const { status, stderr } = spawnSync(process.execPath, [bin, "list"], { env, stdio: [...stdio] });
  assert.equal(status, 1);
  assert.match(String(stderr), /^daybook: the answer could not be written \(ENOSPC/);
});
