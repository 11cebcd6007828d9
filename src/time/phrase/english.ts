import { clock, day, every, mark, nth, part, unit, weekdays, type Entry } from "./word.ts";

const dayNames = [
  "monday mon mon.",
  "tuesday tue tues tue.",
  "wednesday wed wed.",
  "thursday thu thur thurs thu.",
  "friday fri fri.",
  "saturday sat sat.",
  "sunday sun sun.",
];
const months = [
  "january jan jan.",
  "february feb feb.",
  "march mar mar.",
  "april apr apr.",
  "may",
  "june jun jun.",
  "july jul jul.",
  "august aug aug.",
  "september sep sept sep. sept.",
  "october oct oct.",
  "november nov nov.",
  "december dec dec.",
];
const small =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const tens = "twenty thirty forty fifty sixty seventy eighty ninety";

/** Spellings of one meaning are together; `_` is a space within one. */
export const english: readonly Entry[] = [
  ["in after +", mark("in")],
  ["later from_now", mark("later")],
  ["and", mark("and")],
  ["on", mark("on")],
  ["at @", mark("at")],
  ["the", mark("the")],
  ["of", mark("of")],
  ["st nd rd th", mark("ordinal")],
  ["o'clock o’clock oclock", mark("hour")],
  ["this coming", mark("coming")],
  ["every each", mark("every")],
  ["to through", mark("to")],
  [":", mark(":")],
  ["-", mark("-")],
  ["/", mark("/")],
  [".", mark(".")],

  ["ms millisecond milliseconds", unit("milliseconds")],
  ["s sec secs seconds", unit("seconds")],
  ["second", { is: "nth", nth: 2, unit: "seconds" }],
  ["m min mins minute minutes", unit("minutes")],
  ["h hr hrs hour hours", unit("hours")],
  ["d day days", unit("days")],
  ["w wk wks week weeks", unit("weeks")],
  ["mo month months", unit("months")],
  ["y yr yrs year years", unit("years")],
  ["half half_a half_an a_half", { is: "half" }],
  ["a an", { is: "article" }],
  ...small
    .split(" ")
    .map((word, i): Entry => [word, { is: "numeral", value: i + 1, set: "english", joins: false }]),
  ...tens
    .split(" ")
    .map((word, i): Entry => [
      word,
      { is: "numeral", value: 10 * (i + 2), set: "english", joins: true },
    ]),

  ["hourly", every("hours")],
  ["daily everyday", every("days")],
  ["weekly", every("weeks")],
  ["monthly", every("months")],
  ["yearly annually", every("years")],
  ["fortnightly", every("weeks", 2)],
  ["other", mark("other")],
  ["first", nth(1)],
  ["third", nth(3)],
  ["fourth", nth(4)],
  ["fifth", nth(5)],
  ["last", nth(-1)],
  ["weekday weekdays", weekdays(1, 2, 3, 4, 5)],
  ["weekend weekends", weekdays(6, 7)],
  ...dayNames.map((words, i): Entry => [`${words.split(" ")[0]}s`, weekdays(i + 1)]),
  ["last_day", { is: "last day" }],

  ["now right_now", { is: "now" }],
  ["today", day(0)],
  ["tomorrow tmrw", day(1)],
  ["day_after_tomorrow the_day_after_tomorrow", day(2)],
  ["next", { is: "week", weeks: 1, whole: false }],
  ["this_week", { is: "week", weeks: 0, whole: true }],
  ["next_week", { is: "week", weeks: 1, whole: true }],
  ["next_month", { is: "months ahead", months: 1 }],
  ...dayNames.map((words, i): Entry => [words, { is: "weekday", weekday: i + 1 }]),
  ...months.map((words, i): Entry => [words, { is: "month", month: i + 1 }]),

  ["am a.m.", part("am")],
  ["pm p.m.", part("pm")],
  ["morning in_the_morning", part("morning")],
  ["afternoon in_the_afternoon", part("pm")],
  ["evening in_the_evening", part("evening")],
  ["night at_night", part("night")],
  ["this_morning", day(0), part("morning")],
  ["this_afternoon", day(0), part("pm")],
  ["this_evening", day(0), part("evening")],
  ["tonight", day(0), part("night")],
  ["noon midday", clock(12, true)],
  ["midnight", clock(24, false)],
  ["end_of_day end_of_the_day eod", clock(18, false)],
];
