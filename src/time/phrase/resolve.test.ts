import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parseTime } from "../times.ts";

function utcOf(text: string, zone: string, localNow: string): string {
  const now = Temporal.PlainDateTime.from(localNow).toZonedDateTime(zone).epochMilliseconds;
  const { at } = parseTime(text, { now, zone });
  return Temporal.Instant.fromEpochMilliseconds(at).toString();
}

describe("when the clocks change", () => {
  const newYork = "America/New_York"; // 8 March 2026 has no 02:00–03:00, 1 November has 01:00 twice
  const berlin = "Europe/Berlin"; // 29 March has no 02:00–03:00, 25 October has 02:00 twice
  const lordHowe = "Australia/Lord_Howe"; // half an hour: 4 October and 5 April
  const kathmandu = "Asia/Kathmandu"; // +05:45, never
  const table: [zone: string, now: string, text: string, utc: string][] = [
    // Jumped over: as long after the jump as it was into it.
    [newYork, "2026-03-07T12:00", "tomorrow 2:30 am", "2026-03-08T07:30:00Z"],
    [newYork, "2026-03-07T12:00", "2026-03-08 02:00", "2026-03-08T07:00:00Z"],
    [newYork, "2026-03-08T01:00", "02:30", "2026-03-08T07:30:00Z"],
    [newYork, "2026-03-07T12:00", "내일 새벽 2시 반", "2026-03-08T07:30:00Z"],
    [berlin, "2026-03-28T12:00", "tomorrow 02:30", "2026-03-29T01:30:00Z"],
    [berlin, "2026-03-28T12:00", "29 march 02:00", "2026-03-29T01:00:00Z"],
    [lordHowe, "2026-10-03T12:00", "tomorrow 02:15", "2026-10-03T15:45:00Z"],
    // Twice: the first.
    [newYork, "2026-10-31T12:00", "tomorrow 1:30 am", "2026-11-01T05:30:00Z"],
    [newYork, "2026-10-31T12:00", "sunday 01:00", "2026-11-01T05:00:00Z"],
    [berlin, "2026-10-24T12:00", "tomorrow 02:30", "2026-10-25T00:30:00Z"],
    [lordHowe, "2026-04-04T12:00", "내일 새벽 1시 45분", "2026-04-04T14:45:00Z"],
    // A day is a day of the calendar, 23 or 25 hours long; an hour is an hour.
    [newYork, "2026-03-07T12:00", "in 1 day", "2026-03-08T16:00:00Z"],
    [newYork, "2026-03-07T12:00", "+24h", "2026-03-08T17:00:00Z"],
    [newYork, "2026-03-07T12:00", "하루 뒤", "2026-03-08T16:00:00Z"],
    [newYork, "2026-03-07T12:00", "in 1 day 1 hour", "2026-03-08T17:00:00Z"],
    [newYork, "2026-10-31T12:00", "in 1 day", "2026-11-01T17:00:00Z"],
    [newYork, "2026-11-01T00:30", "in 2 hours", "2026-11-01T06:30:00Z"],
    [newYork, "2026-03-07T02:30", "in 1 day", "2026-03-08T07:30:00Z"],
    [berlin, "2026-03-28T12:00", "in a week", "2026-04-04T10:00:00Z"],
    [berlin, "2026-10-24T12:00", "tomorrow noon", "2026-10-25T11:00:00Z"],
    [lordHowe, "2026-04-04T12:00", "tomorrow noon", "2026-04-05T01:30:00Z"],
    [lordHowe, "2026-04-04T12:00", "+1h", "2026-04-04T02:00:00Z"],
    // The same for days and hours ago, and for days that have passed.
    [newYork, "2026-03-09T12:00", "yesterday 2:30 am", "2026-03-08T07:30:00Z"],
    [newYork, "2026-03-09T12:00", "어제 새벽 2시 반", "2026-03-08T07:30:00Z"],
    [newYork, "2026-11-02T12:00", "yesterday 1:30 am", "2026-11-01T05:30:00Z"],
    [newYork, "2026-03-08T12:00", "1 day ago", "2026-03-07T17:00:00Z"],
    [newYork, "2026-03-08T12:00", "하루 전", "2026-03-07T17:00:00Z"],
    [newYork, "2026-03-08T12:00", "24 hours ago", "2026-03-07T16:00:00Z"],
    [newYork, "2026-03-08T12:00", "24시간 전", "2026-03-07T16:00:00Z"],
    [newYork, "2026-11-01T12:00", "1 day ago", "2026-10-31T16:00:00Z"],
    [newYork, "2026-11-01T01:30", "1 hour ago", "2026-11-01T04:30:00Z"],
    [berlin, "2026-03-30T12:00", "last sunday 02:30", "2026-03-29T01:30:00Z"],
    [berlin, "2026-03-30T12:00", "지난 일요일 03:00", "2026-03-29T01:00:00Z"],
    [lordHowe, "2026-04-05T12:00", "1 day ago", "2026-04-04T01:00:00Z"],
    [lordHowe, "2026-04-05T12:00", "어제 정오", "2026-04-04T01:00:00Z"],
    // What is assumed of an hour is by the clock too.
    [newYork, "2026-03-08T01:00", "today at 3", "2026-03-08T19:00:00Z"],
    [newYork, "2026-03-08T16:00", "3:30", "2026-03-09T19:30:00Z"],
    [berlin, "2026-10-24T20:00", "내일 2시", "2026-10-25T13:00:00Z"],
    // A weekday of a month, on which clocks change.
    [berlin, "2026-03-01T12:00", "last sunday of march 02:30", "2026-03-29T01:30:00Z"],
    [berlin, "2026-10-01T12:00", "마지막 일요일 02:30", "2026-10-25T00:30:00Z"],
    [newYork, "2026-03-01T12:00", "the second sunday of the month 2:30 am", "2026-03-08T07:30:00Z"],
    [newYork, "2026-11-01T12:00", "첫째 주 일요일 01:30", "2026-12-06T06:30:00Z"],
    [lordHowe, "2026-04-01T12:00", "이번 주 일요일 01:45", "2026-04-04T14:45:00Z"],
    // A weekend whose Saturday has passed, and one with a shorter Sunday.
    [newYork, "2026-03-07T12:00", "this weekend 2:30 am", "2026-03-08T07:30:00Z"],
    [berlin, "2026-10-19T12:00", "이번 주말 정오", "2026-10-24T10:00:00Z"],
    [newYork, "2026-02-22T12:00", "2주 뒤 일요일 02:30", "2026-03-08T07:30:00Z"],
    // The last day of a shorter month.
    [berlin, "2026-03-31T12:00", "1 month ago", "2026-02-28T11:00:00Z"],
    [berlin, "2026-01-31T12:00", "in 1 month", "2026-02-28T11:00:00Z"],
    // Offsets that are no whole hours.
    [kathmandu, "2026-11-16T08:30", "09:00", "2026-11-16T03:15:00Z"],
    [kathmandu, "2026-11-16T08:30", "yesterday 9am", "2026-11-15T03:15:00Z"],
    [kathmandu, "2026-11-16T08:30", "midnight", "2026-11-16T18:15:00Z"],
    [kathmandu, "2026-11-16T00:10", "오늘 밤 12시", "2026-11-16T18:15:00Z"],
    ["+05:45", "2026-11-16T08:30", "09:00", "2026-11-16T03:15:00Z"],
  ];
  for (const [zone, now, text, utc] of table) {
    test(`"${text}" at ${now} in ${zone} is ${utc}`, () => {
      assert.equal(utcOf(text, zone, now), utc);
    });
  }
});

