import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { DaybookError, hasCode } from "../../platform/errors.ts";
import { firesAfter, readWhen } from "../cadence.ts";
import { spellings } from "../phrase/scan.ts";
import { renderCadence } from "./render.ts";

const zone = "Asia/Seoul";
/** A Monday. */
const now = moment("2026-11-16T08:30");
const context = { now, zone, language: "en" } as const;

function moment(local: string): number {
  return Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds;
}

function read(text: string): string {
  const { cadence, assumed } = readWhen(text, context);
  const rest = assumed === undefined ? "" : `, ${assumed} assumed`;
  switch (cadence.type) {
    case "once":
      return `once ${local(cadence.at)}${rest}`;
    case "interval":
      assert.equal(cadence.anchor, now);
      return `every ${cadence.everyMs / 60_000} min${rest}`;
    case "cron":
      assert.equal(cadence.zone, zone);
      return `${cadence.expression}${rest}`;
    case "rrule":
      assert.equal(cadence.zone, zone);
      return `${cadence.rule} from ${local(cadence.start)}${rest}`;
  }
}

function local(at: number): string {
  const here = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  return here.toPlainDateTime().toString({ smallestUnit: "minute" });
}

describe("on Monday 16 November 2026 at 08:30", () => {
  const table: [text: string, meaning: string][] = [
    // By the day.
    ["every day", "0 9 * * *, 09:00 assumed"],
    ["daily at 9", "0 9 * * *, 09:00 assumed"],
    ["daily at 21:30", "30 21 * * *"],
    ["every day at 10:15:30", "30 15 10 * * *"],
    ["every morning", "0 8 * * *, 08:00 assumed"],
    ["every night at 10", "0 22 * * *"],
    ["every midnight", "0 0 * * *, 00:00 assumed"],
    ["매일", "0 9 * * *, 09:00 assumed"],
    ["매일 아침 9시", "0 9 * * *"],
    ["매일 오후 3시 반", "30 15 * * *"],
    ["날마다 10시", "0 10 * * *"],
    ["매일 밤 1시", "0 1 * * *"],
    ["아침마다", "0 8 * * *, 08:00 assumed"],
    ["every 3 days at 10:00", "FREQ=DAILY;INTERVAL=3 from 2026-11-16T10:00"],
    ["every other day at 8 am", "FREQ=DAILY;INTERVAL=2 from 2026-11-17T08:00"],
    ["3일마다", "FREQ=DAILY;INTERVAL=3 from 2026-11-16T09:00, 09:00 assumed"],
    ["격일 10시", "FREQ=DAILY;INTERVAL=2 from 2026-11-16T10:00"],
    // By the week.
    ["every weekday 9am", "0 9 * * 1-5"],
    ["weekdays 08:30", "30 8 * * 1-5"],
    ["Every Weekday At 9 AM", "0 9 * * 1-5"],
    ["daily on weekdays at 10:00", "0 10 * * 1-5"],
    ["mon-fri 9am", "0 9 * * 1-5"],
    ["every mon to fri at 09:15", "15 9 * * 1-5"],
    ["fri-mon 10:00", "0 10 * * 0,1,5,6"],
    ["weekends at 11:00", "0 11 * * 0,6"],
    ["every monday and friday at 10:00", "0 10 * * 1,5"],
    ["mondays, wednesdays and fridays 7 pm", "0 19 * * 1,3,5"],
    ["at 10:00 every monday", "0 10 * * 1"],
    ["every sunday", "0 9 * * 0, 09:00 assumed"],
    ["every monday at midnight", "0 0 * * 2, 00:00 assumed"],
    ["weekly", "0 9 * * 1, Monday 09:00 assumed"],
    ["weekly on tuesday", "0 9 * * 2, 09:00 assumed"],
    ["평일 9시", "0 9 * * 1-5, 09:00 assumed"],
    ["평일 오전 9시", "0 9 * * 1-5"],
    ["평일 3시", "0 15 * * 1-5, 15:00 assumed"],
    ["every day at 5:30", "30 17 * * *, 17:30 assumed"],
    ["every month at 3", "0 15 1 * *, the 1st, 15:00 assumed"],
    ["주말 10시", "0 10 * * 0,6"],
    ["매주 월요일 10시", "0 10 * * 1"],
    ["매주 월수금 10시", "0 10 * * 1,3,5"],
    ["매주 월, 수요일 10시", "0 10 * * 1,3"],
    ["월수금 10시", "0 10 * * 1,3,5"],
    ["월, 수, 금 10시", "0 10 * * 1,3,5"],
    ["화·목 오전 7시", "0 7 * * 2,4"],
    ["화목 오전 7시", "0 7 * * 2,4"],
    ["오전 7시 토일", "0 7 * * 0,6"],
    ["월화수목금 09:30", "30 9 * * 1-5"],
    ["월수금마다 10시", "0 10 * * 1,3,5"],
    ["매 주말 10시", "0 10 * * 0,6"],
    ["매주 월요일과 목요일 10시에", "0 10 * * 1,4"],
    ["매 월요일 10시", "0 10 * * 1"],
    ["매 일요일 10시", "0 10 * * 0"],
    ["월요일마다 10시", "0 10 * * 1"],
    ["월요일부터 금요일까지 9시 30분", "30 9 * * 1-5, 09:30 assumed"],
    ["매주 금요일 밤 1시", "0 1 * * 6"],
    ["every other week on tuesday 10:30", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU from 2026-11-17T10:30"],
    [
      "every 2 weeks on mon and fri at 08:00",
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR from 2026-11-20T08:00",
    ],
    ["격주 금요일 18시", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR from 2026-11-20T18:00"],
    ["2주마다 월요일 10시", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO from 2026-11-16T10:00"],
    ["격주 화요일", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU from 2026-11-17T09:00, 09:00 assumed"],
    ["격주 월수 10시", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE from 2026-11-16T10:00"],
    ["every other Tuesday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU from 2026-11-17T09:00, 09:00 assumed"],
    ["every other friday 14:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR from 2026-11-20T14:00"],
    ["every second friday 14:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR from 2026-11-20T14:00"],
    ["every 2nd friday at 14:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR from 2026-11-20T14:00"],
    [
      "10:00 every other monday and friday",
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR from 2026-11-16T10:00",
    ],
    ["every other weekend 11:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU from 2026-11-21T11:00"],
    ["every second week on friday 14:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR from 2026-11-20T14:00"],
    ["every second day at 10:00", "FREQ=DAILY;INTERVAL=2 from 2026-11-16T10:00"],
    ["월~금 오전 9시", "0 9 * * 1-5"],
    ["월-금 오전 9시", "0 9 * * 1-5"],
    ["매주 월 ~ 금요일 10시", "0 10 * * 1-5"],
    ["매주 금요일~월 10시", "0 10 * * 0,1,5,6"],
    ["격주 토~일 10시", "FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU from 2026-11-21T10:00"],
    // By the week of the month.
    ["first monday of every month 9am", "0 9 * * 1#1"],
    ["the 1st monday of each month at 10:00", "0 10 * * 1#1"],
    ["every first monday at 10:00", "0 10 * * 1#1"],
    ["every second friday of the month 14:00", "0 14 * * 5#2"],
    ["on the first and third tuesday of every month 10:00", "0 10 * * 2#1,2#3"],
    ["first monday and last friday of every month 10:00", "0 10 * * 1#1,5L"],
    ["monthly on the fourth sunday", "0 9 * * 0#4, 09:00 assumed"],
    ["last friday of every month 18:00", "0 18 * * 5L"],
    [
      "every 3 months on the first monday 10:00",
      "FREQ=MONTHLY;INTERVAL=3;BYDAY=1MO from 2026-12-07T10:00",
    ],
    ["매월 첫째 월요일 9시", "0 9 * * 1#1, 09:00 assumed"],
    ["매달 첫 월요일 오전 9시", "0 9 * * 1#1"],
    ["매월 둘째 주 금요일 14시", "0 14 * * 5#2"],
    ["매월 2번째 금요일 14시", "0 14 * * 5#2"],
    ["매월 둘째, 넷째 일요일 10시", "0 10 * * 0#2,0#4"],
    ["매월 셋째 수요일 10시", "0 10 * * 3#3"],
    ["매월 네 번째 목요일 10시", "0 10 * * 4#4"],
    ["매달 마지막 금요일 18시", "0 18 * * 5L"],
    ["매달 마지막 금요일", "0 9 * * 5L, 09:00 assumed"],
    ["매월 첫째 주 월요일 10시", "0 10 * * 1#1"],
    ["격월 첫째 월요일 10시", "FREQ=MONTHLY;INTERVAL=2;BYDAY=1MO from 2026-12-07T10:00"],
    // By the month and the year.
    ["every month", "0 9 1 * *, the 1st, 09:00 assumed"],
    ["every month on the 1st", "0 9 1 * *, 09:00 assumed"],
    ["monthly on the 15th at 10:00", "0 10 15 * *"],
    ["on the 1st and 15th of every month at 08:00", "0 8 1,15 * *"],
    ["every last day of the month at 18:00", "0 18 L * *"],
    ["every 25th at noon", "0 12 25 * *"],
    [
      "every 2 months on the 15th at 10:00",
      "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=15 from 2026-12-15T10:00",
    ],
    ["매월 1일", "0 9 1 * *, 09:00 assumed"],
    ["매월 1일 오전 9시", "0 9 1 * *"],
    ["매달 말일 18시", "0 18 L * *"],
    ["매월 말일", "0 9 L * *, 09:00 assumed"],
    ["매월 말 18시", "0 18 L * *"],
    ["매월 1일, 말일 18시", "0 18 1,L * *"],
    ["the last day of every month at 18:00", "0 18 L * *"],
    ["매년 2월 말일 10시", "0 10 L 2 *"],
    ["every 12/25 at 10:00", "0 10 25 12 *"],
    ["every february 29", "0 9 29 2 *, 09:00 assumed"],
    ["매월 31일", "0 9 31 * *, 09:00 assumed"],
    ["every year on 25 dec at 10:00", "0 10 25 12 *"],
    ["every december 25", "0 9 25 12 *, 09:00 assumed"],
    ["매년 12월 25일", "0 9 25 12 *, 09:00 assumed"],
    ["매년 3월 1일 오전 10시", "0 10 1 3 *"],
    // So long apart.
    ["every 2h", "every 120 min"],
    ["every 90 minutes", "every 90 min"],
    ["every hour", "every 60 min"],
    ["hourly", "every 60 min"],
    ["every half hour", "every 30 min"],
    ["each 2 h 30 min", "every 150 min"],
    ["2시간마다", "every 120 min"],
    ["30분마다", "every 30 min"],
    ["매 30분", "every 30 min"],
    ["매시간", "every 60 min"],
    ["한 시간 반마다", "every 90 min"],
    ["every other hour", "every 120 min"],
    ["every second", `every ${1 / 60} min`],
    ["every 90 second", "every 1.5 min"],
    // A cron line, or once.
    ["@daily", "@daily"],
    ["0 3 * * *", "0 3 * * *"],
    ["*/5  9-17 * *  mon-fri", "*/5 9-17 * * mon-fri"],
    ["0 0 3 * * *", "0 0 3 * * *"],
    ["tomorrow 9am", "once 2026-11-17T09:00"],
    ["내일", "once 2026-11-17T09:00, 09:00 assumed"],
    ["monday 10:00", "once 2026-11-16T10:00"],
    ["마지막 금요일 10시", "once 2026-11-27T10:00"],
    ["the last friday of the month at 5pm", "once 2026-11-27T17:00"],
    ["말일 18시", "once 2026-11-30T18:00"],
    ["이번 주말 10시", "once 2026-11-21T10:00, 2026-11-21 10:00 assumed"],
    ["12/25 9:00", "once 2026-12-25T09:00, 09:00 assumed"],
    ["2주 후 월요일 10시", "once 2026-11-30T10:00"],
    ["금일 오후 3시", "once 2026-11-16T15:00"],
    ["일월 이십오일", "once 2027-01-25T09:00, 09:00 assumed"],
    ["in 2 hours", "once 2026-11-16T10:30"],
    ["2026-12-25T09:00:00Z", "once 2026-12-25T18:00"],
    ["2026-12-25 09:00", "once 2026-12-25T09:00"],
  ];
  for (const [text, meaning] of table) {
    test(`"${text}" is ${meaning}`, () => assert.equal(read(text), meaning));
  }

  test("the answer about each can be typed again, in both languages, and means the same", () => {
    const wordless = "*/5  9-17 * *  mon-fri";
    for (const [text] of table.filter(([text]) => text !== wordless)) {
      for (const language of ["en", "ko"] as const) {
        const { cadence } = readWhen(text, context);
        const said = renderCadence(cadence, { zone, language })
          .replace(/ \([^()]*\)$/, "")
          .replace(/^once, on |^한 번, /, "");
        const again = readWhen(said, context).cadence;
        assert.deepEqual(firesAfter(again, now, 20), firesAfter(cadence, now, 20), said);
      }
    }
  });

  test("an assumption is rendered in the reader's language", () => {
    assert.equal(readWhen("매주", { ...context, language: "ko" }).assumed, "월요일 09:00");
    assert.equal(readWhen("매월", { ...context, language: "ko" }).assumed, "1일 09:00");
  });

  test("what to write for the other half of the day is in the reader's language", () => {
    const instead = (text: string, language: "en" | "ko") =>
      readWhen(text, { ...context, language }).instead;
    assert.equal(instead("every day at 5:30", "en"), "5:30 am");
    assert.equal(instead("평일 3시", "ko"), "오전 3시");
    assert.equal(instead("평일 9시", "ko"), "오후 9시");
    assert.equal(instead("평일 오전 9시", "ko"), undefined);
    assert.equal(instead("내일 3시", "ko"), "오전 3시");
  });
});

describe("an unreadable input is refused with what to write", () => {
  const table: [text: string, advice: RegExp][] = [
    ["garbage", /write it as "every weekday 9am"/],
    ["every wekday 9am", /did you mean "weekday"\?/],
    ["every", /write it as "every weekday 9am"/],
    ["every 0 minutes", /write it as/],
    ["every 2h on weekdays", /a cron line such as/],
    ["every day at 9:00 and 18:00", /write it as/],
    ["every monday monthly", /write it as/],
    ["every day on the 1st", /write it as/],
    ["every monday 1 jan", /write it as/],
    ["every 25 dec 2027", /write it as/],
    ["every year", /needs a day of the year/],
    ["매년", /needs a day of the year/],
    ["매월 1일 자정", /write the time as "00:00"/],
    ["every 2 years on 30 feb", /no calendar has/],
    ["every 9999999 days", /write 1 to 1000/],
    ["every 2 months 3 days", /write it as/],
    ["매월 32일", /"매월 32일" has a day that no month has: write 1 to 31/],
    ["on the 0th of every month", /has a day that no month has/],
    ["매월 1일, 32일", /has a day that no month has/],
    ["매년 2월 30일", /"매년 2월 30일" has a day that no calendar has: correct it/],
    ["every 31 april", /has a day that no calendar has/],
    ["매년 13월 1일", /has a day that no calendar has/],
    ["every third friday 10:00", /every so many weeks or .* write "every 3 weeks on friday"/],
    ["셋째 금요일마다 10시", /"매월 셋째 금요일"/],
    ["every other weekday 10:00", /write it as/],
    ["every sixth friday of the month", /write it as/],
    ["every week on the first monday", /write it as/],
    ["first monday and the 15th of every month", /write it as/],
    ["매월 첫째 월요일 자정", /write the time as "00:00"/],
    ["2 hours", /is a length, not a time: write "every 2 hours" or "in 2 hours"/],
    ["두 시간", /is a length, not a time: write "두 시간마다" or "두 시간 뒤"/],
    ["yesterday 9am", /is 2026-11-15 09:00 in Asia\/Seoul, 23 hours ago: give a later time/],
    ["지난 월요일", /is 2026-11-09 09:00 in Asia\/Seoul, 6 days ago: give a later time/],
    ["오늘 오전 8시", /is 08:00 today in Asia\/Seoul, 30 minutes ago: give a later time/],
    ["every 3/4", /not a date I can be sure of/],
    ["매년 12월 첫째 월요일", /write it as/],
    ["", /is not a schedule I can read/],
    ["@fortnightly", /write one of @yearly/],
    ["60 * * * *", /write 0 to 59/],
    ["0 9 * * * * *", /has 7 fields/],
  ];
  for (const [text, advice] of table) {
    test(JSON.stringify(text), () => {
      assert.throws(
        () => readWhen(text, context),
        (error) => hasCode(error, "invalid") && advice.test(error.message),
      );
    });
  }

  test("a text that is too long", () => {
    assert.throws(
      () => readWhen("every ".repeat(100), context),
      (error) => hasCode(error, "too_large"),
    );
  });

  test("any words in any order are read or refused quickly", () => {
    const words = fc.array(fc.oneof(fc.constantFrom(...spellings), fc.nat(99).map(String)), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(words, fc.constantFrom(" ", ""), (words, between) => {
        const text = words.join(between);
        const started = performance.now();
        try {
          readWhen(text, context);
        } catch (error) {
          assert.ok(error instanceof DaybookError && error.code !== "bug", text);
        }
        assert.ok(performance.now() - started < 500, text);
      }),
      { numRuns: 1_000 },
    );
  });
});
