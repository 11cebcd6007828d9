import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hasCode } from "../../platform/errors.ts";
import { parseTime } from "../times.ts";

const zone = "Asia/Seoul";
/** A Monday. */
const now = Temporal.PlainDateTime.from("2026-11-16T08:30")
  .toZonedDateTime(zone)
  .toInstant().epochMilliseconds;

function local(text: string): string {
  const { at, assumed, instead } = parseTime(text, { now, zone });
  const said = Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString(at % 60_000 === 0 ? { smallestUnit: "minute" } : {});
  const other = instead === undefined ? "" : `, or ${instead}`;
  return assumed === undefined ? said : `${said}, ${assumed} assumed${other}`;
}

describe("on Monday 16 November 2026 at 08:30", () => {
  const table: [text: string, local: string][] = [
    // From now.
    ["now", "2026-11-16T08:30"],
    ["right now", "2026-11-16T08:30"],
    ["+0s", "2026-11-16T08:30"],
    ["+30m", "2026-11-16T09:00"],
    ["+ 90 s", "2026-11-16T08:31:30"],
    ["+1ms", "2026-11-16T08:30:00.001"],
    ["+1h30m", "2026-11-16T10:00"],
    ["+2d", "2026-11-18T08:30"],
    ["in 30m", "2026-11-16T09:00"],
    ["in 30 minutes", "2026-11-16T09:00"],
    ["In 30 Mins", "2026-11-16T09:00"],
    ["in 2 h 5 min", "2026-11-16T10:35"],
    ["in 2 hours and 5 minutes", "2026-11-16T10:35"],
    ["in 2 hours, 5 minutes", "2026-11-16T10:35"],
    ["in two hours", "2026-11-16T10:30"],
    ["in an hour", "2026-11-16T09:30"],
    ["in a minute", "2026-11-16T08:31"],
    ["in half an hour", "2026-11-16T09:00"],
    ["half an hour from now", "2026-11-16T09:00"],
    ["in a half hour", "2026-11-16T09:00"],
    ["in an hour and a half", "2026-11-16T10:00"],
    ["in two and a half hours", "2026-11-16T11:00"],
    ["in one minute and a half", "2026-11-16T08:31:30"],
    ["in twenty-five minutes", "2026-11-16T08:55"],
    ["in forty five minutes", "2026-11-16T09:15"],
    ["in eleven hours", "2026-11-16T19:30"],
    ["after 10 minutes", "2026-11-16T08:40"],
    ["2 hours from now", "2026-11-16T10:30"],
    ["45 min later", "2026-11-16T09:15"],
    ["in 3 days", "2026-11-19T08:30"],
    ["in a week", "2026-11-23T08:30"],
    ["in 2 weeks", "2026-11-30T08:30"],
    ["in a month", "2026-12-16T08:30"],
    ["in 1 year", "2027-11-16T08:30"],
    ["in 3 days at 9am", "2026-11-19T09:00"],
    ["at noon in 3 days", "2026-11-19T12:00"],
    ["in a week in the evening", "2026-11-23T18:00, 18:00 assumed"],

    // A time of day is the next one.
    ["09:30", "2026-11-16T09:30"],
    ["08:30", "2026-11-17T08:30"],
    ["08:00", "2026-11-17T08:00"],
    ["at 23:59:59", "2026-11-16T23:59:59"],
    ["00:00", "2026-11-17T00:00"],
    ["24:00", "2026-11-17T00:00"],
    ["9am", "2026-11-16T09:00"],
    ["9 AM", "2026-11-16T09:00"],
    ["8am", "2026-11-17T08:00"],
    ["9 a.m.", "2026-11-16T09:00"],
    ["3:15 pm", "2026-11-16T15:15"],
    ["12am", "2026-11-17T00:00"],
    ["12pm", "2026-11-16T12:00"],
    ["12:30 am", "2026-11-17T00:30"],
    ["nine pm", "2026-11-16T21:00"],
    ["10 o'clock", "2026-11-16T10:00"],
    ["at 9", "2026-11-16T09:00, 09:00 assumed, or 9 pm"],
    // Of the two it could be, the one awake; today, the one that is still ahead.
    ["at 5", "2026-11-16T17:00, 17:00 assumed, or 5 am"],
    ["5:30", "2026-11-16T17:30, 17:30 assumed, or 5:30 am"],
    ["at 3:15:20", "2026-11-16T15:15:20, 15:15 assumed, or 3:15:20 am"],
    ["7:30", "2026-11-16T19:30, 19:30 assumed, or 7:30 am"],
    ["today at 8", "2026-11-16T20:00, 20:00 assumed, or 8 am"],
    ["today at 3", "2026-11-16T15:00, 15:00 assumed, or 3 am"],
    ["tomorrow at 3", "2026-11-17T15:00, 15:00 assumed, or 3 am"],
    ["tomorrow 3", "2026-11-17T15:00, 15:00 assumed, or 3 am"],
    ["3 tomorrow", "2026-11-17T15:00, 15:00 assumed, or 3 am"],
    ["tomorrow 9", "2026-11-17T09:00, 09:00 assumed, or 9 pm"],
    ["tomorrow 12", "2026-11-17T12:00"],
    ["tomorrow 15", "2026-11-17T15:00"],
    ["tomorrow 03", "2026-11-17T03:00"],
    ["tomorrow 03:00", "2026-11-17T03:00"],
    ["friday 3", "2026-11-20T15:00, 15:00 assumed, or 3 am"],
    ["dec 25 at 6", "2026-12-25T18:00, 18:00 assumed, or 6 am"],
    ["at 11", "2026-11-16T11:00"],
    ["noon", "2026-11-16T12:00"],
    ["half past nine", "2026-11-16T09:30, 09:30 assumed, or 9:30 pm"],
    ["tomorrow at half past 3", "2026-11-17T15:30, 15:30 assumed, or 3:30 am"],
    ["half past nine in the evening", "2026-11-16T21:30"],
    ["a quarter past 10", "2026-11-16T10:15"],
    ["quarter past three pm", "2026-11-16T15:15"],
    ["noon on Friday", "2026-11-20T12:00"],
    ["midnight", "2026-11-17T00:00"],
    ["end of day", "2026-11-16T18:00, 18:00 assumed"],
    ["eod", "2026-11-16T18:00, 18:00 assumed"],
    ["12 at night", "2026-11-17T00:00"],
    ["2 in the morning", "2026-11-17T02:00"],
    ["in the evening", "2026-11-16T18:00, 18:00 assumed"],

    // Decimals of an hour or less.
    ["in 1.5h", "2026-11-16T10:00"],
    ["+2.25 hours", "2026-11-16T10:45"],
    ["0.5 min later", "2026-11-16T08:30:30"],
    ["in 1.5 s", "2026-11-16T08:30:01.5"],
    ["in 1 day 1.5 h", "2026-11-17T10:00"],

    // Ago: hours exactly, days at the same time of day.
    ["3 days ago", "2026-11-13T08:30"],
    ["2 hours ago", "2026-11-16T06:30"],
    ["1.5h ago", "2026-11-16T07:00"],
    ["an hour and a half ago", "2026-11-16T07:00"],
    ["a week ago", "2026-11-09T08:30"],
    ["2 months ago", "2026-09-16T08:30"],
    ["3 days ago at 9pm", "2026-11-13T21:00"],

    // A day that has passed.
    ["yesterday", "2026-11-15T09:00, 09:00 assumed"],
    ["yesterday 9am", "2026-11-15T09:00"],
    ["9am yesterday", "2026-11-15T09:00"],
    ["yesterday at 3", "2026-11-15T15:00, 15:00 assumed, or 3 am"],
    ["yesterday evening", "2026-11-15T18:00, 18:00 assumed"],
    ["last night", "2026-11-15T20:00, 20:00 assumed"],
    ["last night at 11", "2026-11-15T23:00"],
    ["the day before yesterday 10:00", "2026-11-14T10:00"],
    ["last monday", "2026-11-09T09:00, 09:00 assumed"],
    ["last friday at 17:00", "2026-11-13T17:00"],
    ["last sunday 10:00", "2026-11-15T10:00"],
    ["friday last week 10:00", "2026-11-13T10:00"],
    ["last week", "2026-11-09T09:00, 2026-11-09 09:00 assumed"],
    ["the 3rd of last month at 10:00", "2026-10-03T10:00"],

    // A day, with or without a time.
    ["today 18:00", "2026-11-16T18:00"],
    ["today 8am", "2026-11-16T08:00"],
    ["6pm today", "2026-11-16T18:00"],
    ["this morning", "2026-11-16T08:00, 08:00 assumed"],
    ["this afternoon", "2026-11-16T15:00, 15:00 assumed"],
    ["this evening at 7", "2026-11-16T19:00"],
    ["tonight", "2026-11-16T20:00, 20:00 assumed"],
    ["at 8 tonight", "2026-11-16T20:00"],
    ["tonight at 11:30", "2026-11-16T23:30"],
    ["tonight 1:00", "2026-11-17T01:00"],
    ["tonight at midnight", "2026-11-17T00:00"],
    ["tomorrow", "2026-11-17T09:00, 09:00 assumed"],
    ["tomorrow 9am", "2026-11-17T09:00"],
    ["9am tomorrow", "2026-11-17T09:00"],
    ["tomorrow, 9am", "2026-11-17T09:00"],
    ["tomorrow at nine in the evening", "2026-11-17T21:00"],
    ["tomorrow morning", "2026-11-17T08:00, 08:00 assumed"],
    ["tomorrow night at 12", "2026-11-18T00:00"],
    ["tomorrow midnight", "2026-11-18T00:00, 24:00 assumed"],
    ["tmrw 17:45", "2026-11-17T17:45"],
    ["day after tomorrow 08:00", "2026-11-18T08:00"],
    ["the day after tomorrow", "2026-11-18T09:00, 09:00 assumed"],

    // A weekday is the next one.
    ["friday", "2026-11-20T09:00, 09:00 assumed"],
    ["this friday", "2026-11-20T09:00, 09:00 assumed"],
    ["on friday at 5pm", "2026-11-20T17:00"],
    ["5pm on Friday", "2026-11-20T17:00"],
    ["fri 17:00", "2026-11-20T17:00"],
    ["monday", "2026-11-16T09:00, 09:00 assumed"],
    ["monday 08:00", "2026-11-23T08:00"],
    ["next monday 10:00", "2026-11-23T10:00"],
    ["next friday", "2026-11-27T09:00, 09:00 assumed"],
    ["friday this week 10:00", "2026-11-20T10:00"],
    ["tuesday next week at noon", "2026-11-24T12:00"],
    ["next week on tuesday at noon", "2026-11-24T12:00"],
    ["next week", "2026-11-23T09:00, 2026-11-23 09:00 assumed"],
    ["next week 10:00", "2026-11-23T10:00, 2026-11-23 10:00 assumed"],
    ["this weekend", "2026-11-21T09:00, 2026-11-21 09:00 assumed"],
    ["next weekend at noon", "2026-11-28T12:00, 2026-11-28 12:00 assumed"],
    ["last weekend at 10:00", "2026-11-15T10:00, 2026-11-15 10:00 assumed"],
    ["monday in 2 weeks", "2026-11-30T09:00, 09:00 assumed"],
    ["in a week on friday at 10:00", "2026-11-27T10:00"],
    ["2 weeks ago on monday at noon", "2026-11-02T12:00"],

    // A date without a year is the next one.
    ["dec 25", "2026-12-25T09:00, 09:00 assumed"],
    ["Dec. 25th", "2026-12-25T09:00, 09:00 assumed"],
    ["25 December 2026 at noon", "2026-12-25T12:00"],
    ["december 25, 2026 6pm", "2026-12-25T18:00"],
    ["on the 25th of december at 09:00", "2026-12-25T09:00"],
    ["Fri 25 Dec 2026 09:00", "2026-12-25T09:00"],
    ["dec25 9am", "2026-12-25T09:00"],
    ["nov 16 9am", "2026-11-16T09:00"],
    ["nov 16 8am", "2027-11-16T08:00"],
    ["nov 16 2026 8am", "2026-11-16T08:00"],
    ["march 1", "2027-03-01T09:00, 09:00 assumed"],
    ["feb 29", "2028-02-29T09:00, 09:00 assumed"],
    ["the 20th at 10:00", "2026-11-20T10:00"],
    ["the 3rd at 10:00", "2026-12-03T10:00"],
    ["the 31st", "2026-12-31T09:00, 09:00 assumed"],
    ["the 3rd of next month at 10:00", "2026-12-03T10:00"],
    ["Dec 25 at 9", "2026-12-25T09:00, 09:00 assumed, or 9 pm"],
    ["12/25 9:00", "2026-12-25T09:00, 09:00 assumed, or 9 pm"],
    ["12/25 at noon", "2026-12-25T12:00"],
    ["25/12", "2026-12-25T09:00, 09:00 assumed"],
    ["12/12", "2026-12-12T09:00, 09:00 assumed"],
    ["12/25/2027 9am", "2027-12-25T09:00"],
    ["25/12/2027", "2027-12-25T09:00, 09:00 assumed"],
    ["25.12. 9:00", "2026-12-25T09:00, 09:00 assumed, or 9 pm"],
    ["25.12.2027 17:00", "2027-12-25T17:00"],
    ["the last day of the month", "2026-11-30T09:00, 09:00 assumed"],
    ["last day of february at noon", "2027-02-28T12:00"],
    ["end of month", "2026-11-30T09:00, 09:00 assumed"],
    ["the end of the month at 5pm", "2026-11-30T17:00"],
    ["end of next month", "2026-12-31T09:00, 09:00 assumed"],
    ["end of february 2028", "2028-02-29T09:00, 09:00 assumed"],
    ["eom 17:00", "2026-11-30T17:00"],
    ["the last Friday of the month at 5pm", "2026-11-27T17:00"],
    ["first monday of the month", "2026-12-07T09:00, 09:00 assumed"],
    ["the third monday of this month at 9am", "2026-11-16T09:00"],
    ["the 2nd tuesday of next month", "2026-12-08T09:00, 09:00 assumed"],
    ["first monday of september 2027 10:00", "2027-09-06T10:00"],
    ["the fifth friday of the month", "2027-01-29T09:00, 09:00 assumed"],
    ["2026-12-25", "2026-12-25T09:00, 09:00 assumed"],
    ["2026-12-25 9pm", "2026-12-25T21:00"],
    ["2026/12/25 09:00", "2026-12-25T09:00"],
    ["2026-12-25 24:00", "2026-12-26T00:00"],
    ["2026-12-25 09:00", "2026-12-25T09:00"],
    ["2026-12-25T09:00", "2026-12-25T09:00"],
    ["2026-12-25t09:00:30", "2026-12-25T09:00:30"],
  ];
  for (const [text, expected] of table) {
    test(`"${text}" is ${expected}`, () => {
      assert.equal(local(text), expected);
      assert.equal(local(`  ${text.replaceAll(" ", " \t ")} `), expected);
      assert.equal(local(text.toUpperCase()), expected);
    });
    test(`"${text}" with an extra word is refused`, () => {
      for (const more of ["or so", "x", "-", "at", "?", "99", "tomorrow tomorrow"]) {
        assert.throws(
          () => local(`${text} ${more}`),
          (error) => hasCode(error, "invalid"),
          more,
        );
      }
    });
  }
});

