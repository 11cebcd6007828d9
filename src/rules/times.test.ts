import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { hasCode } from "../base/errors.ts";
import { distance, echo, inWords, isZone, parseTime, span } from "./times.ts";

const now = Date.parse("2026-11-15T23:00:00Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");

describe("a time that can be read", () => {
  const table: [text: string, utc: string][] = [
    ["+30m", "2026-11-15T23:30:00.000Z"],
    ["+0s", "2026-11-15T23:00:00.000Z"],
    ["+1ms", "2026-11-15T23:00:00.001Z"],
    ["+ 90 s", "2026-11-15T23:01:30.000Z"],
    ["in 2h", "2026-11-16T01:00:00.000Z"],
    ["IN 2 H", "2026-11-16T01:00:00.000Z"],
    ["  in   2 h   5   min ", "2026-11-16T01:05:00.000Z"],
    ["+1h30m", "2026-11-16T00:30:00.000Z"],
    ["+1d", "2026-11-16T23:00:00.000Z"],
    ["2026-12-25T09:00:00+09:00", "2026-12-25T00:00:00.000Z"],
    ["2026-12-25 09:00Z", "2026-12-25T09:00:00.000Z"],
    ["2026-12-25T09:00[Asia/Seoul]", "2026-12-25T00:00:00.000Z"],
    ["2026-12-25T09:00+09:00[Asia/Seoul]", "2026-12-25T00:00:00.000Z"],
    ["2020-01-01T00:00Z", "2020-01-01T00:00:00.000Z"],
    ["1970-01-01T00:00Z", "1970-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
    // A part of a millisecond counts as a whole one: never early.
    ["2026-12-25T09:00:00.000000001Z", "2026-12-25T09:00:00.001Z"],
    // 02:30 does not exist on this day, and 01:30 comes twice on that one.
    ["2026-03-08T02:30[America/New_York]", "2026-03-08T07:30:00.000Z"],
    ["2026-11-01T01:30[America/New_York]", "2026-11-01T05:30:00.000Z"],
    ["2026-11-01T01:30-05:00[America/New_York]", "2026-11-01T06:30:00.000Z"],
  ];
  for (const [text, utc] of table) {
    test(`${JSON.stringify(text)} is ${utc}`, () => {
      assert.equal(new Date(parseTime(text, now)).toISOString(), utc);
    });
  }
  test("is as far from now as its words say, however they are put", () => {
    const length = fc.record({ d: fc.nat(999), h: fc.nat(99), min: fc.nat(99), s: fc.nat(99) });
    fc.assert(
      fc.property(length, fc.constantFrom("+", "+ ", "in "), ({ d, h, min, s }, start) => {
        const ms = (((d * 24 + h) * 60 + min) * 60 + s) * 1_000;
        assert.equal(parseTime(`${start}${d} d ${h} h ${min} min ${s} s`, now), now + ms);
        assert.equal(parseTime(`${start}${d}d${h}h${min}m${s}s`, now), now + ms);
      }),
    );
  });
});

describe("a time that cannot be read", () => {
  const unreadable = [
    "",
    " ",
    "soon",
    "tomorrow",
    "30m",
    "in2h",
    "+",
    "+m",
    "+-5m",
    "-5m",
    "+1.5h",
    "+5 parsecs",
    "+5mm",
    "+0x10m",
    "+٣m",
    "+1234567890s",
    "12:00",
    "2026-12-25",
    "2026-12-25T09:00",
    "2026-02-30T09:00Z",
    "2026-12-25T25:00Z",
    "2026-12-25T09:00+08:00[Asia/Seoul]",
    "2026-12-25T09:00[Mars/Olympus]",
    "2026-12-25T09:00Z[u-ca=japanese]",
    "1794785400000",
    "NaN",
    "__proto__",
    "+5m; rm -rf /",
    "+5m\u0000",
    "\u001B[2J",
    `+${"1m ".repeat(60)}x`,
  ];
  for (const text of unreadable) {
    test(`${JSON.stringify(text.slice(0, 40))} is refused with an example to follow`, () => {
      assert.throws(
        () => parseTime(text, now),
        (error) => {
          assert.ok(hasCode(error, "invalid"));
          assert.match(error.message, /is not a time I can read: write it as "\+30m"/);
          assert.doesNotMatch(error.message, /\p{Cc}/u);
          return true;
        },
      );
    });
  }

  const outside = [
    "1969-12-31T23:59:59Z",
    "-271821-04-20T00:00Z",
    "+275760-09-13T00:00Z",
    "+010000-01-01T00:00Z",
    "+9999999d",
    "+999999999d 999999999d",
  ];
  for (const text of outside) {
    test(`${text} is outside the years that count`, () => {
      assert.throws(
        () => parseTime(text, now),
        (error) => hasCode(error, "invalid") && /is not in the years 1970/.test(error.message),
      );
    });
  }
  test("is not even looked at when it is long", () => {
    for (const text of [`+${"1".repeat(199)}m`, " ".repeat(10_000_000), "[".repeat(10_000_000)]) {
      assert.throws(
        () => parseTime(text, now),
        (error) => hasCode(error, "too_large") && error.message.length < 200,
      );
    }
  });
  test("is our own error, never another, and what is read can be kept", () => {
    const piece = fc.constantFrom(
      ..."+ 0 1 9 in ms s min m h d T Z [ ] : - . Asia/Seoul".split(" "),
    );
    const typed = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece).map((pieces) => pieces.join("")),
      fc.array(piece).map((pieces) => `+${pieces.join(" ")}`),
    );
    fc.assert(
      fc.property(typed, (text) => {
        try {
          const at = parseTime(text, now);
          assert.ok(Number.isSafeInteger(at) && at >= 0 && at <= latest);
        } catch (error) {
          assert.ok(hasCode(error, "invalid", "too_large"));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("an echo", () => {
  test("says the moment in UTC, in the zone, and in a sentence", () => {
    assert.deepEqual(echo(now + 30 * 60_000, "Asia/Seoul", now), {
      utc: "2026-11-15T23:30:00Z",
      local: "2026-11-16T08:30:00+09:00[Asia/Seoul]",
      zone: "Asia/Seoul",
      past: false,
      text: "Mon 16 Nov 2026 08:30:00 Asia/Seoul (in 30 min)",
    });
  });
  test("of a past moment says so", () => {
    const { past, text } = echo(now - 90_000, "UTC", now);
    assert.deepEqual([past, text], [true, "Sun 15 Nov 2026 22:58:30 UTC (1 min 30 s ago)"]);
  });

  const aroundChanges: [utc: string, zone: string, local: string][] = [
    ["2026-03-08T06:59:59Z", "America/New_York", "2026-03-08T01:59:59-05:00[America/New_York]"],
    ["2026-03-08T07:00:00Z", "America/New_York", "2026-03-08T03:00:00-04:00[America/New_York]"],
    ["2026-11-01T05:30:00Z", "America/New_York", "2026-11-01T01:30:00-04:00[America/New_York]"],
    ["2026-11-01T06:30:00Z", "America/New_York", "2026-11-01T01:30:00-05:00[America/New_York]"],
    [
      "2026-04-04T15:00:00Z",
      "Australia/Lord_Howe",
      "2026-04-05T01:30:00+10:30[Australia/Lord_Howe]",
    ],
    ["2026-01-01T00:00:00.005Z", "+05:30", "2026-01-01T05:30:00.005+05:30[+05:30]"],
  ];
  for (const [utc, zone, local] of aroundChanges) {
    test(`of ${utc} in ${zone} is ${local}`, () => {
      assert.equal(echo(Date.parse(utc), zone, now).local, local);
    });
  }
  test("can be typed back, in UTC and in the zone, and is the same moment", () => {
    const zone = fc.constantFrom("UTC", "Asia/Seoul", "America/New_York", "Australia/Lord_Howe");
    fc.assert(
      fc.property(fc.integer({ min: 0, max: latest }), zone, (at, where) => {
        const { utc, local } = echo(at, where, now);
        assert.equal(parseTime(utc, now), at);
        assert.equal(parseTime(local, now), at);
      }),
    );
  });
  test("names months and days in three letters, whatever the machine speaks", () => {
    const words = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((month) =>
      inWords(Date.UTC(2026, month - 1, month), "UTC"),
    );
    assert.deepEqual(
      words.map((each) => each.slice(0, -14)),
      "Thu 1 Jan,Mon 2 Feb,Tue 3 Mar,Sat 4 Apr,Tue 5 May,Sat 6 Jun,Tue 7 Jul,Sat 8 Aug,Wed 9 Sep,Sat 10 Oct,Wed 11 Nov,Sat 12 Dec".split(
        ",",
      ),
    );
  });
});

describe("a distance", () => {
  const table: [ms: number, words: string][] = [
    [0, "now"],
    [999, "now"],
    [-999, "now"],
    [1_000, "in 1 s"],
    [-3_000, "3 s ago"],
    [59_999, "in 59 s"],
    [60_000, "in 1 min"],
    [7_500_000, "in 2 h 5 min"],
    [86_400_000, "in 1 d"],
    [86_461_000, "in 1 d 1 min"],
    [-400 * 86_400_000, "400 d ago"],
  ];
  for (const [ms, words] of table) {
    test(`of ${ms} ms is "${words}"`, () => assert.equal(distance(ms), words));
  }
  test("that is echoed can be typed, and is echoed the same", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 10 ** 12 }), (ms) => {
        const read = parseTime(distance(ms), now) - now;
        assert.ok(read <= ms);
        assert.equal(distance(read), distance(ms));
      }),
    );
  });
});

describe("a span", () => {
  const table: [ms: number, words: string][] = [
    [0, "0 ms"],
    [0.4, "0 ms"],
    [17.9, "17 ms"],
    [999.9, "999 ms"],
    [1_000, "1 s"],
    [90_061_000, "1 d 1 h"],
  ];
  for (const [ms, words] of table) {
    test(`of ${ms} ms is "${words}"`, () => assert.equal(span(ms), words));
  }
});

test("a zone is one that the calendar knows", () => {
  for (const zone of ["UTC", "Asia/Seoul", "America/New_York", "+09:00"]) assert.ok(isZone(zone));
  for (const zone of ["", "Asia/Soul", "KST+9", "../etc/passwd", "x".repeat(100_000)]) {
    assert.ok(!isZone(zone), zone);
  }
});
