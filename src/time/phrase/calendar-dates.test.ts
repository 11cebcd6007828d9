import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hasCode } from "../../platform/errors.ts";
import { inWords, parseTime } from "../times.ts";

const zones = fc.constantFrom("UTC", "Asia/Seoul", "America/New_York", "Australia/Lord_Howe");
/** From 1970 to 2096. */
const nows = fc.integer({ min: 0, max: 4_000_000_000_000 });
const english = "monday tuesday wednesday thursday friday saturday sunday".split(" ");
const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const ordinals = ["first", "second", "third", "fourth", "fifth"];
const koreanOrdinals = ["첫째", "둘째", "셋째", "넷째", "다섯째"];

type Fits = (date: Temporal.PlainDate) => boolean;

/** A day of the calendar in several spellings, and the days that it can be. */
interface Said {
  readonly texts: readonly string[];
  readonly fits: Fits;
}

const dayOfYear: fc.Arbitrary<Said> = fc
  .record({ month: fc.integer({ min: 1, max: 12 }), day: fc.integer({ min: 1, max: 29 }) })
  .map(({ month, day }) => ({
    texts: [
      `${months[month - 1]} ${day}`,
      `${month}월 ${day}일`,
      // The order is clear only from a number that is no month.
      ...(day > 12 || day === month
        ? [`${month}/${day}`, `${day}/${month}`, `${day}.${month}.`]
        : []),
    ],
    fits: (date) => date.month === month && date.day === day,
  }));

const lastOfMonth: fc.Arbitrary<Said> = fc.constant({
  texts: ["말일", "월말", "end of month", "the last day of the month", "eom"],
  fits: (date) => date.day === date.daysInMonth,
});

const lastOfOneMonth: fc.Arbitrary<Said> = fc.integer({ min: 1, max: 12 }).map((month) => ({
  texts: [`${month}월 말일`, `${month}월 말`, `end of ${months[month - 1]}`],
  fits: (date) => date.month === month && date.day === date.daysInMonth,
}));

const weekdayOfMonth: fc.Arbitrary<Said> = fc
  .record({
    nth: fc.constantFrom(-1, 1, 2, 3, 4, 5),
    weekday: fc.integer({ min: 1, max: 7 }),
    month: fc.option(fc.integer({ min: 1, max: 12 })),
  })
  // A fifth one of February comes once in 28 years.
  .filter(({ nth, month }) => nth !== 5 || month === null)
  .map(({ nth, weekday, month }) => {
    const [en, ko] = nth === -1 ? ["last", "마지막"] : [ordinals[nth - 1], koreanOrdinals[nth - 1]];
    const name = `${"월화수목금토일".charAt(weekday - 1)}요일`;
    const [of, before] =
      month === null ? ["of the month", ""] : [`of ${months[month - 1]}`, `${month}월 `];
    return {
      texts: [
        `the ${en} ${english[weekday - 1]} ${of}`,
        `${before}${ko} ${name}`,
        `${before}${ko} 주 ${name}`,
      ],
      fits: (date: Temporal.PlainDate) =>
        date.dayOfWeek === weekday &&
        (month === null || date.month === month) &&
        (nth === -1 ? date.day + 7 > date.daysInMonth : Math.ceil(date.day / 7) === nth),
    };
  });

const said = fc.oneof(dayOfYear, lastOfMonth, lastOfOneMonth, weekdayOfMonth);

/** Counts day by day, as nobody would write it. */
function nextThatFits(fits: Fits, now: Temporal.ZonedDateTime): number {
  let date = now.toPlainDate();
  for (;;) {
    const at = date.toZonedDateTime({ timeZone: now.timeZoneId, plainTime: "10:00" });
    if (fits(date) && at.epochMilliseconds > now.epochMilliseconds) return at.epochMilliseconds;
    date = date.add({ days: 1 });
  }
}

test("a date without a year or a month is the next day that fits, in every spelling", () => {
  fc.assert(
    fc.property(said, nows, zones, ({ texts, fits }, now, zone) => {
      const next = nextThatFits(
        fits,
        Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone),
      );
      for (const text of texts) {
        const { at } = parseTime(`${text} 10:00`, { now, zone });
        assert.equal(at, next, text);
        const words = inWords(at, zone, "ko");
        assert.equal(parseTime(words, { now, zone }).at, at, words);
      }
    }),
    { numRuns: 150 },
  );
});

test("a date with a year is in that year, and no other day", () => {
  const dates = fc.record({
    year: fc.integer({ min: 1971, max: 2099 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 13, max: 28 }),
  });
  fc.assert(
    fc.property(dates, nows, zones, ({ year, month, day }, now, zone) => {
      for (const text of [
        `${year}-${String(month).padStart(2, "0")}-${day}`,
        `${month}/${day}/${year}`,
        `${day}/${month}/${year}`,
        `${day}.${month}.${year}`,
        `${day} ${months[month - 1]} ${year}`,
        `${year}년 ${month}월 ${day}일`,
      ]) {
        const { at } = parseTime(`${text} 10:00`, { now, zone });
        const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
        assert.deepEqual([local.year, local.month, local.day, local.hour], [year, month, day, 10]);
      }
    }),
  );
});

test("two numbers that are a date in either order are refused, with both dates", () => {
  const small = fc.integer({ min: 1, max: 12 });
  fc.assert(
    fc.property(small, small, nows, zones, (first, second, now, zone) => {
      fc.pre(first !== second);
      for (const text of [`${first}/${second}`, `${first}.${second}.`, `${first}/${second} 9am`]) {
        let sentence = "";
        try {
          parseTime(text, { now, zone });
        } catch (error) {
          assert.ok(hasCode(error, "invalid"));
          sentence = error.message;
        }
        const [, ...read] =
          /could be (\d{4}-\d\d-\d\d) or (\d{4}-\d\d-\d\d): write the one/.exec(sentence) ?? [];
        const days = read.map((each) => Temporal.PlainDate.from(each));
        assert.deepEqual(
          days.map(({ month, day }) => `${month}/${day}`).toSorted(),
          [`${first}/${second}`, `${second}/${first}`].toSorted(),
        );
        for (const each of read) assert.ok(parseTime(each, { now, zone }).at > now - 86_400_000);
      }
    }),
  );
});
