import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { hasCode } from "../platform/errors.ts";
import { checkCadence, firesAfter, firesBetween, readCadence, type Cadence } from "./cadence.ts";

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

function cron(expression: string, zone: string): Cadence {
  return { type: "cron", expression, zone };
}

function rrule(rule: string, start: string, zone: string): Cadence {
  return { type: "rrule", rule, start: moment(start, zone), zone };
}

function moment(local: string, zone: string): number {
  return Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds;
}

function local(fires: readonly number[], zone: string): string[] {
  return fires.map((fire) =>
    Temporal.Instant.fromEpochMilliseconds(fire)
      .toZonedDateTimeISO(zone)
      .toString({ smallestUnit: "minute", timeZoneName: "never" }),
  );
}

interface Change {
  readonly zone: string;
  readonly what: string;
  /** A time of day that is leapt over, comes twice, or stays as it is, and the day before it does. */
  readonly time: string;
  readonly before: string;
  /** When something daily at that time fires, from that day on. */
  readonly daily: readonly string[];
}

const changes: readonly Change[] = [
  {
    zone: "America/New_York",
    what: "leap from 02:00 to 03:00",
    time: "02:30",
    before: "2026-03-07",
    daily: ["2026-03-07T02:30-05:00", "2026-03-08T03:00-04:00", "2026-03-09T02:30-04:00"],
  },
  {
    zone: "America/New_York",
    what: "go back from 02:00 to 01:00",
    time: "01:30",
    before: "2026-10-31",
    daily: ["2026-10-31T01:30-04:00", "2026-11-01T01:30-04:00", "2026-11-02T01:30-05:00"],
  },
  {
    zone: "Europe/London",
    what: "leap from 01:00 to 02:00",
    time: "01:15",
    before: "2026-03-28",
    daily: ["2026-03-28T01:15+00:00", "2026-03-29T02:00+01:00", "2026-03-30T01:15+01:00"],
  },
  {
    zone: "Europe/London",
    what: "go back from 02:00 to 01:00",
    time: "01:00",
    before: "2026-10-24",
    daily: ["2026-10-24T01:00+01:00", "2026-10-25T01:00+01:00", "2026-10-26T01:00+00:00"],
  },
  {
    zone: "Australia/Lord_Howe",
    what: "leap from 02:00 to 02:30",
    time: "02:15",
    before: "2026-10-03",
    daily: ["2026-10-03T02:15+10:30", "2026-10-04T02:30+11:00", "2026-10-05T02:15+11:00"],
  },
  {
    zone: "Australia/Lord_Howe",
    what: "go back from 02:00 to 01:30",
    time: "01:45",
    before: "2026-04-04",
    daily: ["2026-04-04T01:45+11:00", "2026-04-05T01:45+11:00", "2026-04-06T01:45+10:30"],
  },
  {
    zone: "Pacific/Apia",
    what: "leap over all of 30 December 2011",
    time: "09:00",
    before: "2011-12-29",
    daily: ["2011-12-29T09:00-10:00", "2011-12-31T00:00+14:00", "2011-12-31T09:00+14:00"],
  },
  {
    zone: "Asia/Kolkata",
    what: "are never changed",
    time: "02:30",
    before: "2026-03-07",
    daily: ["2026-03-07T02:30+05:30", "2026-03-08T02:30+05:30", "2026-03-09T02:30+05:30"],
  },
  {
    zone: "Asia/Seoul",
    what: "are never changed",
    time: "01:30",
    before: "2026-10-31",
    daily: ["2026-10-31T01:30+09:00", "2026-11-01T01:30+09:00", "2026-11-02T01:30+09:00"],
  },
  {
    zone: "America/St_Johns",
    what: "leap from 02:00 to 03:00, half an hour off the others",
    time: "02:45",
    before: "2026-03-07",
    daily: ["2026-03-07T02:45-03:30", "2026-03-08T03:00-02:30", "2026-03-09T02:45-02:30"],
  },
  {
    zone: "America/Sao_Paulo",
    what: "leap over midnight to 01:00",
    time: "00:00",
    before: "2018-11-03",
    daily: ["2018-11-03T00:00-03:00", "2018-11-04T01:00-02:00", "2018-11-05T00:00-02:00"],
  },
  {
    zone: "America/Sao_Paulo",
    what: "go back from midnight to 23:00",
    time: "23:30",
    before: "2018-02-16",
    daily: ["2018-02-16T23:30-02:00", "2018-02-17T23:30-02:00", "2018-02-18T23:30-03:00"],
  },
  {
    zone: "Africa/Casablanca",
    what: "go back for Ramadan",
    time: "02:30",
    before: "2026-02-14",
    daily: ["2026-02-14T02:30+01:00", "2026-02-15T02:30+01:00", "2026-02-16T02:30+00:00"],
  },
];

