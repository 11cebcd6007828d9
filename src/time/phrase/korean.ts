import {
  clock,
  day,
  every,
  mark,
  nthOfMonth,
  part,
  unit,
  weekdays,
  weekend,
  type Entry,
} from "./word.ts";

/** From one to nine; the first of each is the form before a unit. */
const native = "한 하나,두 둘,세 셋 석,네 넷 넉,다섯,여섯,일곱,여덟,아홉";
const nativeTens = "열,스물 스무,서른,마흔,쉰";
const sino = "이 삼 사 오 육 칠 팔 구";
/** From one to ten days, each a word of its own. */
const days = "하루 이틀 사흘 나흘 닷새 엿새 이레 여드레 아흐레 열흘";

/** Spellings of one meaning are together. Spaces beside Korean letters never matter. */
export const korean: readonly Entry[] = [
  ["뒤 후 있다가 이따가", mark("later")],
  ["전", mark("ago")],
  ["에", mark("particle")],
  ["의", mark("of")],
  ["번째 째", mark("nth")],
  ["시", mark("hour")],
  ["월", mark("month")],
  ["이번 오는", mark("coming")],
  ["지난 저번", mark("past")],
  ["매 마다", mark("every")],
  ["와 과 및 하고", mark("and")],
  ["부터 ~", mark("to")],
  ["까지", mark("until")],

  ["밀리초", unit("milliseconds")],
  ["초", unit("seconds")],
  ["분", unit("minutes")],
  ["시간", unit("hours")],
  ["주 주일", unit("weeks")],
  ["주일요일", unit("weeks"), { is: "weekday", weekday: 7 }], // not 주일 and more
  ["달 개월", unit("months")],
  ["년", unit("years")],
  ["반", { is: "half" }],
  ["영", { is: "numeral", value: 0, set: "sino", joins: false }],
  ["일", { is: "numeral", value: 1, set: "sino", joins: false, unit: "days" }],
  ["십", { is: "numeral", value: 10, set: "sino", joins: true }],
  ...sino
    .split(" ")
    .map((word, i): Entry => [word, { is: "numeral", value: i + 2, set: "sino", joins: false }]),
  ...native
    .split(",")
    .map((words, i): Entry => [
      words,
      { is: "numeral", value: i + 1, set: "native", joins: false },
    ]),
  ...nativeTens
    .split(",")
    .map((words, i): Entry => [
      words,
      { is: "numeral", value: 10 * (i + 1), set: "native", joins: true },
    ]),
  ...days.split(" ").map((word, i): Entry => [word, { is: "days", days: i + 1 }]),
  ["보름", { is: "days", days: 15 }],

  ["매시간 매시", every("hours")],
  ["매일 날마다", every("days")],
  ["매주", every("weeks")],
  ["매월 매달", every("months")],
  ["매년 매해 해마다", every("years")],
  ["격일", every("days", 2)],
  ["격주", every("weeks", 2)],
  ["격월", every("months", 2)],
  ["평일 주중", weekdays(1, 2, 3, 4, 5)],
  ["주말 매주말", weekdays(6, 7)],
  ["첫 첫째 첫번째", nthOfMonth(1)],
  ["마지막", nthOfMonth(-1)],
  ["말일 말 마지막날", { is: "last day", isAlone: true }],
  ["월말 월말일", mark("month"), { is: "last day", isAlone: true }],

  ["지금", { is: "now" }],
  ["오늘 금일", day(0)],
  ["내일 낼 명일", day(1)],
  ["모레 내일모레 낼모레", day(2)],
  ["글피", day(3)],
  ["그글피", day(4)],
  ["어제 작일", day(-1)],
  ["그제 그저께", day(-2)],
  ["그끄제 그끄저께", day(-3)],
  ["지난주 저번주", { is: "week", weeks: -1, whole: true }],
  ["지지난주 저저번주", { is: "week", weeks: -2, whole: true }],
  ["지난달 저번달", { is: "months ahead", months: -1 }],
  ["작년 지난해", { is: "years ahead", years: -1 }],
  ["이번주 금주", { is: "week", weeks: 0, whole: true }],
  ["다음", { is: "week", weeks: 1, whole: false }],
  ["다음주 담주 차주", { is: "week", weeks: 1, whole: true }],
  ["다다음주", { is: "week", weeks: 2, whole: true }],
  ["지난주말 저번주말", weekend(-1)],
  ["이번주말 이번주주말 금주말", weekend(0)],
  ["다음주말 다음주주말", weekend(1)],
  ["이번달", { is: "months ahead", months: 0 }],
  ["다음달 담달", { is: "months ahead", months: 1 }],
  ["올해", { is: "years ahead", years: 0 }],
  ["내년", { is: "years ahead", years: 1 }],
  ...Array.from("월화수목금토일", (name, i): Entry => [
    `${name}요일 ${name}욜 (${name})`,
    { is: "weekday", weekday: i + 1 },
  ]),
  // 매 월요일 is not 매월.
  ...Array.from("월화수목금토일", (name, i): Entry => [`매${name}요일`, weekdays(i + 1)]),

  ["새벽", part("dawn")],
  ["아침", part("morning")],
  ["오전", part("am")],
  ["점심 낮", part("midday")],
  ["오후", part("pm")],
  ["저녁", part("evening")],
  ["밤", part("night")],
  ["어젯밤", day(-1), part("night")],
  ["정오", clock(12, true)],
  ["자정", clock(24, false)],
];