describe("around midnight and the end of a week, month and year", () => {
  const table: [now: string, text: string, utc: string][] = [
    ["2026-11-22T23:59", "tomorrow", "2026-11-23T09:00:00Z"],
    ["2027-01-01T00:00", "yesterday", "2026-12-31T09:00:00Z"],
    ["2026-11-23T00:00", "last sunday", "2026-11-22T09:00:00Z"],
    ["2026-11-22T23:59", "last sunday", "2026-11-15T09:00:00Z"],
    ["2026-11-23T00:00", "last week", "2026-11-16T09:00:00Z"],
    ["2026-11-22T23:59", "last week", "2026-11-09T09:00:00Z"],
    ["2026-11-18T12:00", "last monday", "2026-11-16T09:00:00Z"],
    ["2026-11-18T12:00", "monday last week", "2026-11-09T09:00:00Z"],
    ["2026-11-18T12:00", "지난 월요일", "2026-11-16T09:00:00Z"],
    ["2026-11-18T12:00", "지난주 월요일", "2026-11-09T09:00:00Z"],
    ["2027-01-05T12:00", "the 25th of last month", "2026-12-25T09:00:00Z"],
    // An hour that could be two: today's that is ahead, otherwise when people are awake.
    ["2026-11-16T08:59", "at 9", "2026-11-16T09:00:00Z"],
    ["2026-11-16T09:00", "at 9", "2026-11-16T21:00:00Z"],
    ["2026-11-16T21:00", "at 9", "2026-11-17T09:00:00Z"],
    ["2026-11-16T01:00", "at 3", "2026-11-16T15:00:00Z"],
    ["2026-11-16T15:00", "3시", "2026-11-17T15:00:00Z"],
    ["2026-11-16T20:00", "오늘 9시", "2026-11-16T21:00:00Z"],
    ["2026-11-16T22:00", "오늘 9시", "2026-11-16T09:00:00Z"],
    ["2026-11-16T20:00", "monday at 9", "2026-11-23T09:00:00Z"],
    ["2026-11-16T20:00", "03:00", "2026-11-17T03:00:00Z"],
    ["2026-11-22T23:59", "next monday", "2026-11-23T09:00:00Z"],
    ["2026-11-23T00:00", "next monday", "2026-11-30T09:00:00Z"],
    ["2026-11-22T23:59", "이번주 일요일 낮 12시", "2026-11-22T12:00:00Z"],
    ["2026-11-22T23:59", "다음주 일요일 낮 12시", "2026-11-29T12:00:00Z"],
    ["2026-11-16T09:00", "09:00", "2026-11-17T09:00:00Z"],
    ["2026-11-16T08:59", "09:00", "2026-11-16T09:00:00Z"],
    ["2026-11-16T00:30", "밤 1시", "2026-11-16T01:00:00Z"],
    ["2026-11-16T00:30", "오늘 밤 1시", "2026-11-17T01:00:00Z"],
    ["2026-11-16T00:00", "midnight", "2026-11-17T00:00:00Z"],
    ["2026-11-16T21:00", "tonight", "2026-11-16T20:00:00Z"],
    ["2026-11-16T19:00", "end of day", "2026-11-17T18:00:00Z"],
    ["2026-12-31T12:00", "tomorrow", "2027-01-01T09:00:00Z"],
    ["2026-12-31T12:00", "31 dec 9am", "2027-12-31T09:00:00Z"],
    ["2027-01-31T12:00", "the 31st at 09:00", "2027-03-31T09:00:00Z"],
    ["2027-01-31T12:00", "the 3rd of next month at 09:00", "2027-02-03T09:00:00Z"],
    ["2028-03-01T12:00", "29 feb", "2032-02-29T09:00:00Z"],
    ["2028-03-01T12:00", "2/29", "2032-02-29T09:00:00Z"],
    ["2026-12-25T12:00", "12/25", "2027-12-25T09:00:00Z"],
    ["2026-12-25T08:00", "25.12.", "2026-12-25T09:00:00Z"],
    ["2027-01-31T08:00", "말일", "2027-01-31T09:00:00Z"],
    ["2027-01-31T12:00", "말일", "2027-02-28T09:00:00Z"],
    ["2027-01-31T12:00", "end of month", "2027-02-28T09:00:00Z"],
    ["2027-12-31T12:00", "월말", "2028-01-31T09:00:00Z"],
    ["2026-11-27T12:00", "마지막 금요일", "2026-12-25T09:00:00Z"],
    ["2026-11-27T08:00", "the last friday of the month", "2026-11-27T09:00:00Z"],
    ["2026-12-31T12:00", "첫째 금요일", "2027-01-01T09:00:00Z"],
    ["2026-11-21T12:00", "this weekend", "2026-11-22T09:00:00Z"],
    ["2026-11-22T12:00", "this weekend", "2026-11-22T09:00:00Z"],
    ["2026-11-22T12:00", "다음 주말", "2026-11-28T09:00:00Z"],
    ["2026-11-18T12:00", "2주 후 월요일", "2026-11-30T09:00:00Z"],
    ["2026-11-22T12:00", "monday in a week", "2026-11-23T09:00:00Z"],
    ["2097-01-01T12:00", "29 feb", "2104-02-29T09:00:00Z"],
  ];
  for (const [now, text, utc] of table) {
    test(`"${text}" at ${now} is ${utc}`, () => assert.equal(utcOf(text, "UTC", now), utc));
  }
});

