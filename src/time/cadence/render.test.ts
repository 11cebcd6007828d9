import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Language } from "../../platform/language.ts";
import type { Cadence } from "../cadence.ts";
import type { TimeContext } from "../times.ts";
import { renderCadence } from "./render.ts";

const zone = "Asia/Seoul";
const reader = (language: Language, here = zone): Omit<TimeContext, "now"> => ({
  zone: here,
  language,
});
/** A Monday. */
const start = Temporal.Instant.from("2026-11-16T09:00+09:00").epochMilliseconds;

describe("a cron expression is rendered as a sentence", () => {
  const table: [expression: string, english: string, korean: string][] = [
    ["0 9 * * 1-5", "every weekday at 09:00", "평일 09:00"],
    ["0 9 * * *", "every day at 09:00", "매일 09:00"],
    ["@daily", "every day at 00:00", "매일 00:00"],
    ["0 9,18 * * *", "every day at 09:00 and 18:00", "매일 09:00, 18:00"],
    ["30 15 10 * * *", "every day at 10:15:30", "매일 10:15:30"],
    ["0 10 * * 1,5", "every Monday and Friday at 10:00", "매주 월요일, 금요일 10:00"],
    ["0 10 * * 0", "every Sunday at 10:00", "매주 일요일 10:00"],
    ["0 9 1 * *", "on the 1st of every month at 09:00", "매월 1일 09:00"],
    [
      "0 9 2,11,23 * *",
      "on the 2nd, 11th and 23rd of every month at 09:00",
      "매월 2일, 11일, 23일 09:00",
    ],
    ["0 18 L * *", "on the last day of every month at 18:00", "매월 말일 18:00"],
    ["0 9 25 12 *", "every year on 25 December at 09:00", "매년 12월 25일 09:00"],
    ["* * * * *", "every minute", "1분마다"],
    ["*/5 * * * *", "every 5 minutes", "5분마다"],
    ["0 * * * *", "every hour", "매시 정각"],
    ["15 * * * *", "every hour at minute 15", "매시 15분"],
    ["0 */2 * * *", "every 2 hours", "2시간마다"],
    // No even steps: they begin anew every hour.
    ["*/45 * * * *", "at minute 0 and 45", "0분, 45분"],
    [
      "*/15 9-17 * * 1-5",
      "every 15 minutes from 09:00 to 17:59, on weekdays",
      "평일 09:00~17:59 15분마다",
    ],
    [
      "5 1,3,5,7,9 * * *",
      "at minute 5 in the hours 1, 3, 5, 7 and 9",
      "1시, 3시, 5시, 7시, 9시 5분",
    ],
    [
      "0 9 1 * 1",
      "at 09:00, on the 1st of the month or on Monday",
      "매월 1일 또는 매주 월요일 09:00",
    ],
    ["0 9 * * 5#2", "on the 2nd Friday of every month at 09:00", "매월 둘째 금요일 09:00"],
    ["0 9 * * 5L", "on the last Friday of every month at 09:00", "매월 마지막 금요일 09:00"],
    [
      "0 9 * * 1#1,0#5",
      "on the 1st Monday and 5th Sunday of every month at 09:00",
      "매월 첫째 월요일, 다섯째 일요일 09:00",
    ],
    [
      "0 9 * 1,7 1#3",
      "at 09:00, on the 3rd Monday of the month, in January and July",
      "1월, 7월 셋째 월요일 09:00",
    ],
    ["0 9 L 2 *", "every year on the last day of February at 09:00", "매년 2월 말일 09:00"],
    [
      "0 9 * * 1,5L",
      "at 09:00, on Monday and the last Friday of the month",
      "매주 월요일, 매월 마지막 금요일 09:00",
    ],
    ["0 9 * 1,7 1", "at 09:00, on Monday, in January and July", "1월, 7월 매주 월요일 09:00"],
    ["* * * * * *", "every second every minute", "매분 매초"],
    ["10,40 * * * * *", "at second 10 and 40 every minute", "매분 10초, 40초"],
  ];
  for (const [expression, english, korean] of table) {
    test(`${expression}: ${english}`, () => {
      const cadence: Cadence = { type: "cron", expression, zone };
      assert.equal(renderCadence(cadence, reader("en")), `${english} (Asia/Seoul)`);
      assert.equal(renderCadence(cadence, reader("ko")), `${korean} (Asia/Seoul)`);
    });
  }
});

