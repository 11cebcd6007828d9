import assert from "node:assert/strict";
import { test } from "node:test";
import { mutants } from "./table.ts";
import { occurrences, tryMutant } from "./try.ts";

test("the text that each mutant replaces occurs exactly once", () => {
  const broken = mutants.filter((mutant) => occurrences(mutant) !== 1).map(({ name }) => name);
  assert.deepEqual(broken, []);
  assert.equal(new Set(mutants.map(({ name }) => name)).size, mutants.length);
});

const quick = [
  "memory: an old fence may write",
  "sqlite: a claim does not count the attempt",
  "deliverer: an unknown outcome counts as not sent",
];

test("a planted bug is found", { timeout: 5 * 60_000 }, async () => {
  for (const mutant of mutants.filter(({ name }) => quick.includes(name))) {
    assert.ok(await tryMutant(mutant, 300), mutant.name);
  }
});