test("a time of day or a weekday alone is the next one", () => {
  const when = fc.record({
    now: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    zone: fc.constantFrom("UTC", "Asia/Seoul", "America/New_York", "Australia/Lord_Howe"),
    hour: fc.integer({ min: 0, max: 23 }),
    weekday: fc.constantFrom(
      ..."monday tuesday wednesday thursday friday saturday sunday".split(" "),
    ),
  });
  fc.assert(
    fc.property(when, ({ now, zone, hour, weekday }) => {
      const clock = `${String(hour).padStart(2, "0")}:30`;
      for (const [text, days] of [
        [clock, 1],
        [`${weekday} ${clock}`, 7],
      ] as const) {
        const { at } = parseTime(text, { now, zone });
        // An hour more: a day on which clocks go back has 25.
        assert.ok(at > now && at <= now + (days * 24 + 1) * 3_600_000, text);
      }
    }),
  );
});

test("an hour that could be two is the next of one of them, and awake on any other day", () => {
  const when = fc.record({
    now: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    zone: fc.constantFrom("UTC", "Asia/Seoul", "America/New_York", "Australia/Lord_Howe"),
    hour: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(when, ({ now, zone, hour }) => {
      const read = (text: string) => {
        const { at } = parseTime(text, { now, zone });
        return { at, local: Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone) };
      };
      const { at, local } = read(`${hour}:30`);
      assert.ok(at > now && at <= now + 25 * 3_600_000);
      const isToday = local
        .toPlainDate()
        .equals(Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate());
      const awake = hour < 7 ? hour + 12 : hour;
      assert.ok(local.hour === awake || (isToday && local.hour % 12 === hour), `${hour}`);
      assert.equal(read(`tomorrow ${hour}:30`).local.hour, awake);
    }),
  );
});
