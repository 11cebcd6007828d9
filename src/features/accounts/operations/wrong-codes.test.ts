import assert from "node:assert/strict";
import { test } from "node:test";
import { wrongCodes } from "./link.ts";

test("a sender may be wrong ten times at once, and then once every six seconds; others are not counted with them", () => {
  let now = 0;
  const wrong = wrongCodes(() => now);
  for (let count = 0; count < 10; count += 1) wrong.count("telegram:1");
  assert.throws(() => wrong.count("telegram:1"), { code: "busy", message: /wait a minute/ });
  wrong.count("telegram:2");
  now = 6_000;
  wrong.count("telegram:1");
  assert.throws(() => wrong.count("telegram:1"), { code: "busy" });
  now = 66_000;
  for (let count = 0; count < 10; count += 1) wrong.count("telegram:1");
});