for (const { zone, what, time, before, daily } of changes) {
  describe(`when the clocks in ${zone} ${what}`, () => {
    const [hours, minutes] = time.split(":").map(Number);
    const after = moment(`${before}T${time}`, zone) - 1;

    test("a daily cron expression fires once a day, right after the gap if it is in it", () => {
      const fires = firesAfter(cron(`${minutes} ${hours} * * *`, zone), after, daily.length);
      assert.deepEqual(local(fires, zone), daily);
    });

    test("a daily rule fires at the same times", () => {
      const rule = rrule("FREQ=DAILY", `${before}T${time}`, zone);
      assert.deepEqual(local(firesAfter(rule, after, daily.length), zone), daily);
    });

    test("a rule with a COUNT fires that many times", () => {
      const rule = rrule("FREQ=DAILY;COUNT=3", `${before}T${time}`, zone);
      assert.deepEqual(local(firesAfter(rule, after, 100), zone), daily);
      assert.deepEqual(firesAfter(rule, firesAfter(rule, after, 3).at(-1) ?? 0, 100), []);
    });

    test("a rule for every half hour fires every 30 real minutes", () => {
      const halves = [
        cron("*/30 * * * *", zone),
        cron("0,30 0-23 * * *", zone),
        rrule("FREQ=MINUTELY;INTERVAL=30", `${before}T00:00`, zone),
        rrule("FREQ=HOURLY;BYMINUTE=0,30", `${before}T00:00`, zone),
      ];
      const start = moment(`${before}T00:00`, zone);
      const expected = Array.from({ length: 150 }, (_, i) => start + (i + 1) * 30 * minute);
      for (const cadence of halves) assert.deepEqual(firesAfter(cadence, start, 150), expected);
    });

    test("an interval is independent of clock changes", () => {
      const interval: Cadence = { type: "interval", everyMs: day, anchor: after };
      assert.deepEqual(
        firesAfter(interval, after, 3),
        [1, 2, 3].map((k) => after + k * day),
      );
    });

    test("a single time is independent of clock changes", () => {
      const [, second] = daily.map((fire) => Temporal.Instant.from(fire).epochMilliseconds);
      assert.ok(second !== undefined);
      const once: Cadence = { type: "once", at: second };
      assert.deepEqual(firesAfter(once, second - 1, 5), [second]);
      assert.deepEqual(firesAfter(once, second, 5), []);
    });
  });
}

describe("when clocks are changed", () => {
  const zone = "America/New_York";

  test("several times in the gap fire once", () => {
    const fires = firesAfter(cron("*/15 2 * * *", zone), moment("2026-03-08T00:00", zone), 2);
    assert.deepEqual(local(fires, zone), ["2026-03-08T03:00-04:00", "2026-03-09T02:00-04:00"]);
  });

  test("a fire after the gap does not repeat one that is due then", () => {
    const fires = firesAfter(cron("0 2,3,4 * * *", zone), moment("2026-03-08T00:00", zone), 2);
    assert.deepEqual(local(fires, zone), ["2026-03-08T03:00-04:00", "2026-03-08T04:00-04:00"]);
  });

  test("a rule for every two hours loses and repeats no fire", () => {
    const berlin = "Europe/Berlin";
    const leap = firesAfter(cron("0 */2 * * *", berlin), moment("2026-03-28T23:30", berlin), 3);
    const [first, second, third] = local(leap, berlin).map((text) => text.slice(11, 16));
    assert.deepEqual([first, second, third], ["00:00", "03:00", "04:00"]);
    const back = firesAfter(cron("0 */2 * * *", berlin), moment("2026-10-24T23:30", berlin), 3);
    assert.deepEqual(
      local(back, berlin).map((text) => text.slice(11)),
      ["00:00+02:00", "02:00+02:00", "04:00+01:00"],
    );
  });

  test("a yearly date is found over any number of changes", () => {
    const fires = firesAfter(cron("30 2 8 3 *", zone), moment("2024-06-01T00:00", zone), 3);
    assert.deepEqual(local(fires, zone), [
      "2025-03-08T02:30-05:00",
      "2026-03-08T03:00-04:00",
      "2027-03-08T02:30-05:00",
    ]);
  });

  test("a weekly rule for every hour runs in both passes of the last hour of its day", () => {
    const there = "America/Sao_Paulo";
    const fires = firesAfter(cron("0 * * * 6", there), moment("2018-02-17T22:30", there), 3);
    assert.deepEqual(local(fires, there), [
      "2018-02-17T23:00-02:00",
      "2018-02-17T23:00-03:00",
      "2018-02-24T00:00-03:00",
    ]);
  });
});

