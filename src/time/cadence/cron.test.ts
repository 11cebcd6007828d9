import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Cron } from "croner";
import fc from "fast-check";
import { hasCode } from "../../platform/errors.ts";
import { cronWall, readCron } from "./cron.ts";
import { countTimes, nextTime } from "./wall.ts";

const start = Date.UTC(2026, 10, 16, 8, 30) / 1_000;

function next(expression: string, count: number, from = start): string[] {
  const wall = cronWall(readCron(expression));
  const found: string[] = [];
  let at = nextTime(wall, from);
  while (at !== undefined && found.length < count) {
    found.push(new Date(at * 1_000).toISOString().slice(0, 19));
    at = nextTime(wall, at + 1);
  }
  return found;
}

describe("a cron expression is read as Unix does", () => {
  const table: [expression: string, ...fires: string[]][] = [
    ["0 9 * * 0", "2026-11-22T09:00:00", "2026-11-29T09:00:00"],
    ["0 9 * * 7", "2026-11-22T09:00:00", "2026-11-29T09:00:00"],
    ["0 9 * * sun", "2026-11-22T09:00:00"],
    ["0 9 * * SAT-SUN", "2026-11-21T09:00:00", "2026-11-22T09:00:00"],
    ["0 9 * * 5-7", "2026-11-20T09:00:00", "2026-11-21T09:00:00", "2026-11-22T09:00:00"],
    ["0 9 * * 1-5", "2026-11-16T09:00:00", "2026-11-17T09:00:00"],
    ["30 8 * * *", "2026-11-16T08:30:00", "2026-11-17T08:30:00"],
    ["15 30 8 * * *", "2026-11-16T08:30:15"],
    ["*/20 * * * *", "2026-11-16T08:40:00", "2026-11-16T09:00:00"],
    ["10-20/5 * * * *", "2026-11-16T09:10:00", "2026-11-16T09:15:00", "2026-11-16T09:20:00"],
    // Both days are given: either will do. With a star before one, both must.
    ["0 0 20 * 2", "2026-11-17T00:00:00", "2026-11-20T00:00:00", "2026-11-24T00:00:00"],
    ["0 0 */2 * 2", "2026-11-17T00:00:00", "2026-12-01T00:00:00"],
    ["0 0 ? * 2", "2026-11-17T00:00:00"],
    ["0 0 L * *", "2026-11-30T00:00:00", "2026-12-31T00:00:00"],
    ["0 0 L 2 *", "2027-02-28T00:00:00", "2028-02-29T00:00:00"],
    ["0 0 * * 5#2", "2026-12-11T00:00:00"],
    ["0 0 * * fri#2", "2026-12-11T00:00:00"],
    ["0 0 * * 5L", "2026-11-27T00:00:00", "2026-12-25T00:00:00"],
    ["0 0 29 2 *", "2028-02-29T00:00:00", "2032-02-29T00:00:00"],
    ["0 0 1 jan,jul *", "2027-01-01T00:00:00", "2027-07-01T00:00:00"],
    ["@yearly", "2027-01-01T00:00:00"],
    ["@annually", "2027-01-01T00:00:00"],
    ["@monthly", "2026-12-01T00:00:00"],
    ["@weekly", "2026-11-22T00:00:00"],
    ["@Daily", "2026-11-17T00:00:00"],
    ["@midnight", "2026-11-17T00:00:00"],
    ["@hourly", "2026-11-16T09:00:00"],
    ["0 0 30 2 *"],
    ["0 0 31 4,6,9,11 *"],
  ];
  for (const [expression, ...fires] of table) {
    const says = fires.length === 0 ? "never fires" : `fires at ${fires.join(", ")}`;
    test(`${expression} ${says}`, () => {
      assert.deepEqual(next(expression, Math.max(1, fires.length)), fires);
    });
  }
});

describe("a wrong cron expression is refused with advice", () => {
  const table: [expression: string, advice: RegExp][] = [
    ["*/0 * * * *", /a step is from 1 to 60/],
    ["*/61 * * * *", /a step is from 1 to 60/],
    ["60 * * * *", /write 0 to 59/],
    ["* 24 * * *", /write 0 to 23/],
    ["* * 0 * *", /write 1 to 31/],
    ["* * 32 * *", /write 1 to 31/],
    ["* * * 13 *", /write a name, or 1 to 12/],
    ["* * * * 8", /write a name, or 0 to 7/],
    ["* * * * fri-mon", /the lower end first/],
    ["30-10 * * * *", /the lower end first/],
    ["5/15 * * * *", /write "5-59\/15"/],
    ["? * * * *", /write "\*"/],
    ["* * * foo *", /write "\*"/],
    ["1-2-3 * * * *", /write "\*"/],
    ["1,, * * * *", /write "\*"/],
    ["-1 * * * *", /write "\*"/],
    ["1.5 * * * *", /write "\*"/],
    ["* * * * 5#6", /write "5#2"/],
    ["* * * * xxxL", /write "5#2"/],
    ["* * 15W * *", /write "\*"/],
    ["0 9 * *", /has 4 fields, not five or six/],
    ["0 0 9 * * * 2027", /has 7 fields, not five or six/],
    ["", /has 1 fields/],
    ["@reboot", /write one of @yearly/],
    ["@constructor", /write one of @yearly/],
  ];
  for (const [expression, advice] of table) {
    test(JSON.stringify(expression), () => {
      assert.throws(
        () => readCron(expression),
        (error) => hasCode(error, "invalid") && advice.test(error.message),
      );
    });
  }

  test("one that is over 200 characters", () => {
    assert.throws(
      () => readCron(`${"1,".repeat(200)}1 * * * *`),
      (error) => hasCode(error, "too_large"),
    );
  });
});

const field = (min: number, max: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constant("*"),
    fc.integer({ min, max }).map(String),
    fc.integer({ min: 1, max: Math.min(max, 15) }).map((step) => `*/${step}`),
    fc
      .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
      .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    fc.array(fc.integer({ min, max }), { minLength: 2, maxLength: 4 }).map((all) => all.join()),
  );
/** Other readers of cron take a step after a star for a restriction: not compared. */
const dayField = (min: number, max: number): fc.Arbitrary<string> =>
  field(min, max).filter((text) => !text.startsWith("*/"));
const expressions = fc
  .tuple(field(0, 59), field(0, 23), dayField(1, 28), field(1, 12), dayField(0, 6))
  .map((fields) => fields.join(" "));

test("in UTC it fires at the same times as another cron library", () => {
  fc.assert(
    fc.property(expressions, fc.integer({ min: 0, max: 2_000_000_000 }), (expression, after) => {
      const other = new Cron(expression, { timezone: "UTC", paused: true });
      const theirs = other.nextRuns(5, new Date(after * 1_000));
      assert.deepEqual(
        next(expression, 5, after + 1),
        theirs.map((date) => date.toISOString().slice(0, 19)),
      );
    }),
    { numRuns: 150 },
  );
});

test("counting fires equals stepping through them", () => {
  const span = fc.tuple(
    fc.integer({ min: start, max: start + 90 * 86_400 }),
    fc.integer({ min: 0, max: 3 * 86_400 }),
  );
  fc.assert(
    fc.property(expressions, span, (expression, [from, length]) => {
      const wall = cronWall(readCron(expression));
      let [count, at] = [0, nextTime(wall, from)];
      while (at !== undefined && at < from + length) {
        count += 1;
        at = nextTime(wall, at + 1);
      }
      assert.equal(countTimes(wall, from, from + length), count);
    }),
    { numRuns: 150 },
  );
});