describe("an ambiguous text is refused, with unambiguous ones", () => {
  const table: [text: string, advice: RegExp][] = [
    ["30m", /is a length, not a time: write "in 30m" or "30m ago"/],
    ["2 hours", /write "in 2 hours"/],
    ["half an hour", /write "in half an hour"/],
    ["3/4", /could be 2027-03-04 or 2027-04-03: write the one that you mean/],
    ["3/4 9am", /could be 2027-03-04 or 2027-04-03/],
    ["11/12", /could be 2026-12-11 or 2027-11-12/],
    ["3/4/2027", /could be 2027-03-04 or 2027-04-03/],
    ["5.6. 9:00", /could be 2027-05-06 or 2027-06-05/],
    ["3.4.2027", /could be 2027-03-04 or 2027-04-03/],
    // A time, a range of hours, or a date.
    ["12.25", /write it as "25 dec", .* or "2026-12-25"/],
    ["9.30", /write it as "25 dec"/],
    ["12-25", /write it as "25 dec"/],
    ["9-17", /write it as "25 dec"/],
    ["13/13", /write it as "25 dec"/],
    ["12/25/26", /write it as "25 dec"/],
    ["every day 9am", /comes again and again: write one time, such as "tomorrow 9am"/],
    ["every other tuesday", /comes again and again/],
    ["weekends", /comes again and again/],
    ["today", /needs a time: write it as "today 18:00"/],
    ["Thu 25 Dec 2026", /has a weekday that 2026-12-25 is not/],
    ["mon 16 nov 8am", /has a weekday that 2027-11-16 is not/],
    ["feb 30", /has a day that no calendar has/],
    ["2026-13-01", /has a day that no calendar has/],
    ["2/30", /has a day that no calendar has/],
    ["the fifth monday of february 2027", /has a day that no calendar has/],
    ["the fifth friday of this month", /has a day that no calendar has/],
    ["tomorow 9am", /did you mean "tomorrow"\?/],
    ["nxt monday", /did you mean "next"\?/],
  ];
  for (const [text, advice] of table) {
    test(`"${text}"`, () => {
      assert.throws(
        () => local(text),
        (error) => hasCode(error, "invalid") && advice.test(error.message),
      );
    });
  }
});

