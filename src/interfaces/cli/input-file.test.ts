import assert from "node:assert/strict";
import { createReadStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { folder } from "../../../test/child.ts";
import { type, type Said } from "../../../test/terminal.ts";

const row = { id: "n_1", message: "stand-up", scheduled_at: "2026-12-01T09:00:00" };

/** Types `daybook import` with a file of these bytes, or with them as standard input. */
function take(t: TestContext, bytes: string | Uint8Array, as: "file" | "-"): Promise<Said> {
  const path = join(folder(t), "rows.json");
  writeFileSync(path, bytes);
  const chunks = () => createReadStream(path);
  const ports = as === "-" ? { stdin: chunks } : { file: createReadStream };
  return type(["import", as === "-" ? "-" : path], ports);
}

describe("a file of rows", () => {
  for (const as of ["file", "-"] as const) {
    test(`is read (${as}) as a list, or as what has the list under its name`, async (t) => {
      for (const value of [[row], { version: "1.0", notifications: [row] }]) {
        const { exit, out, err } = await take(t, JSON.stringify(value), as);
        assert.deepEqual([exit, err], [0, ""]);
        assert.match(out, /^Imported 1;/);
      }
    });
    const bad: [bytes: string | Uint8Array, said: RegExp][] = [
      ["[", /^daybook: The input is not JSON: send a JSON list of rows\.$/m],
      ["", /is not JSON/],
      ["3", /"notifications" must be a list/],
      ['{ "rows": [] }', /There is no input "rows"/],
      ['{ "__proto__": { "notifications": [] } }', /There is no input "__proto__"/],
      [Uint8Array.of(0xff, 0xfe), /is not text: send it in UTF-8/],
    ];
    for (const [bytes, said] of bad) {
      test(`that is wrong (${as}) is refused before the book is asked: ${String(said)}`, async (t) => {
        const { exit, err, asked } = await take(t, bytes, as);
        assert.deepEqual([exit, asked], [2, 0]);
        assert.match(err, said);
      });
    }
  }
  test("that is not there is named, and one that is not named is asked for", async (t) => {
    const missing = join(folder(t), "none.json");
    const gone = await type(["import", missing], { file: createReadStream });
    assert.equal(gone.exit, 2);
    assert.match(gone.err, /none\.json" cannot be read: ENOENT/);
    const unnamed = await type(["import"]);
    assert.equal(unnamed.exit, 2);
    assert.match(unnamed.err, /Name the file to import: daybook import FILE/);
  });
  test("is called FILE in the help", async () => {
    const { out } = await type(["help", "import"]);
    assert.match(out, /daybook import FILE/);
    assert.match(out, /- reads it from standard input/);
  });
});
