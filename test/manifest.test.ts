import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { table } from "../src/features/index.ts";
import { manifest, unpack, type PackedEntry } from "../src/interfaces/cli/manifest.ts";
import { entryOf } from "../src/interfaces/cli/operation-entry.ts";
import { checkInput } from "../src/kernel/call.ts";
import type { Operation } from "../src/kernel/operation.ts";
import { toErrorData, type ErrorData } from "../src/platform/errors.ts";
import { manifestFile, packedManifest } from "./manifest.ts";
import { type } from "./terminal.ts";

test("the manifest matches the commands: to update, npm run manifest", async () => {
  const kept = JSON.parse(readFileSync(manifestFile, "utf8")) as readonly PackedEntry[];
  assert.deepEqual(kept, JSON.parse(JSON.stringify(await packedManifest())));
});

test("commands read from the manifest equal those of the operations", () => {
  const made = table.map(entryOf);
  assert.deepEqual(manifest.slice(0, made.length), made);
  assert.deepEqual(unpack([]), []);
});

test("without input, every command fails as its schema does, without a request", async () => {
  // `answer` also answers questions, and `import` takes other files too, so their inputs are described in another way.
  const others = ["answer_run", "import_book"];
  for (const operation of table.filter(({ name }) => !others.includes(name))) {
    const problem = problemOf(operation);
    if (problem === undefined) continue;
    const { err, asked } = await type([...operation.command.name.split(" "), "--json"]);
    assert.deepEqual([JSON.parse(err), asked], [{ error: problem }, 0], operation.name);
  }
});

function problemOf(operation: Operation): ErrorData | undefined {
  try {
    checkInput(operation, {});
    return undefined;
  } catch (error) {
    return toErrorData(error);
  }
}
