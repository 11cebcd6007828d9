import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readEvent } from "./read.ts";

const now = Date.parse("2026-11-20T00:00:00Z");

/** Busy times as UTC, the day and time of the start and the length in minutes. */
function busy(...events: readonly (readonly string[])[]): readonly string[] {
  const components = events.flatMap((lines) => ["BEGIN:VEVENT", "UID:a@b", ...lines, "END:VEVENT"]);
  const text = ["BEGIN:VCALENDAR", "VERSION:2.0", ...components, "END:VCALENDAR", ""].join("\r\n");
  const found = readEvent(text, { zone: "Asia/Seoul", now });
  assert.ok(found);
  return found.busy.map(({ from, to }) => {
    const start = Temporal.Instant.fromEpochMilliseconds(from).toString({ smallestUnit: "minute" });
    return `${start.slice(5, -1)}+${(to - from) / 60_000}`;
  });
}

const meeting = [
  "DTSTART;TZID=Asia/Seoul:20261120T100000",
  "DTEND;TZID=Asia/Seoul:20261120T110000",
];

describe("busy times", () => {
  test("are those of one event that is not over", () => {
    assert.deepEqual(busy(meeting), ["11-20T01:00+60"]);
    assert.deepEqual(busy(["DTSTART:20261119T233000Z", "DURATION:PT1H"]), ["11-19T23:30+60"]);
    assert.deepEqual(busy(["DTSTART:20261119T233000Z", "DURATION:PT30M"]), []);
    assert.deepEqual(busy(["DTSTART:20270201T000000Z", "DURATION:PT30M"]), []);
  });
  const free: Readonly<Record<string, readonly string[]>> = {
    transparent: [...meeting, "TRANSP:TRANSPARENT"],
    cancelled: [...meeting, "STATUS:CANCELLED"],
    "a whole day": ["DTSTART;VALUE=DATE:20261121", "DTEND;VALUE=DATE:20261122"],
    "without a length": ["DTSTART:20261121T000000Z"],
  };
  for (const [name, lines] of Object.entries(free)) {
    test(`are none of an event that is ${name}`, () => assert.deepEqual(busy(lines), []));
  }
  test("are the occurrences of a series in local time, without the excluded ones", () => {
    const series = [
      "DTSTART;TZID=America/New_York:20261026T090000",
      "DTEND;TZID=America/New_York:20261026T093000",
      "RRULE:FREQ=WEEKLY;COUNT=7",
      "EXDATE;TZID=America/New_York:20261123T090000",
    ];
    assert.deepEqual(busy(series), ["11-30T14:00+30", "12-07T14:00+30"]);
  });
  test("go as far as they are listed for a series without an end", () => {
    const found = busy([...meeting, "RRULE:FREQ=DAILY"]);
    assert.deepEqual(
      [found.length, found[0], found.at(-1)],
      [60, "11-20T01:00+60", "01-18T01:00+60"],
    );
    const old = meeting.map((line) => line.replaceAll("2026", "2001"));
    assert.deepEqual(busy([...old, "RRULE:FREQ=DAILY"]), found);
  });
  test("follow occurrences that were moved, made longer or cancelled", () => {
    const series = [...meeting, "RRULE:FREQ=DAILY;COUNT=4"];
    const moved = [
      "RECURRENCE-ID;TZID=Asia/Seoul:20261121T100000",
      "DTSTART;TZID=Asia/Seoul:20261121T150000",
      "DURATION:PT2H",
    ];
    const cancelled = [
      "RECURRENCE-ID:20261122T010000Z",
      "DTSTART:20261122T010000Z",
      "DURATION:PT1H",
      "STATUS:CANCELLED",
    ];
    const fromFar = [
      "RECURRENCE-ID;TZID=Asia/Seoul:20261123T100000",
      "DTSTART;TZID=Asia/Seoul:20261120T160000",
      "DURATION:PT15M",
    ];
    assert.deepEqual(busy(series, moved, cancelled, fromFar), [
      "11-20T01:00+60",
      "11-20T07:00+15",
      "11-21T06:00+120",
    ]);
  });
  test("have those of an occurrence that was moved here from far ahead", () => {
    const monthly = [
      ...meeting.map((line) => line.replaceAll("202611", "202612")),
      "RRULE:FREQ=MONTHLY",
    ];
    const early = [
      "RECURRENCE-ID;TZID=Asia/Seoul:20270620T100000",
      "DTSTART;TZID=Asia/Seoul:20261201T100000",
      "DURATION:PT1H",
    ];
    assert.deepEqual(busy(monthly, early), ["12-01T01:00+60", "12-20T01:00+60"]);
  });
  test("of a rule that never comes true are none", () => {
    assert.deepEqual(
      busy([...meeting, "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"]).length <= 1,
      true,
    );
  });
  test("of a rule with an occurrence each second are found in a bounded time", () => {
    const old = meeting.map((line) => line.replaceAll("2026", "2001"));
    assert.deepEqual(busy([...old, "RRULE:FREQ=SECONDLY"]), []);
  });
});
