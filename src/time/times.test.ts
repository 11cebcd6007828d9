import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { hasCode } from "../platform/errors.ts";
import type { Language } from "../platform/language.ts";
import { spellings } from "./phrase/scan.ts";
import { distance, echo, inWords, parseTime, span } from "./times.ts";

const now = Date.parse("2026-11-15T23:00:00Z");
const zone = "Asia/Seoul";
const latest = Date.parse("9999-12-31T23:59:59.999Z");
const zones = fc.constantFrom("UTC", "Asia/Seoul", "America/New_York", "Australia/Lord_Howe");
const languages = fc.constantFrom<Language>("en", "ko");

describe("a time with its offset or zone", () => {
  const table: [text: string, utc: string][] = [
    ["2026-12-25T09:00:00+09:00", "2026-12-25T00:00:00.000Z"],
    ["2026-12-25 09:00Z", "2026-12-25T09:00:00.000Z"],
    ["2026-12-25 09:00 +09:00", "2026-12-25T00:00:00.000Z"],
    ["20261225T0900Z", "2026-12-25T09:00:00.000Z"],
    ["2026-12-25T09:00[Asia/Seoul]", "2026-12-25T00:00:00.000Z"],
    ["2026-12-25T09:00[America/New_York]", "2026-12-25T14:00:00.000Z"],
    ["2026-12-25T09:00+09:00[Asia/Seoul]", "2026-12-25T00:00:00.000Z"],
    ["２０２６－１２－２５　０９：００＋０９：００", "2026-12-25T00:00:00.000Z"],
    ["2020-01-01T00:00Z", "2020-01-01T00:00:00.000Z"],
    ["1970-01-01T00:00Z", "1970-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
    // A part of a millisecond counts as a whole one: never early.
    ["2026-12-25T09:00:00.000000001Z", "2026-12-25T09:00:00.001Z"],
    ["2026-12-25T09:00:00.000000001", "2026-12-25T00:00:00.001Z"],
    // 02:30 does not exist on this day, and 01:30 comes twice on that one.
    ["2026-03-08T02:30[America/New_York]", "2026-03-08T07:30:00.000Z"],
    ["2026-11-01T01:30[America/New_York]", "2026-11-01T05:30:00.000Z"],
    ["2026-11-01T01:30-05:00[America/New_York]", "2026-11-01T06:30:00.000Z"],
  ];
  for (const [text, utc] of table) {
    test(`${JSON.stringify(text)} is ${utc}`, () => {
      assert.equal(new Date(parseTime(text, { now, zone }).at).toISOString(), utc);
    });
  }
});

test("a length from now adds its units, in any spelling", () => {
  const length = fc.record({ h: fc.nat(99), min: fc.nat(99), s: fc.nat(99), ms: fc.nat(999) });
  fc.assert(
    fc.property(length, zones, ({ h, min, s, ms }, zone) => {
      const at = now + ((h * 60 + min) * 60 + s) * 1_000 + ms;
      for (const text of [
        `+${h}h${min}m${s}s${ms}ms`,
        `in ${h} hours, ${min} minutes, ${s} seconds and ${ms} ms`,
        `${h}시간 ${min}분 ${s}초 ${ms}밀리초 뒤`,
      ]) {
        assert.deepEqual(parseTime(text, { now, zone }), { at });
      }
    }),
  );
});

test("a length ago takes its units away, in any spelling", () => {
  const length = fc.record({ h: fc.nat(99), min: fc.nat(99), s: fc.nat(99) });
  fc.assert(
    fc.property(length, zones, ({ h, min, s }, zone) => {
      const at = now - ((h * 60 + min) * 60 + s) * 1_000;
      for (const text of [
        `${h}h${min}m${s}s ago`,
        `${h} hours, ${min} minutes and ${s} seconds ago`,
        `${h}시간 ${min}분 ${s}초 전`,
      ]) {
        assert.deepEqual(parseTime(text, { now, zone }), { at });
      }
    }),
  );
});

test("a decimal of a unit is that part of it", () => {
  const hundredths = fc.integer({ min: 0, max: 9_999 });
  const units = fc.constantFrom(["h", 3_600_000], ["min", 60_000], ["초", 1_000]);
  fc.assert(
    fc.property(hundredths, units, (hundredths, [unit, ms]) => {
      const typed = `+${(hundredths / 100).toFixed(2)}${unit}`;
      assert.equal(parseTime(typed, { now, zone }).at - now, (hundredths * ms) / 100);
    }),
  );
});

describe("a time that cannot be read", () => {
  const unreadable = [
    "",
    " ",
    "soon",
    "+",
    "+m",
    "+-5m",
    "-5m",
    "+1.5d",
    "+5 parsecs",
    "+5mm",
    "+0x10m",
    "+٣m",
    "+2²m",
    "+1234567890s",
    "2026-12-25T25:00Z",
    // It would be read as the second before.
    "2016-12-31T23:59:60Z",
    "2026-12-25T09:00+08:00[Asia/Seoul]",
    "2026-12-25T09:00[Mars/Olympus]",
    "2026-12-25T09:00Z[u-ca=japanese]",
    "1794785400000",
    "NaN",
    "__proto__",
    "constructor",
    "+5m; rm -rf /",
    "+5m\u0000",
    "\u001B[2J",
    "ㄴㅐ일",
  ];
  const impossible = ["2026-02-30T09:00Z", "2026-02-30 09:00", "25:00", "tomorrow 9:75"];
  for (const text of impossible) {
    test(`${JSON.stringify(text)} is refused as impossible, not as unreadable`, () => {
      assert.throws(() => parseTime(text, { now, zone }), {
        code: "invalid",
        message: /that no (calendar has: correct it|clock shows: write 00:00 to 23:59)\.$/,
      });
    });
  }
  for (const text of unreadable) {
    test(`${JSON.stringify(text)} is refused with examples`, () => {
      assert.throws(
        () => parseTime(text, { now, zone }),
        (error) => {
          assert.ok(hasCode(error, "invalid"));
          assert.match(error.message, /is not a time I can read: .*"\+30m"/);
          assert.doesNotMatch(error.message, /\p{Cc}/u);
          return true;
        },
      );
    });
  }

  const outside = [
    "1969-12-31T23:59:59Z",
    "1969-12-31 23:59",
    "-271821-04-20T00:00Z",
    "+275760-09-13T00:00Z",
    "+010000-01-01T00:00Z",
    "+9999999d",
    "+999999999d 999999999d",
    "+99979500d midnight",
    "9999년 뒤",
  ];
  for (const text of outside) {
    test(`${text} is outside the years 1970 to 9999`, () => {
      assert.throws(
        () => parseTime(text, { now, zone }),
        (error) => hasCode(error, "invalid") && /is not in the years 1970/.test(error.message),
      );
    });
  }
  test("is refused unread when it is long", () => {
    for (const text of [`+${"1".repeat(199)}m`, " ".repeat(10_000_000), "[".repeat(10_000_000)]) {
      assert.throws(
        () => parseTime(text, { now, zone }),
        (error) => hasCode(error, "too_large") && error.message.length < 200,
      );
    }
  });
  test("gives a DaybookError or a time that stores can keep", () => {
    const piece = fc.oneof(
      fc.constantFrom(...spellings, ..."0 1 3 09 12 25 30 2026 T Z [ ] Asia/Seoul".split(" ")),
      fc.nat(99_999).map(String),
    );
    const typed = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(" ")),
      fc.array(piece, { maxLength: 8 }).map((pieces) => `+${pieces.join(" ")}`),
    );
    fc.assert(
      fc.property(typed, zones, (text, zone) => {
        try {
          const { at } = parseTime(text, { now, zone });
          assert.ok(Number.isSafeInteger(at) && at >= 0 && at <= latest);
        } catch (error) {
          assert.ok(hasCode(error, "invalid", "too_large"), String(error));
        }
      }),
      { numRuns: 3_000 },
    );
  });
  test("is read or refused alike with more spaces", () => {
    const words = fc.array(fc.constantFrom(...spellings, "9", "10:30", "2026", "25"), {
      minLength: 1,
      maxLength: 5,
    });
    const read = (text: string): unknown => {
      try {
        return parseTime(text, { now, zone });
      } catch (error) {
        return hasCode(error, "invalid") ? error.message : error;
      }
    };
    fc.assert(
      fc.property(words, fc.constantFrom("  ", "\t", " \n ", "\u3000"), (words, space) => {
        assert.deepEqual(read(` ${words.join(space)}${space}`), read(words.join(" ")));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("an echo", () => {
  const at = Date.parse("2026-11-17T00:00:00Z");
  const half = { zone, now: at - 30_600_000 };
  test("has the time in UTC, in the zone, and as a sentence", () => {
    assert.deepEqual(echo(at, { ...half, language: "en" }), {
      utc: "2026-11-17T00:00:00Z",
      local: "2026-11-17T09:00:00+09:00[Asia/Seoul]",
      zone: "Asia/Seoul",
      past: false,
      text: "Tue 17 Nov 2026 09:00 Asia/Seoul (in 8 h 30 min)",
    });
  });
  test("has a Korean sentence", () => {
    assert.equal(
      echo(at, { ...half, language: "ko" }).text,
      "2026년 11월 17일 (화) 오전 9:00, Asia/Seoul (8시간 30분 뒤)",
    );
  });
  test("shows the assumption", () => {
    const asked = parseTime("tomorrow", { now, zone });
    assert.deepEqual(asked, { at, assumed: "09:00" });
    assert.equal(
      echo(at, { ...half, language: "en", assumed: asked.assumed }).text,
      "Tue 17 Nov 2026 09:00 Asia/Seoul (in 8 h 30 min; 09:00 assumed)",
    );
    assert.equal(
      echo(at, { ...half, language: "ko", assumed: asked.assumed }).text,
      "2026년 11월 17일 (화) 오전 9:00, Asia/Seoul (8시간 30분 뒤, 기본 시각 09:00)",
    );
  });
  test("says what to write for the other half of the day", () => {
    const text = (typed: string, language: Language): string => {
      const { at, ...guess } = parseTime(typed, { now, zone, language });
      return echo(at, { zone, now, language, ...guess }).text;
    };
    assert.deepEqual(
      [text("tomorrow 3", "en"), text("내일 9시 반", "en"), text("내일 3시", "ko")],
      [
        "Tue 17 Nov 2026 15:00 Asia/Seoul (in 1 d 7 h; 15:00 assumed; write 3 am for the morning)",
        "Tue 17 Nov 2026 09:30 Asia/Seoul (in 1 d 1 h; 09:30 assumed; write 9:30 pm for the evening)",
        '2026년 11월 17일 (화) 오후 3:00, Asia/Seoul (1일 7시간 뒤, 읽은 시각 15:00, 오전이라면 "오전 3시"처럼 쓰세요)',
      ],
    );
    assert.doesNotMatch(text("tomorrow 03:00", "en"), /assumed/);
  });
  test("names an alternative that is read as the other half of the same day", () => {
    const hours = fc.record({ hour: fc.integer({ min: 1, max: 9 }), minute: fc.nat(59) });
    fc.assert(
      fc.property(hours, zones, languages, ({ hour, minute }, zone, language) => {
        const typed = `tomorrow ${hour}:${String(minute).padStart(2, "0")}`;
        const { at, instead = "" } = parseTime(typed, { now, zone, language });
        const other = parseTime(`tomorrow ${instead}`, { now, zone });
        assert.equal(other.assumed, undefined);
        assert.equal(Math.abs(other.at - at), 12 * 3_600_000);
      }),
    );
  });
  test("of a past time is marked as past, with seconds when there are any", () => {
    const about = { zone: "UTC", now };
    assert.deepEqual(
      (["en", "ko"] as const).map((language) => {
        const { past, text } = echo(now - 90_000, { ...about, language });
        return [past, text];
      }),
      [
        [true, "Sun 15 Nov 2026 22:58:30 UTC (1 min 30 s ago)"],
        [true, "2026년 11월 15일 (일) 오후 10:58:30, UTC (1분 30초 전)"],
      ],
    );
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
      assert.equal(echo(Date.parse(utc), { zone, now, language: "en" }).local, local);
    });
  }
  test("can be typed again, in UTC and in the zone, as the same time", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: latest }), zones, languages, (at, zone, language) => {
        const { utc, local } = echo(at, { zone, now, language });
        assert.deepEqual(parseTime(utc, { now, zone: "Asia/Kathmandu" }), { at });
        assert.deepEqual(parseTime(local, { now, zone: "Asia/Kathmandu" }), { at });
      }),
    );
  });
});

