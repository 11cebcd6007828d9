import type { Catalogue } from "../platform/sentences.ts";

export const ko: Catalogue = {
  '{text} is not a time zone: write it like "Asia/Seoul".':
    '{text:은/는} 시간대가 아닙니다. "Asia/Seoul"처럼 쓰세요.',
  "The time is over {max} characters: {advice}.": "시각이 {max}자를 넘습니다. {advice}.",
  'write it as "+30m", "tomorrow 9am", "next monday 10:00", "내일 오후 3시", "30분 뒤" or "2026-12-25 09:00"':
    '"30분 뒤", "내일 오후 3시", "다음 주 월요일 10시", "2026-12-25 09:00", "+30m"처럼 쓰세요',
  'did you mean "{word}"? Or {advice}': '혹시 "{word}" 아닌가요? 아니면 {advice}',
  "{text} is not a time I can read: {advice}.": "시각을 읽을 수 없습니다: {text}. {advice}.",
  '{text} is not a date I can be sure of: write it as "25 dec", "12월 25일" or "2026-12-25".':
    '어느 날인지 분명하지 않습니다: {text}. "12월 25일"이나 "2026-12-25"처럼 쓰세요.',
  '{text} could be a length or a date: write "{later} 뒤" or "{date} 오전 9시".':
    '{text:은/는} 길이인지 날짜인지 알 수 없습니다. "{later} 뒤"나 "{date} 오전 9시"처럼 쓰세요.',
  '{text} is a length, not a time: write "{later}" or "{before}".':
    '{text:은/는} 시각이 아니라 길이입니다. {"later":이나/나} "{before}"처럼 쓰세요.',
  "{text} is {when} in {zone}, {ago}: {advice}.":
    "{text:은/는} {zone} 시간으로 {when}, {ago}입니다. {advice}.",
  'give a later time, or "now"': '더 늦은 시각이나 "지금"을 쓰세요',
  "give a later time": "더 늦은 시각을 쓰세요",
  "{time} today": "오늘 {time}",
  "a moment ago": "방금 전",
  "{count} minutes ago": "{count}분 전",
  "{count} hours ago": "{count}시간 전",
  "{count} days ago": "{count}일 전",
  "{text} could be {first} or {second}: write the one that you mean.":
    "두 가지 날짜로 읽힙니다: {text}. {first:과/와} {second} 중에서 원하는 날짜를 쓰세요.",
  '{text} comes again and again: write one time, such as "tomorrow 9am" or "내일 오전 9시", or create a schedule.':
    '반복되는 시각입니다: {text}. "내일 오전 9시"처럼 시각 하나를 쓰거나 예약을 만드세요.',
  "{text} has a time that no clock shows: write 00:00 to 23:59.":
    "시계에 없는 시각입니다: {text}. 00:00부터 23:59까지로 쓰세요.",
  '{text} needs a time: write it as "today 18:00" or "오늘 오후 6시".':
    '{text}에 시각이 없습니다. "오늘 오후 6시"처럼 쓰세요.',
  "{text} has a weekday that {date} is not: leave one of the two out.":
    "{text}의 요일이 날짜({date})와 맞지 않습니다. 둘 중 하나를 빼세요.",
  "{text} is not in the years 1970 to 9999: write a time within them.":
    "1970년부터 9999년까지의 시각만 쓸 수 있습니다: {text}.",
  "{text} has a day that no calendar has: correct it.":
    "달력에 없는 날입니다: {text}. 고쳐 쓰세요.",
  "{text} has a day, time or offset that no calendar has: correct it.":
    "달력에 없는 날짜나 시각, 시간대 차이입니다: {text}. 고쳐 쓰세요.",
  '{text} is at the end of a day: write the time as "00:00".':
    '{text:은/는} 하루의 끝입니다. 시각을 "00:00"으로 쓰세요.',

  "{text} is not a schedule I can read: {advice}.":
    "예약 시각을 읽을 수 없습니다: {text}. {advice}.",
  'write it as "every weekday 9am", "every 2h", "every month on the 1st", "매주 월요일 10시", "30분마다", "0 9 * * 1-5" or a time such as "tomorrow 9am"':
    '"평일 오전 9시", "매주 월요일 10시", "30분마다", "0 9 * * 1-5"나 "내일 오전 9시" 같은 시각으로 쓰세요',
  "{text} has a day that no month has: write 1 to 31.":
    "어느 달에도 없는 날입니다: {text}. 1부터 31까지로 쓰세요.",
  '{text} needs a day of the year: write it as "every year on 25 dec" or "매년 12월 25일".':
    '몇 월 며칠인지 없습니다: {text}. "매년 12월 25일"처럼 쓰세요.',
  '{text} is every so long, but not always: write a cron line such as "0 */2 * * 1-5".':
    '일부 날에만 반복하는 간격입니다: {text}. "0 */2 * * 1-5" 같은 cron 식으로 쓰세요.',
  "{text} is never or too rare: write 1 to 1000.":
    "간격이 없거나 너무 깁니다: {text}. 1부터 1000까지로 쓰세요.",
  '{text} could be every so many weeks or one of every month: write "every 3 weeks on friday", "third friday of every month" or "매월 셋째 금요일".':
    '몇 주마다인지 매월 한 번인지 알 수 없습니다: {text}. "3주마다 금요일"이나 "매월 셋째 금요일"처럼 쓰세요.',
  "The time is past: give one that is still ahead.":
    "이미 지난 시각입니다. 앞으로 올 시각을 쓰세요.",
  "The interval is longer than the calendar: write {days}d or less.":
    "간격이 너무 깁니다. {days}d 이하로 쓰세요.",
  'An interval takes some time: write it as "30m" or "2h".':
    '간격은 0보다 길어야 합니다. "30m"이나 "2h"처럼 쓰세요.',
  "It would fire {gap} after the time before, at {at}: leave at least {least} between two times.":
    "{at} 실행이 바로 앞 실행과 {gap} 간격입니다. 두 실행 사이를 {least} 이상으로 하세요.",
  "The schedule is over {max} characters: shorten it.": "예약 시각이 {max}자를 넘습니다. 줄이세요.",
  'write it as "90s", "30m", "2h", "1d", "1w", "2시간" or a number of seconds':
    '"90s", "30m", "2h", "1d", "1w", "2시간" 또는 초를 나타내는 숫자로 쓰세요',
  "{text} is not a length that is always as long: {advice}.":
    "정해진 길이가 아닙니다: {text}. {advice}.",

  "The cron expression is over {max} characters: shorten it.":
    "cron 식이 {max}자를 넘습니다. 줄이세요.",
  "The cron expression {text} never fires: correct its day or month.":
    "실행될 때가 없는 cron 식입니다: {text}. 날이나 달을 고치세요.",
  "The cron expression {text} {problem}.": "cron 식 {text}: {problem}.",
  "is not a known nickname: write one of {names}":
    "알 수 없는 이름입니다. 쓸 수 있는 이름: {names}",
  "has {count} fields, not five or six: write {form}":
    "칸이 {count}개입니다. 다섯 개나 여섯 개로 쓰세요: {form}",
  "minute hour day month weekday, with a field for seconds before them if needed":
    "분 시 일 월 요일. 필요하면 맨 앞에 초",
  'has {value}: write "5#2" for a second Friday, "5L" for a last':
    '{value} 부분이 잘못되었습니다. 둘째 금요일은 "5#2", 마지막 금요일은 "5L"로 쓰세요',
  "has {value} as its {field}: {advice}": "{field} 칸의 {value} 값이 잘못되었습니다. {advice}",
  seconds: "초",
  minutes: "분",
  hours: "시",
  "days of the month": "일",
  months: "월",
  weekdays: "요일",
  "a step is from 1 to {max}": "간격은 1부터 {max}까지입니다",
  "write {min} to {max}": "{min}부터 {max}까지로 쓰세요",
  "write a name, or {min} to {max}": "이름을 쓰거나 {min}부터 {max}까지로 쓰세요",
  'write "{from}-{to}/{step}"': '"{from}-{to}/{step}"처럼 쓰세요',
  'write "*", "5", "1-5", "1,3", "*/2" or "10-20/2"':
    '"*", "5", "1-5", "1,3", "*/2", "10-20/2"처럼 쓰세요',
  "write the lower end first, or two ranges": "작은 값을 먼저 쓰거나 범위를 둘로 나누세요",

  "The recurrence rule is over {max} characters: shorten it.":
    "반복 규칙이 {max}자를 넘습니다. 줄이세요.",
  "The recurrence rule {text} never fires from now on: correct its days, COUNT, UNTIL or start.":
    "앞으로 실행될 때가 없는 반복 규칙입니다: {text}. 날, COUNT, UNTIL이나 시작 시각을 고치세요.",
  "The recurrence rule {text} {problem}.": "반복 규칙 {text}: {problem}.",
  "has no FREQ: write {values}": "FREQ가 없습니다. 쓸 수 있는 값: {values}",
  "has FREQ={value}: write {values}": "FREQ={value} 값이 잘못되었습니다. 쓸 수 있는 값: {values}",
  "1 to {max}, or -1 to {same} from the end": "1부터 {max}까지, 끝에서 세면 -1부터 {same}까지",
  "has COUNT and UNTIL: leave one out": "COUNT와 UNTIL이 함께 있습니다. 하나를 빼세요",
  "numbers its weekdays, which only a month or a year can: write FREQ=MONTHLY":
    "요일에 번호를 붙이는 것은 월이나 연 단위에서만 됩니다. FREQ=MONTHLY로 쓰세요",
  "has a BYDAY that no month has: write 1 to 5, or -1 to -5 from the end":
    "어느 달에도 없는 BYDAY입니다. 1부터 5까지, 끝에서 세면 -1부터 -5까지로 쓰세요",
  "has BYMONTHDAY in a week: write FREQ=MONTHLY":
    "BYMONTHDAY는 주 단위에 쓸 수 없습니다. FREQ=MONTHLY로 쓰세요",
  "has BYYEARDAY: write FREQ=YEARLY for it": "BYYEARDAY에는 FREQ=YEARLY를 쓰세요",
  "has BYWEEKNO: write FREQ=YEARLY for it": "BYWEEKNO에는 FREQ=YEARLY를 쓰세요",
  "has BYSETPOS alone: write what it picks from, such as BYDAY":
    "BYSETPOS만 있습니다. BYDAY처럼 고를 대상을 함께 쓰세요",
  "picks with BYSETPOS from an hour: write what it picks":
    "시간 단위에서는 BYSETPOS로 고를 수 없습니다. 고를 값을 직접 쓰세요",
  "is more than a rule: give the start as start, and no other lines":
    "규칙 말고 다른 줄이 있습니다. 시작 시각은 start로 따로 쓰세요",
  "has {part}: write parts such as FREQ=WEEKLY;BYDAY=MO,FR":
    "{part} 부분을 읽을 수 없습니다. FREQ=WEEKLY;BYDAY=MO,FR처럼 쓰세요",
  "has {name} twice: leave one out": "{name} 부분이 두 번 있습니다. 하나를 빼세요",
  "has {value} in {name}: write {range}":
    "{name}의 {value} 값이 잘못되었습니다. 쓸 수 있는 값: {range}",
  "has {value} in BYDAY: write MO, TU, WE, TH, FR, SA, SU, 1MO or -1FR":
    "BYDAY의 {value} 값이 잘못되었습니다. MO, TU, WE, TH, FR, SA, SU, 1MO, -1FR처럼 쓰세요",
  "has WKST={value}: write a weekday such as MO":
    "WKST={value} 값이 잘못되었습니다. MO처럼 요일을 쓰세요",
  "has UNTIL={value}: write it as 20261231 or 20261231T235959Z":
    "UNTIL={value} 값이 잘못되었습니다. 20261231이나 20261231T235959Z처럼 쓰세요",
  "has an UNTIL that no calendar has: correct it": "UNTIL이 달력에 없는 날입니다. 고쳐 쓰세요",
};
