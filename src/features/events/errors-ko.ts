import type { Catalogue } from "../../platform/sentences.ts";

export const ko: Catalogue = {
  '"at" and "hops" must be whole numbers, 0 or more.':
    '"at"과 "hops" 값은 0 이상의 정수여야 합니다.',
  "The payload is not a JSON object: write it in { }.":
    "내용이 JSON 객체가 아닙니다. { } 안에 쓰세요.",
  "The payload is over {max} bytes: store it elsewhere and send a link.":
    "내용이 {max}바이트를 넘습니다. 다른 곳에 두고 링크를 보내세요.",
  '{value} is not {what}: write it like "{example}".':
    '형식에 맞지 않습니다({what}): {value}. "{example}"처럼 쓰세요.',
  "the name of an event": "이벤트 이름",
  "the type of an event": "이벤트 종류",
  "the name of a source": "소스 이름",
  "a repository": "저장소",
  "There is nothing to claim: give a handler or the id of a task.":
    "맡을 작업을 알 수 없습니다. 처리기의 이름이나 작업의 id를 쓰세요.",
  '{name} runs on this installation: workers take tasks of handlers without "run".':
    '{name:은/는} 이 설치에서 직접 실행합니다. 작업자는 "run"이 없는 처리기의 작업만 맡습니다.',
  "The payload must be plain JSON.": "내용은 일반 JSON이어야 합니다.",
  "{id} matches {ids}: give more of the id.":
    "{id}에 해당하는 것이 여럿입니다: {ids}. id를 더 길게 쓰세요.",
  "There is no change: give a payload, input or priority.":
    "바꿀 것이 없습니다. 내용, 입력, 우선순위 중에서 쓰세요.",
  "A message has no payload or input. To change its text: daybook notification edit {id} --message.":
    "알림에는 페이로드나 입력이 없습니다. 내용을 바꾸려면: daybook notification edit {id} --message",
  "An event has no input: give a payload instead.": "이벤트에는 입력이 없습니다. 내용을 쓰세요.",
  "This task has no payload: give an input instead.": "이 작업에는 내용이 없습니다. 입력을 쓰세요.",
  "The input of this task is made from its payload: give a payload only.":
    "이 작업의 입력은 내용에서 만들어집니다. 내용만 쓰세요.",
  "{id} has ended ({state}). To run it again: daybook queue redrive {same} --payload ….":
    "이미 끝났습니다: {id}({state}). 다시 실행하려면: daybook queue redrive {same} --payload …",
  "{id} cannot be changed: {problem}.": "바꿀 수 없습니다: {id}. {problem}.",
  "its state is {state}": "상태가 {state}입니다",
  "{worker} is working on it": "{worker:이/가} 작업 중입니다",
  "{id} is {state} and cannot be moved to {queue}: {advice}.":
    "옮길 수 없습니다: {id}({state} → {queue}). {advice}.",
  "it cannot be moved any more": "더는 옮길 수 없습니다",
  "the only move is daybook queue move {id} {queue}":
    "할 수 있는 것은 daybook queue move {id} {queue}뿐입니다",
  '"after" needs a queue: name the queue of the page.':
    '"after" 값은 대기열과 함께 써야 합니다. 그 페이지의 대기열을 쓰세요.',
  "{state} is not a state of {queue}. Choose one of: {states}.":
    "{queue}에는 {state} 상태가 없습니다. 다음 중에서 고르세요: {states}.",
  "{id} has not ended ({state}): wait, or cancel it first.":
    "아직 끝나지 않았습니다: {id}({state}). 기다리거나 먼저 취소하세요.",
  "A message is sent again unchanged: leave out payload and input.":
    "알림은 그대로 다시 보냅니다. 내용과 입력을 빼세요.",
  "{id} is a run of a schedule. To run it again: daybook schedule run {name}.":
    "{id:은/는} 예약의 실행입니다. 다시 실행하려면: daybook schedule run {name}",
  "{id} was run again before, as {again}: redrive that one.":
    "{id:은/는} 이미 {again:으로/로} 다시 실행했습니다. 그것을 다시 실행하세요.",
  "This has no {name}: give another {other} instead.":
    "여기에는 {name:이/가} 없습니다. 대신 {other:을/를} 쓰세요.",
  "It is {state}, and only a failed, unconfirmed or expired notification can be sent again: {advice}.":
    "다시 보낼 수 없는 알림입니다({state}). 실패했거나 확인되지 않았거나 만료된 알림만 다시 보낼 수 있습니다. {advice}.",
  "not allowed: the result names {channel}; {advice}.":
    "결과에 쓴 채널은 허용되지 않습니다: {channel}. {advice}.",
  "delete one first": "먼저 하나를 삭제하세요",
  "wait, or cancel it": "기다리거나 취소하세요",
  "create a new reminder": "새 알림을 만드세요",
  "{kind} is not a kind of record that can be subscribed to. Choose from: {kinds}.":
    "구독할 수 없는 종류입니다: {kind}. 다음에서 고르세요: {kinds}.",
  "The result of {id} was sent for {other}: send each result for its own task.":
    "{id}의 결과를 {other}의 결과로 보냈습니다. 결과는 각각의 작업에 보내세요.",
  "This is not a valid result: {problem}.": "올바른 결과가 아닙니다: {problem}.",
  "Another worker holds {id} now: stop working on it and claim it again.":
    "지금은 다른 작업자가 맡고 있습니다: {id}. 작업을 멈추고 다시 맡으세요.",
  "{id} has ended ({state}), so no report is accepted: claim another task.":
    "이미 끝나 보고를 받지 않습니다: {id}({state}). 다른 작업을 맡으세요.",
  "You do not hold {id} with this ticket: stop working on it and claim it again.":
    "이 티켓으로 맡은 작업이 아닙니다: {id}. 작업을 멈추고 다시 맡으세요.",
  "{id} was edited during every try: send the result again.":
    "그사이 계속 수정되었습니다: {id}. 결과를 다시 보내세요.",
  "{id} cannot be claimed yet: {problem}.": "아직 맡을 수 없습니다: {id}. {problem}.",
  "it waits for a person": "사람의 답을 기다립니다",
  "it is due at {at}": "예정 시각은 {at}입니다",
  "{id} has ended ({state}): claim another task.":
    "이미 끝났습니다: {id}({state}). 다른 작업을 맡으세요.",
  '{id} runs on this installation, by {runner}: workers take tasks of handlers without "run".':
    '{id:은/는} 이 설치에서 직접 실행합니다({runner}). 작업자는 "run"이 없는 처리기의 작업만 맡습니다.',
  "{worker} holds {id} until {at}: claim another task, or wait.":
    "{worker:이/가} {at}까지 {id:을/를} 맡고 있습니다. 다른 작업을 맡거나 기다리세요.",
  "This process handles no events: send the request to a running daemon.":
    "이 프로세스는 이벤트를 처리하지 않습니다. 실행 중인 데몬에 요청하세요.",
  'There is no handler {name}: give the name of one under "handlers" in the settings.':
    '처리기 {name:이/가} 없습니다. 설정의 "handlers"에 있는 이름을 쓰세요.',
  '{name} is not the name of a source: write it like "github".':
    '소스 이름으로 쓸 수 없습니다: {name}. "github"처럼 쓰세요.',
  "{name} cannot be polled every {ms} ms: choose from {min} to {max} ms.":
    "{name:을/를} {ms}ms마다 확인할 수는 없습니다. {min}ms부터 {max}ms 사이로 쓰세요.",
  "There is no change {number} yet: the last one is {last}.":
    "{number}번 변경은 아직 없습니다. 마지막은 {last}번입니다.",
  "Changes before {first} cannot be replayed any more: start at {same} or later.":
    "{first}번보다 앞의 변경은 이제 다시 보낼 수 없습니다. {same}번부터 보내세요.",
  '"kinds" is empty: choose from {kinds}.':
    '"kinds" 값이 비어 있습니다. 다음에서 고르세요: {kinds}.',
  "{state} is not a state of any {kinds}: give states that they have.":
    "{kinds}에는 {state} 상태가 없습니다. 있는 상태를 쓰세요.",
  "This is not a task of a handler: workers take only those.":
    "처리기의 작업이 아닙니다. 작업자는 처리기의 작업만 맡습니다.",
  "The store does not answer: send the result again.":
    "저장소가 응답하지 않습니다. 결과를 다시 보내세요.",
};