describe("a rendered time", () => {
  test("names months and days in the language, independent of the locale", () => {
    const words = (language: Language): string[] =>
      Array.from({ length: 12 }, (_, month) =>
        inWords(Date.UTC(2026, month, month + 1, month * 2), "UTC", language),
      );
    assert.deepEqual(
      words("en").map((each) => each.slice(0, -14)),
      "Thu 1 Jan,Mon 2 Feb,Tue 3 Mar,Sat 4 Apr,Tue 5 May,Sat 6 Jun,Tue 7 Jul,Sat 8 Aug,Wed 9 Sep,Sat 10 Oct,Wed 11 Nov,Sat 12 Dec".split(
        ",",
      ),
    );
    assert.deepEqual(
      words("ko")
        .filter((_, month) => month % 3 === 0)
        .map((each) => each.slice("2026년 ".length)),
      [
        "1월 1일 (목) 오전 12:00:00",
        "4월 4일 (토) 오전 6:00:00",
        "7월 7일 (화) 오후 12:00:00",
        "10월 10일 (토) 오후 6:00:00",
      ],
    );
  });
  test("can be typed again as the same second", () => {
    const seconds = fc.integer({ min: 0, max: Math.floor(latest / 1_000) });
    fc.assert(
      fc.property(seconds, languages, (second, language) => {
        const text = inWords(second * 1_000, zone, language);
        // The last hours of 9999 are already in the year after, east of Greenwich.
        fc.pre(!text.includes("10000"));
        assert.deepEqual(parseTime(text, { now, zone }), { at: second * 1_000 });
      }),
    );
  });
});

