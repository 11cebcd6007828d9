import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { schemaFiles, schemaFolder } from "./schemas.ts";

test("schemas/ matches the program: to update, npm run schemas", () => {
  const made = schemaFiles();
  assert.deepEqual(readdirSync(schemaFolder).toSorted(), [...made.keys()].toSorted());
  for (const [name, text] of made) {
    const kept = readFileSync(join(schemaFolder, name), "utf8"); // as the formatter writes it
    assert.deepEqual(JSON.parse(kept), JSON.parse(text), name);
  }
});