describe("a rule ends", () => {
  const zone = "Asia/Seoul";
  const start = "2026-11-16T09:00";
  const all = (rule: string): string[] => {
    const cadence = rrule(rule, start, zone);
    return local(firesAfter(cadence, moment(start, zone) - 1, 10), zone).map((text) =>
      text.slice(0, 16),
    );
  };

  test("at its UNTIL, in UTC or local time", () => {
    const two = ["2026-11-16T09:00", "2026-11-17T09:00"];
    assert.deepEqual(all("FREQ=DAILY;UNTIL=20261117T000000Z"), two);
    assert.deepEqual(all("FREQ=DAILY;UNTIL=20261116T235959Z"), two.slice(0, 1));
    assert.deepEqual(all("FREQ=DAILY;UNTIL=20261117T090000"), two);
    assert.deepEqual(all("FREQ=DAILY;UNTIL=20261117T085959"), two.slice(0, 1));
    assert.deepEqual(all("FREQ=DAILY;UNTIL=20261117"), two);
  });

  test("a day that no calendar has is refused", () => {
    assert.throws(
      () => all("FREQ=DAILY;UNTIL=20260231"),
      (error) => hasCode(error, "invalid") && error.message.includes("no calendar has"),
    );
  });

  test("nothing fires before its start", () => {
    const cadence = rrule("FREQ=DAILY", start, zone);
    assert.deepEqual(firesAfter(cadence, 0, 1), [moment(start, zone)]);
  });
});

const zones = fc.constantFrom(
  ...new Set(changes.map(({ zone }) => zone)),
  "UTC",
  "Pacific/Chatham",
);
const cadences: fc.Arbitrary<Cadence> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        "30 2 * * *",
        "*/15 1-2 * * *",
        "0 * * * *",
        "*/7 * * * *",
        "0 0 * * 0",
        "@hourly",
        "15,45 0,1,2,3 * * *",
        "0 */2 * * *",
        "0 0 1 * *",
        "59 23 L * *",
        "30 * * * 6",
      ),
      zones,
    )
    .map(([expression, zone]) => cron(expression, zone)),
  fc
    .tuple(
      fc.constantFrom(
        "FREQ=DAILY",
        "FREQ=HOURLY;INTERVAL=5",
        "FREQ=MINUTELY;INTERVAL=45",
        "FREQ=DAILY;COUNT=40",

        "FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU",
        "FREQ=MONTHLY;BYDAY=-1SU",
        "FREQ=HOURLY;COUNT=500",
        "FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1,-1",
        "FREQ=DAILY;BYHOUR=1,2;UNTIL=20260401",
      ),
      fc.constantFrom("2026-01-03T02:30", "2026-02-07T01:15", "2025-03-30T00:00"),
      zones,
    )
    .map(([rule, start, zone]) => rrule(rule, start, zone)),
  fc
    .tuple(
      fc.integer({ min: 10 * minute, max: 9 * day }),
      fc.integer({ min: 0, max: 1_800_000_000_000 }),
    )
    .map(([everyMs, anchor]): Cadence => ({ type: "interval", everyMs, anchor })),
  fc
    .integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 })
    .map((at): Cadence => ({ type: "once", at })),
);
/** Most of the changes of 2026 lie in here. */
const starts = fc.oneof(
  fc.integer({ min: 1_765_000_000_000, max: 1_795_000_000_000 }),
  fc
    .tuple(
      fc.constantFrom(...changes.map(({ before, zone }) => moment(`${before}T12:00`, zone))),
      fc.integer({ min: 0, max: 36 * 60 }),
    )
    .map(([noon, minutes]) => noon + minutes * minute),
);

