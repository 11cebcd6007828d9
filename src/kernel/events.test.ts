import assert from "node:assert/strict";
import { test } from "node:test";
import { levelOf, type EventLevel, type Events } from "./events.ts";

test("each event has the log level of its gravity", () => {
  const expected: { [Name in keyof Events]: EventLevel } = {
    "record settled": "debug",
    "lane parked": "info",
    "act failed": "warn",
    "lease lost": "warn",
    "node lost": "warn",
    "overdue skipped": "warn",
    "overdue found": "warn",
    "send failed": "warn",
    "channel answered wrongly": "error",
    "consequence refused": "warn",
    "settle failed": "error",
    "store failed": "error",
    "heartbeat failed": "warn",
    "health turned": "info",
    "health unknown": "warn",
    alarm: "debug",
    "work claimed": "debug",
  };
  for (const name of Object.keys(expected) as (keyof Events)[]) {
    assert.equal(levelOf(name), expected[name], name);
  }
});
