import assert from "node:assert/strict";
import { test } from "node:test";
import { fileSchemas } from "./schemas.ts";

const event = { id: "evt-1", type: "a.b", source: "shell" };

test("a schema that takes an event takes only what the rules take", () => {
  assert.ok(fileSchemas.event.safeParse(event).success);
  for (const wrong of [
    { type: "T.Upper" },
    { source: "My Source" },
    { id: "a..b" },
    { repo: "" },
  ]) {
    const read = fileSchemas.event.safeParse({ ...event, ...wrong });
    assert.ok(!read.success, JSON.stringify(wrong));
  }
  const long = { type: `a.${"b".repeat(99)}` };
  assert.ok(!fileSchemas.event.safeParse({ ...event, ...long }).success);
});
