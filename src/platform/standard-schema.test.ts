import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { issuePath, type StandardSchemaV1 } from "./standard-schema.ts";

test("the path of an issue reads like code", () => {
  const table: [readonly (PropertyKey | { key: PropertyKey })[] | undefined, string][] = [
    [undefined, ""],
    [[], ""],
    [["order", "lines", 2, "price"], "order.lines[2].price"],
    [[0, { key: "a" }], "[0].a"],
    [[Symbol("s")], "Symbol(s)"],
  ];
  for (const [path, expected] of table) {
    assert.equal(issuePath({ message: "m", path }), expected);
  }
});

test("a schema of zod is one", async () => {
  const schema: StandardSchemaV1<{ n: string }, { n: number }> = z.object({
    n: z.string().transform(Number),
  });
  assert.deepEqual(await schema["~standard"].validate({ n: "1" }), { value: { n: 1 } });
});
