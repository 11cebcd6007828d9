import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { hasCode } from "../platform/errors.ts";
import { parseEnd, parseFuture } from "./future.ts";
import { spellings } from "./phrase/scan.ts";
import { parseTime } from "./times.ts";

const zone = "Asia/Seoul";

function at(local: string): number {
  return Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds;
}

/** A Monday. */
const now = at("2026-11-16T12:00");
const program = { now, zone };
const person = { ...program, isTyped: true };

describe("a time that has to be ahead", () => {
  const lengths: [length: string, later: string][] = [
    ["1h", "in 1h"],
    ["30m", "in 30m"],
    ["1.5h", "in 1.5h"],
    ["half an hour", "in half an hour"],
    ["2 days", "in 2 days"],
    ["a week", "in a week"],
    ["1h 30m", "in 1h 30m"],
    ["1시간", "1시간 뒤"],
    ["1.5시간", "1.5시간 뒤"],
    ["한 시간 반", "한 시간 반 뒤"],
    ["사흘", "사흘 뒤"],
    ["일주일", "일주일 뒤"],
  ];
  for (const [length, later] of lengths) {
    test(`may be the length "${length}" from now`, () => {
      assert.equal(parseFuture(length, person).at, parseTime(later, program).at);
    });
  }
  test("is no length that could be a date", () => {
    assert.throws(() => parseFuture("25일", person), /could be a length or a date/);
  });

  const passed: [text: string, read: string][] = [
    ["오늘 오전 6시", "06:00 today in Asia/Seoul, 6 hours ago"],
    ["이번 주 월요일", "09:00 today in Asia/Seoul, 3 hours ago"],
    ["today 11:58", "11:58 today in Asia/Seoul, 2 minutes ago"],
    ["today 11:59", "11:59 today in Asia/Seoul, a moment ago"],
    ["this morning", "08:00 today in Asia/Seoul, 4 hours ago"],
    ["yesterday 9am", "2026-11-15 09:00 in Asia/Seoul, 27 hours ago"],
    ["어젯밤", "2026-11-15 20:00 in Asia/Seoul, 16 hours ago"],
    ["last monday", "2026-11-09 09:00 in Asia/Seoul, 7 days ago"],
    ["지난 주말", "2026-11-15 09:00 in Asia/Seoul, 27 hours ago"],
    ["last week", "2026-11-09 09:00 in Asia/Seoul, 7 days ago"],
    ["지난주 금요일", "2026-11-13 09:00 in Asia/Seoul, 3 days ago"],
    ["3 days ago", "2026-11-13 12:00 in Asia/Seoul, 3 days ago"],
    ["2시간 전", "10:00 today in Asia/Seoul, 2 hours ago"],
    ["30 seconds ago", "11:59 today in Asia/Seoul, a moment ago"],
    ["the 3rd of last month", "2026-10-03 09:00 in Asia/Seoul, 44 days ago"],
    ["작년 12월 25일", "2025-12-25 09:00 in Asia/Seoul, 326 days ago"],
    ["이번 달 3일", "2026-11-03 09:00 in Asia/Seoul, 13 days ago"],
    ["2020-01-01", "2020-01-01 09:00 in Asia/Seoul, 2511 days ago"],
    ["nov 13 2026", "2026-11-13 09:00 in Asia/Seoul, 3 days ago"],
  ];
  for (const [text, read] of passed) {
    test(`is not "${text}", whoever asks: the error says which time it is and what to give`, () => {
      for (const about of [program, person]) {
        assert.throws(() => parseFuture(text, about), {
          code: "invalid",
          message: `"${text}" is ${read}: give a later time, or "now".`,
        });
        assert.throws(() => parseEnd(text, about), {
          code: "invalid",
          message: `"${text}" is ${read}: give a later time.`,
        });
      }
    });
  }

  const iso = ["2020-01-01 09:00", "2020-01-01T09:00", "2020-01-01T09:00Z", "2026-11-16T11:59"];
  for (const text of iso) {
    test(`may be "${text}" of a program, and not of a person`, () => {
      assert.equal(parseFuture(text, program).at, parseTime(text, program).at);
      assert.throws(() => parseFuture(text, person), /ago: give a later time, or "now"\.$/);
    });
  }
  test("may be in the current minute, which is now", () => {
    const late = { ...person, now: now + 59_999 };
    for (const text of ["today 12:00", "2026-11-16 12:00", "지금"]) {
      assert.ok(parseFuture(text, late).at <= late.now, text);
    }
    const later = { ...person, now: now + 60_000 };
    assert.throws(() => parseFuture("today 12:00", later), /a moment ago/);
  });
  test("may have passed in a request with a key, which may be a repeat", () => {
    for (const text of ["today 9am", "2026-11-16 09:00"]) {
      assert.equal(parseFuture(text, { ...person, hasKey: true }).at, at("2026-11-16T09:00"));
    }
    assert.throws(() => parseFuture("yesterday", { ...person, hasKey: true }), /hours ago/);
  });
  test("may be in a night that began yesterday", () => {
    const midnight = at("2026-11-16T00:15");
    assert.ok(parseFuture("yesterday at 1 at night", { ...person, now: midnight }).at > midnight);
  });
  test("tonight is refused when its hour has passed", () => {
    const late = { ...person, now: at("2026-11-16T23:00") };
    assert.throws(() => parseFuture("tonight", late), /is 20:00 today .*, 3 hours ago/);
    assert.throws(() => parseFuture("오늘 밤", late), /is 20:00 today .*, 3 hours ago/);
    assert.equal(parseFuture("tonight at 11:30", late).at, at("2026-11-16T23:30"));
  });
  test("is never a minute in the past when a person typed it, whatever the words", () => {
    const words = fc.array(fc.constantFrom(...spellings, "3", "10:30", "25", "2026", "/", "."), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(words, fc.nat(10 ** 10), (words, passed) => {
        const about = { ...person, now: now + passed };
        try {
          assert.ok(parseFuture(words.join(" "), about).at > about.now - 60_000);
        } catch (error) {
          assert.ok(hasCode(error, "invalid"), String(error));
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