describe("a text that is not a time is refused", () => {
  const table = [
    "soon",
    "later",
    "in",
    "in 5",
    "in the",
    "after 5pm",
    "in 2 hours at 9am",
    "in 2 hours later",
    "9",
    "2 days 9am",
    "friday 13",
    "dec 25 9",
    "next week 3",
    "in 3 days 9",
    "at",
    "on",
    "next",
    "this week",
    "this",
    "pm 13 am",
    "13 am",
    "25:00",
    "09:60",
    "9:5",
    "24:01",
    "at 100",
    "tomorrow friday",
    "tomorrow in 2 days",
    "9am 10am",
    "9 am pm",
    "12 in the morning",
    "noon am",
    "midnight am",
    "3 in the night morning",
    "ten five minutes from now",
    "in a",
    "in half",
    "in a week and a half",
    "in one half hour",
    "in 2 hours and",
    "a pm",
    "every day",
    "ago",
    "in 3 days ago",
    "3 days ago later",
    "half past ago",
    "last",
    "last day",
    "the last day",
    "end of",
    "end of week",
    "end of 2026",
    "first monday",
    "the second friday",
    "third monday of tuesday",
    "half past",
    "half past noon",
    "half past 9:15",
    "quarter of nine",
    "half nine",
    "weekend",
    "this weekend friday",
    "in 2 weeks next monday",
    "in 2 days on monday",
    "12/25.",
    "25.12.9",
    "3 hours ago at 9am",
    "1.5 days ago",
    "in 1.5 weeks",
    "in 1.5",
    "in 1. h",
    "in .5 h",
    "in 1.5.5 h",
    "in 1.5 hours and a half yesterday",
    "december",
    "december 2026",
    "32 december",
    "dec 0",
    "9amtomorrow",
    "in 1,000 s",
  ];
  for (const text of table) {
    test(`"${text}"`, () => {
      assert.throws(
        () => local(text),
        (error) => hasCode(error, "invalid"),
      );
    });
  }
});
