import assert from "node:assert/strict";
import { test } from "node:test";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import fc from "fast-check";
import * as z from "zod";
import { operations, table } from "../../features/index.ts";
import { toolGuide } from "./tool-guide.ts";
import { compact, completeToolOf, isOffered, toolOf } from "./tool.ts";

const moment = z.string().meta({ format: "date-time" });
const shape = z.object({
  sort: z.enum(["low", "high"]).nullable().describe("how urgent"),
  at: moment.nullable(),
  twice: z.string().describe("one text").nullable().describe("another text"),
  inner: z.object({ anyOf: z.number().nullable() }).nullable(),
  list: z.array(moment.nullable()),
  details: z.record(z.string(), z.unknown()),
  additionalProperties: z.object({}).optional(),
});

function plain(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest;
}

test("a compact schema accepts and refuses the same values", () => {
  const ajv = new AjvJsonSchemaValidator();
  const before = ajv.getValidator(plain(shape));
  const after = ajv.getValidator(compact(plain(shape)));
  const time = fc.constantFrom("2026-11-16T08:00:00Z", "now", null, 7);
  const value = fc.record(
    {
      sort: fc.constantFrom("low", "medium", null),
      at: time,
      twice: fc.constantFrom("x", null, 1),
      inner: fc.constantFrom(null, {}, { anyOf: 1 }, { anyOf: null }, { anyOf: "x" }),
      list: fc.array(time, { maxLength: 2 }),
      details: fc.constantFrom({}, { any: [1] }, "x"),
      additionalProperties: fc.constantFrom({}, 7),
    },
    { requiredKeys: ["sort", "inner"] },
  );
  const results = new Set<boolean>();
  const check = (input: unknown): void => {
    const { valid } = before(input);
    results.add(valid);
    assert.equal(after(input).valid, valid);
  };
  fc.assert(fc.property(value, check), { numRuns: 2_000, seed: 7 });
  assert.equal(results.size, 2, "some values are valid and some are not");
});

test("a compact schema has null in the type, and no redundant keywords", () => {
  const { properties } = compact(plain(shape)) as { properties: Record<string, object> };
  assert.deepEqual(properties["sort"], {
    type: ["string", "null"],
    enum: ["low", "high", null],
    description: "how urgent",
  });
  assert.deepEqual(properties["at"], { type: ["string", "null"], format: "date-time" });
  assert.deepEqual(properties["details"], { type: "object" });
});

test("a compact schema keeps both descriptions of one value", () => {
  const { properties } = compact(plain(shape)) as { properties: Record<string, object> };
  assert.match(
    JSON.stringify(properties["twice"]),
    /one text.*another text|another text.*one text/,
  );
});

