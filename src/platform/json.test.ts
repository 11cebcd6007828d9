import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { canonical, present, readJson } from "./json.ts";

/** The same value with the names of every object in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, shuffled(inner)] as const);
  return Object.fromEntries(entries.toReversed());
}

test("the order of names does not matter", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(canonical(shuffled(value)), canonical(value));
    }),
  );
});

test("the text parses to the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      assert.deepEqual(JSON.parse(canonical(value)), JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("different values give different texts", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const [one, other] = [a, b].map((value) => JSON.parse(JSON.stringify(value)) as unknown);
      assert.equal(canonical(a) === canonical(b), isDeepStrictEqual(one, other));
    }),
  );
});

test("the text is stable, because its hash is stored", () => {
  const value = { b: [3, { d: null, c: "ü\u2028" }], a: { 10: true, 9: false, z: -0 } };
  assert.equal(
    canonical(value),
    '{"a":{"9":false,"10":true,"z":0},"b":[3,{"c":"ü\u2028","d":null}]}',
  );
});

test("a name that is absent and a name that is undefined are the same", () => {
  assert.equal(canonical({ a: 1, b: undefined }), canonical({ a: 1 }));
});

test("a name like __proto__ is kept as any other", () => {
  const value: unknown = JSON.parse('{"b":1,"__proto__":{"a":1}}');
  assert.equal(canonical(value), '{"__proto__":{"a":1},"b":1}');
});

test("bytes are parsed as JSON, or the problem is reported", () => {
  assert.deepEqual(readJson(Buffer.from('\u{feff}{"a":"ü"}')), { value: { a: "ü" } });
  assert.deepEqual(readJson(Buffer.from("zz ")), { wrong: "It is not JSON." });
  assert.deepEqual(readJson(Buffer.from("")), { wrong: "It is empty." });
  assert.deepEqual(readJson(Buffer.from([0x22, 0xff, 0x22])), { wrong: "It is not in UTF-8." });
});

test("undefined properties are removed, and the others are kept", () => {
  const made: { a: number; b?: string } = present({ a: 1, b: undefined as string | undefined });
  assert.deepEqual(Object.keys(made), ["a"]);
  assert.deepEqual(present({ a: null, b: 0, c: "" }), { a: null, b: 0, c: "" });
});