/** All fires up to a moment, a few at a time. */
function walk(cadence: Cadence, after: number, until: number): number[] {
  const all: number[] = [];
  for (;;) {
    const some = firesAfter(cadence, all.at(-1) ?? after, 50);
    all.push(...some.filter((fire) => fire <= until));
    if (some.length < 50 || some.some((fire) => fire > until)) return all;
  }
}

describe("fires depend on the cadence and the time alone", () => {
  test("they are ordered, after the given time, and the same from any point between", () => {
    fc.assert(
      fc.property(cadences, starts, fc.nat(19), fc.nat(), (cadence, after, index, inside) => {
        const fires = firesAfter(cadence, after, 20);
        assert.ok(fires.every((fire, i) => fire > (fires[i - 1] ?? after)));
        const [previous, next] = [fires[index - 1] ?? after, fires[index]];
        if (next === undefined) return;
        const between = previous + (inside % (next - previous));
        assert.deepEqual(firesAfter(cadence, between, fires.length - index), fires.slice(index));
      }),
      { numRuns: 400 },
    );
  });

  test("the fires between two times are those after the first, up to the second", () => {
    const lengths = fc.oneof(
      fc.integer({ min: 0, max: 3 * day }),
      fc.integer({ min: 0, max: 60 * day }),
    );
    fc.assert(
      fc.property(cadences, starts, lengths, fc.nat(30), (cadence, after, length, limit) => {
        const until = after + length;
        const all = walk(cadence, after, until);
        const { fires, earlier } = firesBetween(cadence, after, until, limit);
        assert.deepEqual(fires, limit === 0 ? [] : all.slice(-limit));
        assert.equal(earlier, all.length - fires.length);
      }),
      { numRuns: 60 },
    );
  });
});

describe("an interval", () => {
  const interval: Cadence = { type: "interval", everyMs: 2 * hour, anchor: 1_000 };

  test("first fires one length after its anchor, also from long before", () => {
    assert.deepEqual(firesAfter(interval, -5 * day, 1), [1_000 + 2 * hour]);
    assert.deepEqual(firesAfter(interval, 1_000, 1), [1_000 + 2 * hour]);
  });

  test("does not fire again at the given time", () => {
    assert.deepEqual(firesAfter(interval, 1_000 + 2 * hour, 1), [1_000 + 4 * hour]);
  });

  test("of length zero is refused", () => {
    for (const everyMs of [0, -1, 0.5, Number.NaN, Infinity]) {
      assert.throws(
        () => firesAfter({ ...interval, everyMs }, 0, 1),
        (error) => hasCode(error, "invalid"),
      );
    }
  });
});

test("a year of minutes is counted in bulk", () => {
  const [after, until] = [1_700_000_000_000, 1_700_000_000_000 + 365 * day];
  for (const cadence of [
    cron("* * * * *", "America/New_York"),
    rrule("FREQ=MINUTELY", "2020-01-01T00:00", "America/New_York"),
  ]) {
    const started = performance.now();
    const { fires, earlier } = firesBetween(cadence, after, until, 100);
    // Walked through, it would take a hundred times as long.
    assert.ok(performance.now() - started < 250);
    assert.equal(fires.length + earlier, 365 * 24 * 60);
    assert.equal(fires.at(-1), Math.floor(until / minute) * minute);
  }
});

test("an unknown zone is refused by name", () => {
  assert.throws(
    () => firesAfter(cron("0 9 * * *", "Mars/Base"), 0, 1),
    (error) => hasCode(error, "invalid") && error.message.includes('"Mars/Base"'),
  );
});

