import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hostileNames } from "../../testing/hostile-names.ts";
import { fileName } from "./file-name.ts";

const name = /^([a-z0-9_-]{1,64}|[a-z0-9_][a-z0-9_-]{0,60}~[0-9a-f]{24})$/;

test("whatever the id is, its name is safe and its own", () => {
  const ids = [
    ...hostileNames,
    "a",
    "a-b_c",
    "x".repeat(64),
    "019a0000-0000-7000-8000-000000000000",
  ];
  const names = ids.map(fileName);
  for (const each of names) assert.match(each, name);
  assert.equal(new Set(names).size, ids.length);
  for (const each of names) if (each.includes("~")) assert.notEqual(fileName(each), each);
  assert.equal(fileName("a-b_c"), "a-b_c");
  assert.match(fileName("evt-jira-QP-1:2"), /^evt-jira-qp-1-2~[0-9a-f]{24}$/);
});

test("two ids never have one name, on a disk that folds case either", () => {
  const id = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.stringMatching(/^[a-zA-Z_-]{1,3}$/),
  );
  fc.assert(
    fc.property(id, id, (a, b) => {
      assert.match(fileName(a), name);
      assert.equal(fileName(a) === fileName(b), a === b);
    }),
    { numRuns: 2000 },
  );
});
