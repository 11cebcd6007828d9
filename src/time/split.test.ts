import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { eight } from "../../test/book-fixture.ts";
import { readTime, splitEvery, splitTime } from "./split.ts";
import { parseTime } from "./times.ts";

const look = { now: eight, zone: "Asia/Seoul", language: "en" } as const;

const texts: [said: string, when: string, text: string][] = [
  ["내일 오후 3시 회의", "내일 오후 3시", "회의"],
  ["회의 내일 오후 3시", "내일 오후 3시", "회의"],
  ["내일 회의 오후 3시", "내일 오후 3시", "회의"],
  ["tomorrow 9am call Bob", "tomorrow 9am", "call Bob"],
  ["call Bob tomorrow 9am", "tomorrow 9am", "call Bob"],
  ["tomorrow call Bob at 9am", "tomorrow at 9am", "call Bob"],
  ["10m tea", "+10m", "tea"],
  ["tea 10m", "+10m", "tea"],
  ["30분 뒤 약 먹기", "30분 뒤", "약 먹기"],
  ["+2h stretch", "+2h", "stretch"],
  ["2026-12-25 09:00 presents", "2026-12-25 09:00", "presents"],
  // The longer one is the time, the other is what it is about.
  ["now say it tomorrow 9am", "tomorrow 9am", "now say it"],
  ["tomorrow 9am plan friday", "tomorrow 9am", "plan friday"],
  // A length is only a time when nothing else is.
  ["3 days left tomorrow 9am", "tomorrow 9am", "3 days left"],
  // Of two times that it could be, one is assumed; the number of something is no hour.
  ["내일 3시 회의", "내일 3시", "회의"],
  ["내일 회의 3시", "내일 3시", "회의"],
  ["회의 내일 3시", "내일 3시", "회의"],
  ["at 5 call Bob", "at 5", "call Bob"],
  ["tomorrow 2 pills", "tomorrow", "2 pills"],
  // A past time is what it is about.
  ["tomorrow 9am ask about 3 days ago", "tomorrow 9am", "ask about 3 days ago"],
  ["어제 회의록 정리 내일 9시", "내일 9시", "어제 회의록 정리"],
  ["어제 회의 정리 30분", "+30분", "어제 회의 정리"],
  ["1.5h tea", "+1.5h", "tea"],
  ["오늘 새벽 회의록 정리 내일 9시", "내일 9시", "오늘 새벽 회의록 정리"],
  ["12/25 9am presents", "12/25 9am", "presents"],
  ["주말 여행 준비 내일 9시", "내일 9시", "주말 여행 준비"],
  ["마지막 금요일 오후 5시 회식", "마지막 금요일 오후 5시", "회식"],
  // "Lunch" is what it is about.
  ["내일 15시 30분 팀장과 점심", "내일 15시 30분", "팀장과 점심"],
  ["오늘 회의 오후 3시", "오늘 오후 3시", "회의"],
  ["3시 회의 내일 오후 4시", "내일 오후 4시", "3시 회의"],
  ["tomorrow 9am first\n\n  second line", "tomorrow 9am", "first\n\n  second line"],
];

for (const [said, when, text] of texts) {
  test(`${JSON.stringify(said)} is ${text} at ${when}`, () => {
    const split = splitTime(said, look);
    assert.ok("when" in split, JSON.stringify(split));
    assert.deepEqual([split.when, split.text], [when, text]);
  });
}

test("a text without a time has none", () => {
  assert.deepEqual(splitTime("call Bob", look), {});
  assert.deepEqual(splitTime("", look), {});
  assert.deepEqual(splitTime("tomorrow", look), {});
});

test("a time in the past is none, and the answer says which one it was", () => {
  for (const [said, past] of [
    ["yesterday 9am call Bob", /^"yesterday 9am" is 2026-11-15 09:00 in Asia\/Seoul, 23 hours ago/],
    ["call Bob yesterday 9am", /^"yesterday 9am" is 2026-11-15 09:00/],
    ["어제 회의록 정리", /^"어제" is 2026-11-15 09:00 .*: give a later time, or "now"\.$/],
    ["오늘 오전 6시 회의", /^"오늘 오전 6시" is 06:00 today in Asia\/Seoul, 2 hours ago/],
    [
      "2026-11-15 09:00 party",
      /^"2026-11-15 09:00" is 2026-11-15 09:00 in Asia\/Seoul, 23 hours ago/,
    ],
    ["2026-01-01T09:00Z party", /^"2026-01-01T09:00Z" is 2026-01-01 18:00/],
  ] as const) {
    const found = splitTime(said, look);
    assert.ok("past" in found, said);
    assert.match(found.past ?? "", past);
  }
});

test("what can be two dates is none, and not the half of it that is one", () => {
  const reasonOf = (said: string, split = splitTime): string => {
    const found = split(said, look);
    return "reason" in found ? (found.reason ?? "") : assert.fail(JSON.stringify(found));
  };
  assert.match(reasonOf("25일 월세"), /"25일" could be a length or a date/);
  assert.match(reasonOf("30 feb 9am party"), /no calendar has/);
  assert.match(reasonOf("3/4 9am presents"), /could be 2027-03-04 or 2027-04-03/);
  assert.match(reasonOf("12.25 9am presents"), /not a date I can be sure of/);
  assert.match(reasonOf("12-25 9am news", splitEvery), /not a date I can be sure of/);
});

test("what comes again is found at either end, with or without its word", () => {
  const read = (said: string) => {
    const split = splitEvery(said, look);
    return "when" in split ? [split.when, split.text] : undefined;
  };
  assert.deepEqual(read("weekday 9am read the news"), ["weekday 9am", "read the news"]);
  assert.deepEqual(read("2h look at the mail"), ["every 2h", "look at the mail"]);
  assert.deepEqual(read("day 9am look"), ["every day 9am", "look"]);
  assert.deepEqual(read("매주 월요일 10시 보고서"), ["매주 월요일 10시", "보고서"]);
  assert.deepEqual(read("월요일 10시 보고서"), ["every 월요일 10시", "보고서"]);
  assert.deepEqual(read("뉴스 요약 매일 9시"), ["매일 9시", "뉴스 요약"]);
  assert.deepEqual(read("0 9 * * 1-5 standup"), ["0 9 * * 1-5", "standup"]);
  assert.deepEqual(read("평일 3시 뉴스"), ["평일 3시", "뉴스"]);
  assert.deepEqual(read("어제 뉴스 요약 매일 9시"), ["매일 9시", "어제 뉴스 요약"]);
  assert.equal(read("look at the mail"), undefined);
});

test("a length from now is a time", () => {
  assert.equal(readTime("10m", look), "+10m");
  assert.equal(readTime("tomorrow 9am", look), "tomorrow 9am");
  assert.equal(readTime("soon", look), undefined);
  assert.equal(readTime("12/5 9am", look), undefined);
});

test("a time that has passed is one too: who uses it says so", () => {
  assert.equal(readTime("오늘 오전 6시", look), "오늘 오전 6시");
  assert.equal(readTime("yesterday", look), "yesterday");
});

test("whatever is said: what is found can be read, and something is left to say", () => {
  const word = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 6 }),
    fc.constantFrom("tomorrow", "9am", "내일", "3시", "10m", "at", "friday", "오후", "+2h", "\n"),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 20 }), (words) => {
      const said = words.join(" ");
      const split = splitTime(said, look);
      if (!("when" in split)) return;
      parseTime(split.when, look);
      assert.notEqual(split.text.trim(), "");
      assert.ok(said.includes(split.text));
    }),
    { numRuns: 300 },
  );
});
