import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hasCode } from "../../platform/errors.ts";
import { parseTime } from "../times.ts";

/** Reads both ends, as clocks in the zone show them. */
function edges(text: string, now: string, zone = "Asia/Seoul"): readonly string[] {
  const at = Temporal.PlainDateTime.from(now).toZonedDateTime(zone).epochMilliseconds;
  return (["start", "end"] as const).map((edge) => {
    const { at: read, assumed } = parseTime(text, { now: at, zone, edge });
    assert.equal(assumed, undefined);
    const local = Temporal.Instant.fromEpochMilliseconds(read).toZonedDateTimeISO(zone);
    return local.toPlainDateTime().toString();
  });
}

const allOf = (day: string): readonly string[] => [`${day}T00:00:00`, `${day}T23:59:59.999`];

describe("an end of a range, on Monday 16 November 2026 at 08:30", () => {
  const days: [text: string, day: string][] = [
    ["2026-11-15", "2026-11-15"],
    ["2026/11/15", "2026-11-15"],
    ["15 nov 2026", "2026-11-15"],
    ["Sun 15 Nov 2026", "2026-11-15"],
    ["today", "2026-11-16"],
    ["tomorrow", "2026-11-17"],
    ["monday", "2026-11-16"],
    ["next monday", "2026-11-23"],
    ["nov 15", "2027-11-15"],
    ["2026년 11월 15일", "2026-11-15"],
    ["2026. 11. 15.", "2026-11-15"],
    ["오늘", "2026-11-16"],
    ["내일", "2026-11-17"],
    ["월요일", "2026-11-16"],
    ["다음주 월요일", "2026-11-23"],
    ["yesterday", "2026-11-15"],
    ["the day before yesterday", "2026-11-14"],
    ["last friday", "2026-11-13"],
    ["last monday", "2026-11-09"],
    ["monday last week", "2026-11-09"],
    ["어제", "2026-11-15"],
    ["그저께", "2026-11-14"],
    ["지난 금요일", "2026-11-13"],
    ["지난주 월요일", "2026-11-09"],
    ["지난달 3일", "2026-10-03"],
    ["12/25", "2026-12-25"],
    ["말일", "2026-11-30"],
    ["last day of october 2026", "2026-10-31"],
    ["지난달 마지막 금요일", "2026-10-30"],
  ];
  for (const [text, day] of days) {
    test(`of "${text}" is the start or the end of that day`, () => {
      assert.deepEqual(edges(text, "2026-11-16T08:30"), allOf(day));
    });
  }
  const moments: [text: string, local: string][] = [
    ["2026-11-15 09:00", "2026-11-15T09:00:00"],
    ["2026-11-15T00:00Z", "2026-11-15T09:00:00"],
    ["tomorrow 3pm", "2026-11-17T15:00:00"],
    ["tomorrow noon", "2026-11-17T12:00:00"],
    ["now", "2026-11-16T08:30:00"],
    ["+2d", "2026-11-18T08:30:00"],
    ["3 days ago", "2026-11-13T08:30:00"],
    ["2 hours ago", "2026-11-16T06:30:00"],
    ["yesterday 9am", "2026-11-15T09:00:00"],
    ["어제 오전 9시", "2026-11-15T09:00:00"],
    ["3일 전", "2026-11-13T08:30:00"],
    ["두 시간 전", "2026-11-16T06:30:00"],
    ["내일 오후 3시", "2026-11-17T15:00:00"],
    ["이틀 뒤", "2026-11-18T08:30:00"],
  ];
  for (const [text, local] of moments) {
    test(`of "${text}" is that time`, () => {
      assert.deepEqual(edges(text, "2026-11-16T08:30"), [local, local]);
    });
  }
});

test("of a week is its first moment on Monday or its last on Sunday", () => {
  for (const text of ["last week", "지난주"]) {
    assert.deepEqual(edges(text, "2026-11-18T08:30"), [
      "2026-11-09T00:00:00",
      "2026-11-15T23:59:59.999",
    ]);
  }
});

test("of a weekend is its first moment on Saturday or its last on Sunday", () => {
  for (const now of ["2026-11-18T08:30", "2026-11-22T08:30"]) {
    assert.deepEqual(edges("this weekend", now), [
      "2026-11-21T00:00:00",
      "2026-11-22T23:59:59.999",
    ]);
  }
  assert.deepEqual(edges("지난 주말", "2026-11-18T08:30"), [
    "2026-11-14T00:00:00",
    "2026-11-15T23:59:59.999",
  ]);
});

test("a day begins and ends where its clocks do", () => {
  // At midnight the clocks go to one.
  assert.deepEqual(edges("2018-11-04", "2018-11-01T00:00", "America/Sao_Paulo"), [
    "2018-11-04T01:00:00",
    "2018-11-04T23:59:59.999",
  ]);
});

test("a day that does not exist, or not on that weekday, is refused", () => {
  for (const text of ["2026-02-30", "Mon 15 Nov 2026", "11/5"]) {
    assert.throws(
      () => edges(text, "2026-11-16T08:30"),
      (error) => hasCode(error, "invalid"),
    );
  }
});
