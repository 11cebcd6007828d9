import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { RRuleTemporal } from "rrule-temporal";
import { hasCode } from "../../platform/errors.ts";
import { recurrenceWall } from "./recurrence.ts";
import { readRule } from "./rrule.ts";
import { countTimes, nextTime } from "./wall.ts";

function next(rule: string, start: string, count: number): string[] {
  const from = Date.parse(`${start}Z`) / 1_000;
  const wall = recurrenceWall(readRule(rule), from);
  const found: string[] = [];
  let at = nextTime(wall, from);
  while (at !== undefined && found.length < count) {
    found.push(new Date(at * 1_000).toISOString().slice(0, 16));
    at = nextTime(wall, at + 1);
  }
  return found;
}

describe("a rule recurs as in RFC 5545", () => {
  const table: [rule: string, start: string, ...fires: string[]][] = [
    ["FREQ=DAILY;INTERVAL=10", "1997-09-02T09:00", "1997-09-02T09:00", "1997-09-12T09:00"],
    [
      "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO,WE,FR",
      "1997-09-01T09:00",
      "1997-09-01T09:00",
      "1997-09-03T09:00",
      "1997-09-05T09:00",
      "1997-09-15T09:00",
    ],
    // The week starts on another day, so other weeks are every other one.
    [
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=MO",
      "1997-08-05T09:00",
      "1997-08-05T09:00",
      "1997-08-10T09:00",
      "1997-08-19T09:00",
      "1997-08-24T09:00",
    ],
    [
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU",
      "1997-08-05T09:00",
      "1997-08-05T09:00",
      "1997-08-17T09:00",
      "1997-08-19T09:00",
      "1997-08-31T09:00",
    ],
    ["FREQ=MONTHLY;BYDAY=1FR", "1997-09-05T09:00", "1997-09-05T09:00", "1997-10-03T09:00"],
    ["FREQ=MONTHLY;BYDAY=-2MO", "1997-09-22T09:00", "1997-09-22T09:00", "1997-10-20T09:00"],
    ["FREQ=MONTHLY;BYMONTHDAY=-3", "1997-09-28T09:00", "1997-09-28T09:00", "1997-10-29T09:00"],
    ["FREQ=MONTHLY", "2026-01-31T09:00", "2026-01-31T09:00", "2026-03-31T09:00"],
    ["FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "1997-09-02T09:00", "1998-02-13T09:00"],
    [
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
      "1997-09-29T09:00",
      "1997-09-29T09:00",
      "1997-10-30T09:00",
      "1997-11-27T09:00",
    ],
    ["FREQ=YEARLY;BYDAY=20MO", "1997-05-19T09:00", "1997-05-19T09:00", "1998-05-18T09:00"],
    [
      "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
      "1997-05-12T09:00",
      "1997-05-12T09:00",
      "1998-05-11T09:00",
    ],
    [
      "FREQ=YEARLY;BYWEEKNO=-1;BYDAY=SU",
      "2026-01-01T09:00",
      "2027-01-03T09:00",
      "2028-01-02T09:00",
    ],
    [
      "FREQ=YEARLY;INTERVAL=3;BYYEARDAY=1,-1",
      "1997-01-01T09:00",
      "1997-01-01T09:00",
      "1997-12-31T09:00",
      "2000-01-01T09:00",
    ],
    ["FREQ=YEARLY", "2024-02-29T09:00", "2024-02-29T09:00", "2028-02-29T09:00"],
    [
      "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
      "1996-11-05T09:00",
      "1996-11-05T09:00",
      "2000-11-07T09:00",
      "2004-11-02T09:00",
    ],
    ["FREQ=HOURLY;INTERVAL=3", "1997-09-02T09:00", "1997-09-02T09:00", "1997-09-02T12:00"],
    ["FREQ=HOURLY;INTERVAL=5", "1997-09-02T22:00", "1997-09-02T22:00", "1997-09-03T03:00"],
    ["FREQ=MINUTELY;INTERVAL=90", "1997-09-02T09:00", "1997-09-02T09:00", "1997-09-02T10:30"],
    [
      "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,16",
      "1997-09-02T09:00",
      "1997-09-02T09:00",
      "1997-09-02T09:20",
      "1997-09-02T09:40",
      "1997-09-02T16:00",
    ],
    [
      "FREQ=DAILY;BYHOUR=9,18;BYMINUTE=0,30;BYSETPOS=1,-1",
      "2026-11-16T09:00",
      "2026-11-16T09:00",
      "2026-11-16T18:30",
    ],
    ["FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "2026-01-01T09:00"],
    ["FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30", "2026-01-01T09:00"],
    ["FREQ=DAILY;INTERVAL=7;BYDAY=TU", "2026-11-16T09:00"],
    ["FREQ=YEARLY;BYDAY=MO;BYSETPOS=300", "2026-01-01T09:00"],
  ];
  for (const [rule, start, ...fires] of table) {
    const says = fires.length === 0 ? "never" : `at ${fires.join(", ")}`;
    test(`${rule} from ${start} recurs ${says}`, () => {
      assert.deepEqual(next(rule, start, Math.max(1, fires.length)), fires);
    });
  }
});

describe("a wrong rule is refused with advice", () => {
  const table: [rule: string, advice: RegExp][] = [
    ["", /write parts such as FREQ=WEEKLY/],
    ["BYDAY=MO", /has no FREQ/],
    ["FREQ=SECONDLY", /write YEARLY/],
    ["FREQ=DAILY;COUNT=0", /in COUNT: write 1 to/],
    ["FREQ=DAILY;INTERVAL=0", /in INTERVAL: write 1 to/],
    ["FREQ=DAILY;INTERVAL=1e3", /in INTERVAL/],
    ["FREQ=DAILY;COUNT=3;UNTIL=20270101", /leave one out/],
    ["FREQ=DAILY;FREQ=DAILY", /twice/],
    ["FREQ=WEEKLY;BYDAY=XX", /in BYDAY: write MO/],
    ["FREQ=WEEKLY;BYDAY=1MO", /write FREQ=MONTHLY/],
    ["FREQ=MONTHLY;BYDAY=9MO", /no month has/],
    ["FREQ=MONTHLY;BYDAY=0MO", /in BYDAY: write 1 to/],
    ["FREQ=WEEKLY;BYMONTHDAY=1", /write FREQ=MONTHLY/],
    ["FREQ=MONTHLY;BYMONTHDAY=0", /in BYMONTHDAY/],
    ["FREQ=MONTHLY;BYMONTHDAY=32", /in BYMONTHDAY/],
    ["FREQ=MONTHLY;BYYEARDAY=1", /write FREQ=YEARLY/],
    ["FREQ=MONTHLY;BYWEEKNO=1", /write FREQ=YEARLY/],
    ["FREQ=MONTHLY;BYSETPOS=1", /such as BYDAY/],
    ["FREQ=HOURLY;BYMINUTE=1,2;BYSETPOS=1", /write what it picks/],
    ["FREQ=DAILY;BYHOUR=24", /in BYHOUR: write 0 to 23/],
    ["FREQ=DAILY;UNTIL=tomorrow", /write it as 20261231/],
    ["FREQ=DAILY;WKST=XX", /a weekday such as MO/],
    ["FREQ=DAILY;BYEASTER=1", /write parts such as/],
    ["DTSTART:20260101T090000\nRRULE:FREQ=DAILY", /give the start as start/],
  ];
  for (const [rule, advice] of table) {
    test(JSON.stringify(rule), () => {
      assert.throws(
        () => readRule(rule),
        (error) => hasCode(error, "invalid") && advice.test(error.message),
      );
    });
  }

  test("one that is over 500 characters", () => {
    assert.throws(
      () => readRule(`FREQ=DAILY;BYHOUR=${"1,".repeat(300)}1`),
      (error) => hasCode(error, "too_large"),
    );
  });
});

const some = (min: number, max: number): fc.Arbitrary<string> =>
  fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 3 }).map((all) => all.join());