test("a property may have the name of a keyword", () => {
  const { properties } = compact(plain(shape)) as { properties: Record<string, object> };
  assert.ok("additionalProperties" in properties);
  assert.match(JSON.stringify(properties["inner"]), /"properties":\{"anyOf":/);
});

const offered = table.filter((operation) => isOffered(operation, "all"));

test("every tool says when to use it, and shows an example", () => {
  assert.deepEqual(Object.keys(toolGuide).toSorted(), offered.map(({ name }) => name).toSorted());
  for (const operation of offered) {
    const { description = "" } = toolOf(operation);
    assert.match(description, /\. Use it .*\. Example: \{.*\}$/, operation.name);
  }
});

test("the usual tools are described for a model that knows nothing of them, in 16 KB", () => {
  const tools = table.filter((each) => isOffered(each, "default")).map((each) => toolOf(each));
  const answer = {
    jsonrpc: "2.0",
    id: 1,
    result: { tools, ttlMs: 300_000, cacheScope: "private" },
  };
  const bytes = Buffer.byteLength(JSON.stringify(answer));
  assert.ok(bytes <= 16_384, `${bytes} bytes`);
  for (const { name, description = "", inputSchema } of tools) {
    const [told = "", example = ""] = description.split(" Example: ");
    assert.ok([...told.matchAll(/[^.]\.(?= |$)/g)].length >= 2, `${name}: two sentences`);
    const given = Object.keys(JSON.parse(example) as object);
    const missing = (inputSchema.required ?? []).filter((input) => !given.includes(input));
    assert.deepEqual(missing, [], `${name}: its example has what is required`);
  }
});

test("schedule_id and run_id are in the MCP schemas where the seed names them", () => {
  const named = (tool: string) => {
    const operation = table.find(({ name }) => name === tool) ?? assert.fail(tool);
    const { inputSchema, description = "" } = toolOf(operation);
    const [, example = "{}"] = description.split(" Example: ");
    const { properties = {}, required } = inputSchema;
    return { required, inExample: Object.keys(JSON.parse(example) as object), properties };
  };
  const expected = [
    ["schedule_runs", "schedule_id"],
    ["schedule_edit", "schedule_id"],
    ["schedule_delete", "schedule_id"],
    ["schedule_pause", "schedule_id"],
    ["schedule_resume", "schedule_id"],
    ["schedule_run_now", "schedule_id"],
    ["schedule_get", "schedule_id"],
    ["schedule_run_output", "run_id"],
  ] as const;
  for (const [tool, name] of expected) {
    const { required, inExample, properties } = named(tool);
    assert.deepEqual(required, [name], tool);
    assert.ok(inExample.includes(name) && Object.hasOwn(properties, name), tool);
    assert.ok(!Object.hasOwn(properties, "id"), tool);
  }
});

test("all tools together show every input but other ways to say the same", () => {
  const create = completeToolOf(operations.createSchedule);
  const shown = Object.keys(create.inputSchema.properties ?? {});
  const inputs = Object.keys(operations.createSchedule.input.shape);
  assert.deepEqual(
    inputs.filter((name) => !shown.includes(name)),
    ["cadence"],
  );
});

test("no tool names a flag, or has a schema that models' APIs refuse", () => {
  for (const operation of offered) {
    const { name, description = "", inputSchema } = toolOf(operation);
    assert.doesNotMatch(
      `${description} ${JSON.stringify(inputSchema)}`,
      /(^|[\s("'`])--[a-z]/,
      name,
    );
    assert.deepEqual(
      ["anyOf", "oneOf", "allOf"].filter((keyword) => Object.hasOwn(inputSchema, keyword)),
      [],
    );
  }
});

test("a schedule needs a time and exactly one thing to run", () => {
  const { inputSchema } = toolOf(operations.createSchedule);
  assert.deepEqual(inputSchema.required, ["when", "run"]);
  const { isValid } = validatorOf(inputSchema);
  const command = ["./report.sh"];
  const when = "every day 9am";
  assert.deepEqual(
    [
      { when, run: { command } },
      { when, run: { agent: "Read the news" } },
      { when, run: { command, agent: "Read the news" } },
      { when, run: { cwd: "/tmp" } },
      { when, run: {} },
      { when },
      { run: { command } },
    ].map(isValid),
    [true, true, false, false, false, false, false],
  );
});

function validatorOf(schema: Record<string, unknown>): { isValid(input: unknown): boolean } {
  const validate = new AjvJsonSchemaValidator().getValidator(schema);
  return { isValid: (input) => validate(input).valid };
}

test("a description names no command, no flag and no tool that is not offered with it", () => {
  const names = table.map(({ name }) => name).filter((name) => name.includes("_"));
  const usual = table.filter((operation) => isOffered(operation, "default"));
  for (const operation of usual) {
    const guide = toolGuide[operation.name] ?? "";
    const named = names.filter((name) => new RegExp(`\\b${name}\\b`).test(guide));
    const missing = named.filter((name) => !usual.some((each) => each.name === name));
    assert.deepEqual(missing, [], operation.name);
  }
  for (const guide of Object.values(toolGuide)) assert.doesNotMatch(guide, /\bdaybook\b|--/);
});
