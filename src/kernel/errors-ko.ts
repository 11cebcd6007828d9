import type { Catalogue } from "../platform/sentences.ts";

export const ko: Catalogue = {
  'This token may not call "{command}": it needs the scope "{scope}".':
    '이 토큰으로는 "{command}" 명령을 쓸 수 없습니다. "{scope}" 권한이 있는 토큰을 쓰세요.',
  "the inputs are {names}": "쓸 수 있는 입력: {names}",
  "There is no input {name}: {advice}": "없는 입력입니다: {name}. {advice}",
  '"{name}" takes no {key}': '"{name}"에 쓸 수 없는 이름입니다: {key}',
  '"{name}" is missing: {what}': '"{name}" 값이 없습니다: {what}',
  "The input must be an object with names and values.": "입력은 이름과 값이 있는 객체여야 합니다.",
  '"{name}" is given twice: give it once.': '"{name}" 값이 두 번 있습니다. 한 번만 쓰세요.',
  "and {count} more": "그 밖에 {count}개",

  "More than {count} records wait now, so they are no longer sorted by time: start with the first page.":
    "대기 중인 기록이 {count}개를 넘어 시간순으로 정렬할 수 없습니다. 첫 페이지부터 다시 보세요.",

  'There is no {kind} {"id"} in this book{hint}.': '이 장부에 {kind} {"id":이/가} 없습니다{hint}.',
  "; to show or cancel a question: daybook question show {id}, daybook question cancel {same}":
    ". 질문을 보거나 취소하려면: daybook question show {id}, daybook question cancel {same}",
  "run or task": "실행이나 작업",
  ": see daybook run list SCHEDULE, or daybook task list":
    ". 목록 보기: daybook run list 예약, daybook task list",
  ". List them: daybook question list": ". 목록 보기: daybook question list",
  ". List them: daybook queue list": ". 목록 보기: daybook queue list",
  ": see daybook schedule list": ". 목록 보기: daybook schedule list",
  ": see daybook workspace list": ". 목록 보기: daybook workspace list",
  ": see daybook list and daybook schedule list":
    ". 목록 보기: daybook list, daybook schedule list",
  "event, task or message": "이벤트나 작업, 알림",
  "record and no schedule": "기록이나 예약",
  "{sentence} Type at least the first {min} characters of an id.":
    "{sentence} id를 앞에서부터 {min}자 이상 쓰세요.",
  "Several ids start with {id}: {records}. Type more of the one you mean.":
    "{id:으로/로} 시작하는 id가 여럿입니다: {records}. 더 길게 쓰세요.",
  "Several ids start with {id}: {records}, and more. Type more of the one you mean.":
    "{id:으로/로} 시작하는 id가 여럿입니다: {records}, 그 밖에 더 있음. 더 길게 쓰세요.",
  "There is no record {id} in this book.": "이 장부에 기록 {id:이/가} 없습니다.",
  '"{name}" is held by {holder}: wait until that ends.':
    '"{name}" 이름을 {holder:이/가} 쓰고 있습니다. 끝날 때까지 기다리세요.',
  "another record": "다른 기록",
  "the record {id}": "기록 {id}",
  'The key "{key}" was used for another request, the record {id}: use another key.':
    '"{key}" 키는 다른 요청(기록 {id})에 이미 썼습니다. 다른 키를 쓰세요.',
  "The id {id} is taken: leave it out, and the store creates one.":
    "이미 쓰고 있는 id입니다: {id}. 빼고 보내면 새로 만듭니다.",
  '"after" must be the cursor of an earlier page; got "{value}".':
    '"after" 값은 이전 페이지의 next 값이어야 합니다. 받은 값: "{value}".',
  "The ledger is closed: open it again.": "장부가 닫혀 있습니다. 다시 여세요.",
  "The record {id} has ended ({state}): it never changes again.":
    "이미 끝난 기록이라 바꿀 수 없습니다: {id}({state}).",
  "The record {id} is leased by a worker: cancel it, or wait until it is settled.":
    "작업 중인 기록입니다: {id}. 취소하거나 끝날 때까지 기다리세요.",
  "The record {id} has changed: read it again and repeat the request.":
    "그사이 기록이 바뀌었습니다: {id}. 다시 읽은 뒤 요청하세요.",

  "The {kind} created with this key, {id}, has ended: choose another key.":
    "이 키로 만든 기록이 이미 끝났습니다: {kind} {id}. 다른 키를 쓰세요.",
  "The key {key} stands for another {kind}, {id}: choose another key.":
    "{key} 키는 다른 기록에 이미 썼습니다: {kind} {id}. 다른 키를 쓰세요.",
  "The book of {owner} is at its limit of {max} {plural}: {advice}.":
    "{owner}의 장부가 한도에 이르렀습니다({plural} {max}개). {advice}.",
  '{text} is not a target: write it as channel:address, such as "telegram:12345".':
    '대상을 읽을 수 없습니다: {text}. "telegram:12345"처럼 채널:주소로 쓰세요.',
};