const codes = fc
  .uniqueArray(fc.constantFrom("MO", "TU", "WE", "TH", "FR", "SA", "SU"), {
    minLength: 1,
    maxLength: 3,
  })
  .map((all) => all.join());
const part = (name: string, values: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constant(""),
    values.map((value) => `;${name}=${value}`),
  );
const frequency = fc.constantFrom("YEARLY", "MONTHLY", "WEEKLY", "DAILY");
const interval = fc.integer({ min: 1, max: 4 }).map((every) => `;INTERVAL=${every}`);
const rules = fc
  .tuple(
    frequency,
    interval,
    part("BYMONTH", some(1, 12)),
    part("BYDAY", codes),
    part("BYHOUR", some(0, 23)),
  )
  .map(([frequency, ...parts]) => `FREQ=${frequency}${parts.join("")}`);

/** It gives up after thousands of years without a time. */
function firstOf(other: RRuleTemporal, count: number): string[] {
  try {
    const all = other.all((_, i) => i < count).slice(0, count);
    return all.map((each) => each.toString().slice(0, 16));
  } catch {
    return [];
  }
}

test("in UTC it recurs at the same times as another library", () => {
  const start = fc
    .integer({ min: 0, max: 20_000 })
    .map((hours) => 1_700_000_000 - 800 + hours * 3_600);
  fc.assert(
    fc.property(rules, start, (rule, from) => {
      const dtstart = Temporal.Instant.fromEpochMilliseconds(from * 1_000).toZonedDateTimeISO(
        "UTC",
      );
      const local = dtstart.toPlainDateTime().toString({ smallestUnit: "minute" });
      const stamp = `${local.replaceAll(/[-:]/g, "")}00`;
      const other = new RRuleTemporal({ rruleString: `DTSTART:${stamp}Z\nRRULE:${rule}` });
      assert.deepEqual(next(rule, local, 5), firstOf(other, 5), `${rule} from ${local}`);
    }),
    { numRuns: 150 },
  );
});

test("counting fires equals stepping through them", () => {
  const start = 1_700_000_000;
  const often = fc.constantFrom(
    "FREQ=HOURLY;INTERVAL=5",
    "FREQ=MINUTELY;INTERVAL=7",
    "FREQ=MINUTELY;BYHOUR=3",
  );
  const span = fc.tuple(
    fc.integer({ min: start, max: start + 90 * 86_400 }),
    fc.integer({ min: 0, max: 3 * 86_400 }),
  );
  fc.assert(
    fc.property(fc.oneof(rules, often), span, (rule, [from, length]) => {
      const wall = recurrenceWall(readRule(rule), start);
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
