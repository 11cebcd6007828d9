import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { validationMessage } from "./validation-message.ts";

const form = z.strictObject({
  id: z.string().regex(/^[a-z]+$/, "write small letters"),
  count: z.int().min(1).optional(),
  kind: z.enum(["a", "b"]).optional(),
  inner: z.strictObject({ name: z.string() }).optional(),
  about: z.record(z.string(), z.unknown()).optional(),
});

const cases: [said: unknown, words: string][] = [
  [{}, '"id" is missing'],
  [{ id: 7 }, '"id" must be a string'],
  [{ id: "A" }, '"id" is not valid: write small letters'],
  [{ id: "a", count: 0, kind: "c" }, '"count" must be at least 1; "kind" must be one of a, b'],
  [{ id: "a", count: 1.5 }, '"count" must be a whole number'],
  [{ id: "a", inner: {} }, '"inner.name" is missing'],
  [{ id: "a", about: 1 }, '"about" must be an object'],
  [{ id: "a", colour: 1, 'x"\n': 2 }, `it may not have "colour", "x'"`],
  [{ id: "a", inner: { name: "n", colour: 1 } }, '"inner" may not have "colour"'],
  [[], "it must be an object"],
  [null, "it must be an object"],
];
for (const [said, words] of cases) {
  test(`the problems of ${JSON.stringify(said)} are described in plain words`, () => {
    assert.equal(
      validationMessage(said, form.safeParse(said).error ?? assert.fail("it is right")),
      words,
    );
  });
}
