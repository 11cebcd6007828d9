import assert from "node:assert/strict";
import { test } from "node:test";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import fc from "fast-check";
import * as z from "zod";
import { compact } from "./tool.ts";

const moment = z.string().meta({ format: "date-time" });
const shape = z.object({
  sort: z.enum(["low", "high"]).nullable().describe("how urgent"),
  at: moment.nullable(),
  told: z.string().describe("one thing").nullable().describe("another"),
  inner: z.object({ anyOf: z.number().nullable() }).nullable(),
  list: z.array(moment.nullable()),
  details: z.record(z.string(), z.unknown()),
  additionalProperties: z.object({}).optional(),
});

function plain(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest;
}

test("a schema in fewer words takes and refuses the same", () => {
  const ajv = new AjvJsonSchemaValidator();
  const before = ajv.getValidator(plain(shape));
  const after = ajv.getValidator(compact(plain(shape)));
  const time = fc.constantFrom("2026-11-16T08:00:00Z", "now", null, 7);
  const value = fc.record(
    {
      sort: fc.constantFrom("low", "medium", null),
      at: time,
      told: fc.constantFrom("x", null, 1),
      inner: fc.constantFrom(null, {}, { anyOf: 1 }, { anyOf: null }, { anyOf: "x" }),
      list: fc.array(time, { maxLength: 2 }),
      details: fc.constantFrom({}, { any: [1] }, "x"),
      additionalProperties: fc.constantFrom({}, 7),
    },
    { requiredKeys: ["sort", "inner"] },
  );
  const seen = new Set<boolean>();
  const check = (given: unknown): void => {
    const { valid } = before(given);
    seen.add(valid);
    assert.equal(after(given).valid, valid);
  };
  fc.assert(fc.property(value, check), { numRuns: 2_000, seed: 7 });
  assert.equal(seen.size, 2, "both were met");
});

test("it says what may be null in one word, and leaves out what says nothing", () => {
  const { properties } = compact(plain(shape)) as { properties: Record<string, object> };
  assert.deepEqual(properties["sort"], {
    type: ["string", "null"],
    enum: ["low", "high", null],
    description: "how urgent",
  });
  assert.deepEqual(properties["at"], { type: ["string", "null"], format: "date-time" });
  assert.deepEqual(properties["details"], { type: "object" });
});

test("two descriptions of one thing both stay", () => {
  const { properties } = compact(plain(shape)) as { properties: Record<string, object> };
  assert.match(JSON.stringify(properties["told"]), /one thing.*another|another.*one thing/);
});

test("a property may have the name of a keyword", () => {
  const { properties } = compact(plain(shape)) as { properties: Record<string, object> };
  assert.ok("additionalProperties" in properties);
  assert.match(JSON.stringify(properties["inner"]), /"properties":\{"anyOf":/);
});
