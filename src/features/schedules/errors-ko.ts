import type { Catalogue } from "../../platform/sentences.ts";

export const ko: Catalogue = {
  "The schedule is disabled and does not run: resume it before you pause it.":
    "중지된 예약이라 실행되지 않습니다. 일시 정지하려면 먼저 재개하세요.",
  '"until" is in the past: give a later time, or none.':
    '"until" 값이 이미 지난 시각입니다. 더 늦은 시각을 쓰거나 빼세요.',
  "The schedule has no time left to run at: edit its time first.":
    "앞으로 실행할 시각이 없는 예약입니다. 먼저 시각을 고치세요.",
  "{owner} may have {max} schedules, and this is one more: remove or delete another one first.":
    "{owner}의 예약은 {max}개까지만 만들 수 있습니다. 먼저 다른 예약을 빼거나 삭제하세요.",
  "The run has {bytes} bytes, over the limit of {max}: put its input in a file and pass the file's name.":
    "실행 내용이 {bytes}바이트로 한도 {max}바이트를 넘습니다. 입력을 파일에 넣고 파일 이름을 넘기세요.",
  "The name has a line break or control character: use one line of text.":
    "이름에 줄바꿈이나 제어 문자가 있습니다. 한 줄로 쓰세요.",
  "The command is empty: give a program to run.": "명령이 비어 있습니다. 실행할 프로그램을 쓰세요.",
  "The command has a NUL character: remove it.": "명령에 NUL 문자가 있습니다. 지우세요.",
  "{url} is not a URL to call: start it with https:// or http://.":
    "호출할 수 있는 URL이 아닙니다: {url}. https://나 http://로 시작하세요.",
  '"{name}" must be a {whole}number over 0; got {value}.':
    '"{name}" 값은 0보다 큰 수여야 합니다. 받은 값: {value}.',
  "The {what} is empty: give one.": "비어 있는 값이 있습니다: {what}. 값을 쓰세요.",
  "The {what} has spaces around it: remove them.":
    "앞뒤에 띄어쓰기가 있습니다: {what}. 띄어쓰기를 지우세요.",
  "The {what} has invalid characters: type it again.":
    "쓸 수 없는 문자가 있습니다: {what}. 다시 입력하세요.",
  '"{name}" must be {range}; got {value}.':
    '"{name}" 값이 범위를 벗어났습니다(범위: {range}). 받은 값: {value}.',
  "at most {max}": "{max} 이하",
  "0 or more": "0 이상",
  '"{name}" must be a whole number from {min} to {max}; got {value}.':
    '"{name}" 값은 {min}부터 {max}까지의 정수여야 합니다. 받은 값: {value}.',
  "The {what} is over the limit of {max} characters: shorten it.":
    "{max}자를 넘는 값이 있습니다: {what}. 줄이세요.",
  "The settings are invalid, so the old ones stay in use: correct them and try again.{problems}":
    "설정이 잘못되어 예전 설정을 그대로 씁니다. 고쳐서 다시 시도하세요.{problems}",
  "A watch waits for pings and runs nothing: it has no times to run.":
    "감시는 신호를 기다리기만 하므로 실행할 시각이 없습니다.",
  '"from" is in the future: give a past time, such as 2026-11-01.':
    '"from" 값이 미래의 시각입니다. 2026-11-01처럼 지난 시각을 쓰세요.',
  "The request changes nothing: give when, name, run, notify, target or another setting.":
    "바꿀 것이 없습니다. when, name, run, notify, target이나 다른 설정을 쓰세요.",
  "a single time": "한 번 실행하는 시각",
  "an interval": "간격",
  'The schedule has {cadence}, which has no time zone: give "when" too.':
    '이 예약의 주기({cadence})에는 시간대가 없습니다. "when" 값도 함께 쓰세요.',
  "The schedule is {state} and cannot be changed: create another one.":
    "바꿀 수 없는 예약입니다({state}). 새로 만드세요.",
  'give one of them; put the purpose of a schedule into its "name"':
    '둘 중 하나만 쓰세요. 예약의 목적은 "name"에 쓰세요',
  '"cadence_type" and "cadence_value" belong together: give both.':
    '"cadence_type"과 "cadence_value"는 함께 써야 합니다. 둘 다 쓰세요.',
  '"cadence" is given twice: give it once.': '"cadence" 값이 두 번 있습니다. 한 번만 쓰세요.',
  '"goal" is the run of an agent, but "run" has {keys}: {advice}.':
    '"goal" 값은 에이전트를 실행하는데 "run" 값에 다른 것이 있습니다: {keys}. {advice}.',
  "A schedule named {name} already exists: choose another name, or edit that one.":
    "같은 이름의 예약이 이미 있습니다: {name}. 다른 이름을 쓰거나 그 예약을 고치세요.",
  "This book has {max} schedules, which is the limit: delete one first.":
    "이 장부의 예약이 한도인 {max}개에 이르렀습니다. 먼저 하나를 삭제하세요.",
  "The schedule is running now, as {id}: wait for that run to end, or cancel it first.":
    "지금 실행 중인 예약입니다: {id}. 끝날 때까지 기다리거나 먼저 취소하세요.",
  '"when" and "cadence" are two ways to give the time: give one of them.':
    '"when"과 "cadence"는 둘 다 시각입니다. 하나만 쓰세요.',
  'The time is missing: give one such as "every weekday 9am".':
    '시각이 없습니다. "평일 오전 9시"처럼 쓰세요.',
  "{name} is a watch, which waits for pings and runs nothing: create a schedule for the run.":
    "{name:은/는} 신호를 기다리기만 하는 감시입니다. 실행할 예약을 따로 만드세요.",
  "The watch was deleted while it was pinged.": "신호를 받는 동안 감시가 삭제되었습니다.",
  "This schedule is not a watch and takes no pings: see daybook run list.":
    "감시가 아닌 예약이라 신호를 받지 않습니다. 실행 보기: daybook run list",
  "There is no schedule {id} on the previous page any more: start with the first page.":
    "이전 페이지의 예약 {id:이/가} 이제 없습니다. 첫 페이지부터 다시 보세요.",
  'A watch needs a recurring time: give "every", such as "1d", or a recurring "when".':
    '감시에는 반복되는 시각이 필요합니다. "every" 값을 "1d"처럼 쓰거나 "when"에 반복되는 시각을 쓰세요.',
  '"every" and "when" are two ways to give the time: give one of them.':
    '"every"와 "when"은 둘 다 시각입니다. 하나만 쓰세요.',
  "A watch waits for pings and runs nothing: run its job where it lives.":
    "감시는 신호를 기다리기만 합니다. 작업은 그 작업이 있는 곳에서 실행하세요.",
  '"to" is before "from": swap the two times.':
    '"to" 값이 "from" 값보다 앞섭니다. 두 시각을 서로 바꾸세요.',
  "This range has {count} slots, over the limit of {max}: choose a shorter one.":
    "이 기간의 실행이 {count}번으로 한도 {max}번을 넘습니다. 기간을 줄이세요.",
  "A schedule that a run creates may create others only {max} deep, and this one would be at depth {depth}: do the work in this run, or tell the person what to schedule.":
    "실행이 만든 예약은 {max}단계까지만 다른 예약을 만들 수 있는데, 이 예약은 {depth}단계입니다. 이 실행에서 바로 처리하거나, 무엇을 예약할지 사람에게 알려 주세요.",
  "This run has created {limit} schedules, which is the limit: {advice}.":
    "이 실행이 예약을 한도({limit}개)까지 만들었습니다. {advice}.",
  "The runs of today have created {limit} schedules, which is the limit: {advice}.":
    "오늘의 실행이 예약을 한도({limit}개)까지 만들었습니다. {advice}.",
  "do the work in this run, or delete one of them first":
    "이 실행에서 바로 처리하거나, 만든 예약 하나를 먼저 삭제하세요",
  "{condition} is a condition in words, which only an agent can judge: run an agent, or use --notify conditional and have the command begin its output with [NOTIFY].":
    "말로 쓴 조건은 에이전트만 판단할 수 있습니다: {condition}. 에이전트를 실행하거나, --notify conditional을 쓰고 명령의 출력이 [NOTIFY]로 시작하게 하세요.",
};