describe("a distance", () => {
  const table: [ms: number, english: string, korean: string][] = [
    [0, "now", "지금"],
    [999, "now", "지금"],
    [-999, "now", "지금"],
    [1_000, "in 1 s", "1초 뒤"],
    [-3_000, "3 s ago", "3초 전"],
    [59_999, "in 59 s", "59초 뒤"],
    [60_000, "in 1 min", "1분 뒤"],
    [7_500_000, "in 2 h 5 min", "2시간 5분 뒤"],
    [86_400_000, "in 1 d", "1일 뒤"],
    [86_461_000, "in 1 d 1 min", "1일 1분 뒤"],
    [-400 * 86_400_000, "400 d ago", "400일 전"],
  ];
  for (const [ms, english, korean] of table) {
    test(`of ${ms} ms is "${english}", "${korean}"`, () => {
      assert.deepEqual([distance(ms), distance(ms, "ko")], [english, korean]);
    });
  }
  test("can be typed again, and is rendered the same", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 10 ** 12 }), languages, (ms, language) => {
        for (const far of [ms, -ms]) {
          const read = parseTime(distance(far, language), { now, zone }).at - now;
          assert.ok(Math.abs(read) <= ms);
          assert.equal(distance(read, language), distance(far, language));
        }
      }),
    );
  });
});

describe("a span", () => {
  const table: [ms: number, english: string, korean: string][] = [
    [0, "0 ms", "0밀리초"],
    [0.4, "0 ms", "0밀리초"],
    [17.9, "17 ms", "17밀리초"],
    [999.9, "999 ms", "999밀리초"],
    [1_000, "1 s", "1초"],
    [90_061_000, "1 d 1 h", "1일 1시간"],
  ];
  for (const [ms, english, korean] of table) {
    test(`of ${ms} ms is "${english}", "${korean}"`, () => {
      assert.deepEqual([span(ms), span(ms, "ko")], [english, korean]);
    });
  }
});
