import assert from "node:assert/strict";
import { test } from "node:test";
import { wrongCodeLimit } from "./link.ts";

test("each sender may send ten wrong codes at once, then one every six seconds", () => {
  let now = 0;
  const limit = wrongCodeLimit(() => now);
  for (let count = 0; count < 10; count += 1) limit.count("telegram:1");
  assert.throws(() => limit.count("telegram:1"), { code: "busy", message: /wait a minute/ });
  limit.count("telegram:2");
  now = 6_000;
  limit.count("telegram:1");
  assert.throws(() => limit.count("telegram:1"), { code: "busy" });
  now = 66_000;
  for (let count = 0; count < 10; count += 1) limit.count("telegram:1");
});