describe("a rule is rendered as a sentence, or as its text", () => {
  const table: [rule: string, english: string, korean: string][] = [
    ["FREQ=DAILY", "every day at 09:00", "매일 09:00"],
    ["FREQ=DAILY;INTERVAL=3;COUNT=5", "every 3 days at 09:00, 5 times", "3일마다 09:00, 5번"],
    [
      "FREQ=WEEKLY;UNTIL=20261231",
      "every Monday at 09:00, until 2026-12-31",
      "매주 월요일 09:00, 2026-12-31까지",
    ],
    [
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR,TU",
      "every 2 weeks on Tuesday and Friday at 09:00",
      "2주마다 화요일, 금요일 09:00",
    ],
    ["FREQ=MONTHLY;BYMONTHDAY=-1", "on the last day of every month at 09:00", "매월 말일 09:00"],
    ["FREQ=MONTHLY;INTERVAL=2", "every 2 months on the 16th at 09:00", "2개월마다 16일 09:00"],
    [
      "FREQ=YEARLY;BYHOUR=7;BYMINUTE=30",
      "every year on 16 November at 07:30",
      "매년 11월 16일 07:30",
    ],
    [
      "FREQ=MONTHLY;BYDAY=-1FR",
      "on the last Friday of every month at 09:00",
      "매월 마지막 금요일 09:00",
    ],
    [
      "FREQ=MONTHLY;INTERVAL=2;BYDAY=1MO,3WE",
      "every 2 months on the 1st Monday and 3rd Wednesday at 09:00",
      "2개월마다 첫째 월요일, 셋째 수요일 09:00",
    ],
    [
      "FREQ=MONTHLY;BYDAY=-2FR",
      "by the rule FREQ=MONTHLY;BYDAY=-2FR",
      "규칙 FREQ=MONTHLY;BYDAY=-2FR",
    ],
    [
      "FREQ=MONTHLY;BYMONTHDAY=-2",
      "by the rule FREQ=MONTHLY;BYMONTHDAY=-2",
      "규칙 FREQ=MONTHLY;BYMONTHDAY=-2",
    ],
    ["FREQ=HOURLY", "by the rule FREQ=HOURLY", "규칙 FREQ=HOURLY"],
    ["FREQ=DAILY;BYDAY=MO", "by the rule FREQ=DAILY;BYDAY=MO", "규칙 FREQ=DAILY;BYDAY=MO"],
  ];
  for (const [rule, english, korean] of table) {
    test(`${rule}: ${english}`, () => {
      const cadence: Cadence = { type: "rrule", rule, start, zone };
      assert.equal(renderCadence(cadence, reader("en")), `${english} (Asia/Seoul)`);
      assert.equal(renderCadence(cadence, reader("ko")), `${korean} (Asia/Seoul)`);
    });
  }
});

test("an interval is rendered with all its units", () => {
  const interval = (everyMs: number): Cadence => ({ type: "interval", everyMs, anchor: 0 });
  assert.equal(renderCadence(interval(7_200_000), reader("en")), "every 2 h");
  assert.equal(renderCadence(interval(7_200_000), reader("ko")), "2시간마다");
  assert.equal(renderCadence(interval(90_061_000), reader("en")), "every 1 d 1 h 1 min 1 s");
  assert.equal(renderCadence(interval(90_061_000), reader("ko")), "1일 1시간 1분 1초마다");
});

test("a single time is rendered in the reader's zone", () => {
  const once: Cadence = { type: "once", at: start };
  assert.equal(renderCadence(once, reader("en")), "once, on Mon 16 Nov 2026 09:00:00 (Asia/Seoul)");
  assert.equal(
    renderCadence(once, reader("ko")),
    "한 번, 2026년 11월 16일 (월) 오전 9:00:00 (Asia/Seoul)",
  );
  assert.equal(
    renderCadence(once, reader("en", "America/New_York")),
    "once, on Sun 15 Nov 2026 19:00:00 (America/New_York)",
  );
});