describe("a cadence is refused quickly, with advice, if", () => {
  const now = moment("2026-11-16T08:30", "Asia/Seoul");
  const ny = "America/New_York";
  const rule = (text: string): Cadence => rrule(text, "2020-01-01T09:00", ny);
  const table: [why: string, cadence: Cadence, advice: RegExp][] = [
    ["it is on 31 April", cron("0 9 31 4 *", ny), /never fires: correct its day/],
    ["it is on 30 February", cron("0 9 30 2 *", ny), /never fires/],
    ["a rule is on 30 February", rule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"), /never fires/],
    [
      "a rule looks for it minute by minute",
      rule("FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30"),
      /never/,
    ],
    ["no month has so many", rule("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=31"), /never fires/],
    ["no year has so many", rule("FREQ=YEARLY;BYDAY=MO;BYSETPOS=300"), /never fires/],
    ["no June has the week", rule("FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6"), /never fires/],
    ["the days never meet", rule("FREQ=DAILY;INTERVAL=7;BYDAY=MO"), /never fires/],
    ["its turn is thousands of years away", rule("FREQ=YEARLY;INTERVAL=9999"), /never fires/],
    ["no minute of its own is in the hour", rule("FREQ=MINUTELY;INTERVAL=4;BYMINUTE=7"), /never/],
    ["it has ended by COUNT", rule("FREQ=DAILY;COUNT=3"), /correct its days, COUNT, UNTIL/],
    ["it has ended by UNTIL", rule("FREQ=DAILY;UNTIL=20200105"), /never fires from now on/],
    ["it is past", { type: "once", at: now }, /is past/],
    [
      "its interval outlives the calendar",
      { type: "interval", everyMs: 9e15, anchor: now },
      /longer than the calendar: write 2912124d or less/,
    ],
    ["it is every second", cron("* * * * * *", ny), /1 s after the time before.*at least 1 min/],
    ["it is dense", rule("FREQ=MINUTELY;BYSECOND=0,20"), /[24]0 s after/],
    ["its interval is short", { type: "interval", everyMs: 59_999, anchor: now }, /59 s after/],
    // Only the second fire of a day is close to the one before.
    ["it is dense once a day", cron("0,30 59 23 * * *", ny), /30 s after/],
    ["it is dense at the end of an hour", rule("FREQ=HOURLY;BYMINUTE=0,58;BYSECOND=0,59"), /59 s/],
    [
      "it is dense late in the year",
      rule("FREQ=YEARLY;BYYEARDAY=1,40,80,-1;BYHOUR=0,23;BYMINUTE=0,59;BYSECOND=0,30"),
      /30 s after/,
    ],
    ["its zone is unknown", cron("0 9 * * *", "Mars/Base"), /"Mars\/Base" is not a time zone/],
  ];
  for (const [why, cadence, advice] of table) {
    test(why, () => {
      const started = performance.now();
      assert.throws(
        () => checkCadence(cadence, now, minute),
        (error) => hasCode(error, "invalid") && advice.test(error.message),
      );
      assert.ok(performance.now() - started < 500);
    });
  }

  test("a rare cadence, or one at the limit, is accepted", () => {
    const friday = rule("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=FR");
    const passes = [friday, cron("0 0 29 2 *", ny), cron("* * * * *", ny), rule("FREQ=MINUTELY")];
    for (const cadence of passes) {
      const started = performance.now();
      checkCadence(cadence, now, minute);
      assert.ok(performance.now() - started < 500);
    }
  });
});

describe("the input of a program becomes a cadence:", () => {
  const zone = "Asia/Seoul";
  const now = moment("2026-11-16T08:30:17.5", zone);
  const context = { now, zone, language: "en" } as const;

  test("an interval longer than the calendar is refused with the longest one", () => {
    for (const every of [1e300, Number.MAX_VALUE, 1e15]) {
      assert.throws(
        () => readCadence({ type: "interval", every }, context),
        (error) => hasCode(error, "invalid") && error.message.includes("write 2912124d or less"),
      );
    }
    const { cadence: longest } = readCadence({ type: "interval", every: "2912124d" }, context);
    assert.equal(firesAfter(longest, now, 2).length, 1);
  });

  test("an interval, as a length or in seconds, starts now", () => {
    const expected = { type: "interval", everyMs: 2 * hour, anchor: now };
    for (const every of ["2h", "120 min", "두 시간", "2.0h", 7_200]) {
      assert.deepEqual(readCadence({ type: "interval", every }, context).cadence, expected);
    }
  });

  test("a length that varies or is empty is refused", () => {
    for (const every of ["1 month", "often", "", "2h later", "0s", 0, -5, Number.NaN]) {
      assert.throws(
        () => readCadence({ type: "interval", every }, context),
        (error) => hasCode(error, "invalid"),
        String(every),
      );
    }
  });

  test("a cron expression keeps its text, in the caller's zone or its own", () => {
    assert.deepEqual(
      readCadence({ type: "cron", expression: " @daily " }, context).cadence,
      cron("@daily", zone),
    );
    const asked = { type: "cron", expression: "0 9 * * 1", timezone: "europe/london" } as const;
    assert.deepEqual(readCadence(asked, context).cadence, cron("0 9 * * 1", "Europe/London"));
  });

  test("a rule starts at its start in its own zone, or at the next minute", () => {
    const asked = { type: "rrule", rule: "RRULE:FREQ=DAILY", timezone: "Europe/London" } as const;
    assert.deepEqual(
      readCadence({ ...asked, start: "2026-12-01 09:00" }, context).cadence,
      rrule("FREQ=DAILY", "2026-12-01T09:00", "Europe/London"),
    );
    assert.deepEqual(
      readCadence({ type: "rrule", rule: "FREQ=DAILY" }, context).cadence,
      rrule("FREQ=DAILY", "2026-11-16T08:31", zone),
    );
  });

  const taken: [rule: string, start: string | undefined, assumed: string | undefined][] = [
    ["FREQ=DAILY", undefined, "08:31"],
    ["FREQ=WEEKLY;BYDAY=MO", undefined, "08:31"],
    ["FREQ=DAILY;BYHOUR=9", undefined, ":31"],
    ["FREQ=HOURLY", undefined, ":31"],
    ["FREQ=WEEKLY", undefined, "2026-11-16 08:31"],
    ["FREQ=MONTHLY;BYHOUR=9;BYMINUTE=0", undefined, "2026-11-16"],
    ["FREQ=YEARLY;BYMONTH=3", undefined, "2026-11-16 08:31"],
    ["FREQ=YEARLY;BYYEARDAY=1;BYHOUR=9;BYMINUTE=0", undefined, undefined],
    ["FREQ=DAILY;BYHOUR=9;BYMINUTE=0", undefined, undefined],
    ["FREQ=MINUTELY;INTERVAL=10", undefined, undefined],
    ["FREQ=DAILY", "tomorrow 10:00", undefined],
    ["FREQ=DAILY", "tomorrow", "09:00"],
    ["FREQ=DAILY", "tomorrow at 3", "15:00"],
    ["FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "tomorrow", undefined],
    ["FREQ=DAILY", "last monday 10:00", undefined],
  ];
  for (const [rule, start, assumed] of taken) {
    test(`${rule} from ${start ?? "now"} says what it takes from its start: ${assumed}`, () => {
      assert.equal(readCadence({ type: "rrule", rule, start }, context).assumed, assumed);
    });
  }

  test("a single time, which may be a length from now but no day that has passed", () => {
    const once = (at: string) => readCadence({ type: "once", at }, context);
    const cadence = { type: "once", at: moment("2026-11-17T09:00", zone) };
    assert.deepEqual(once("2026-11-17T00:00:00Z"), { cadence });
    assert.deepEqual(once("tomorrow 9am"), { cadence });
    assert.deepEqual(once("tomorrow"), { cadence, assumed: "09:00" });
    assert.deepEqual(once("2h").cadence, { type: "once", at: now + 2 * hour });
    assert.throws(() => once("yesterday"), /is 2026-11-15 09:00 in Asia\/Seoul, 23 hours ago/);
  });

  test("an unreadable input is refused", () => {
    for (const asked of [
      { type: "cron", expression: "60 * * * *" },
      { type: "cron", expression: "0 9 * * *", timezone: "Mars/Base" },
      { type: "rrule", rule: "FREQ=SECONDLY" },
      { type: "rrule", rule: "FREQ=DAILY", start: "someday" },
      { type: "rrule", rule: "FREQ=DAILY;UNTIL=20260231" },
      { type: "once", at: "someday" },
    ] as const) {
      assert.throws(
        () => readCadence(asked, context),
        (error) => hasCode(error, "invalid"),
      );
    }
  });
});
