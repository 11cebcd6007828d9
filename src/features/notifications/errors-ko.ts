import type { Catalogue } from "../../platform/sentences.ts";

export const ko: Catalogue = {
  "It would expire before it is due: choose a later expiry time.":
    "보낼 시각보다 먼저 만료됩니다. 만료 시각을 더 늦추세요.",
  "The message is empty: write the text to send.": "알릴 내용이 비어 있습니다. 보낼 내용을 쓰세요.",
  "The message has {count} characters, and the maximum is {max}: shorten it, or send a link.":
    "알릴 내용이 {count}자입니다. {max}자까지 보낼 수 있으니 줄이거나 링크를 보내세요.",
  "The context has {count} characters, and the maximum is {max}: shorten it.":
    "배경 설명이 {count}자입니다. {max}자까지 쓸 수 있으니 줄이세요.",
  '"{name}" is longer than {max} characters: shorten it.':
    '"{name}" 값이 {max}자를 넘습니다. 줄이세요.',
  "It is {state} already, so it cannot be cancelled.":
    "취소할 수 없습니다. 이미 끝난 알림입니다({state}).",
  "{count} of {all} rows are invalid, so none was imported: correct them.{problems}":
    "{all}행 중 {count}행이 잘못되어 하나도 가져오지 않았습니다. 고쳐서 다시 하세요.{problems}",
  'write it as "2026-12-25T09:00:00"': '"2026-12-25T09:00:00"처럼 쓰세요',
  "The task {task} already has {count} waiting notifications: cancel or update one of them.":
    "작업 {task}에는 대기 중인 알림이 이미 {count}건 있습니다. 하나를 취소하거나 고치세요.",
  "The task {task} already has a {type} on {day}{id}: update that one, or choose another day.":
    "작업 {task}에는 그날 보낼 {type} 알림이 이미 있습니다({day}{id}). 그 알림을 고치거나 다른 날을 고르세요.",
  "Other notifications with this collapse key were written at the same time: try again.":
    "묶음 키가 같은 알림이 동시에 만들어졌습니다. 다시 시도하세요.",
  "Its expiry time has passed already: choose a later one.":
    "만료 시각이 이미 지났습니다. 더 늦은 시각을 쓰세요.",
  "A notification without a key was not written.": "키가 없는 알림을 만들지 못했습니다.",
  "It was sent or snoozed at the same time: try again.":
    "그사이 보냈거나 미룬 알림입니다. 다시 시도하세요.",
  "It is {state}, so it cannot be snoozed: create a new notification.":
    "미룰 수 없는 알림입니다({state}). 새로 만드세요.",
  "cancelled already": "이미 취소됨",
  "done already": "이미 완료됨",
  "{state} already": "이미 {state}",
  "remove one first": "먼저 하나를 삭제하세요",
  "There is no webhook {name} in this book: register it first.":
    "이 장부에 웹훅 {name:이/가} 없습니다. daybook webhook create로 먼저 등록하세요.",
  "Unknown channel {name}. Configured: {channels}. {advice}":
    "없는 채널입니다: {name}. 설정된 채널: {channels}. {advice}",
  "Choose one of these, or configure channels.{name}.":
    "이 중에서 고르거나 설정에 channels.{name} 항목을 추가하세요.",
  'Did you mean "{name}"?': '혹시 "{name}" 아닌가요?',
  "The target {target} is not yours: name your own inbox, {inbox}, or all your sessions, {sessions}.":
    "{target:은/는} 다른 사람의 대상입니다. 자신의 받은함({inbox})이나 자신의 모든 세션({sessions})을 쓰세요.",
  'This token may not name {target}: leave the target out, or use a token with the scope "target".':
    '이 토큰으로는 대상을 정할 수 없습니다: {target}. 빼고 쓰거나 "target" 권한이 있는 토큰을 쓰세요.',
  "There is nothing to change: give message, at or priority.":
    "바꿀 것이 없습니다. message, at, priority 중에서 쓰세요.",
  "It is {state}, so it cannot be changed.": "바꿀 수 없는 알림입니다({state}).",
  "being cancelled": "취소하는 중",
  "This is a mark on a sent message: give the id of that notification.":
    "보낸 알림에 붙은 표시입니다. 그 알림의 id를 쓰세요.",
  "This is a digest of several messages: give the id of the one to snooze.":
    "여러 알림을 묶은 것입니다. 미룰 알림의 id를 쓰세요.",
  "The webhook's URL must be a full http or https URL, such as https://example.org/hook.":
    "웹훅 주소는 https://example.org/hook 같은 전체 URL이어야 합니다.",
  "The webhook's URL has a user name or a password: remove them; messages are signed instead.":
    "웹훅 주소에 사용자 이름이나 비밀번호가 있습니다. 빼세요. 대신 메시지에 서명합니다.",
  "There is no filter, so everything that waits would be cancelled: give at least one of {names}.":
    "조건이 없으면 대기 중인 알림이 모두 취소됩니다. 다음 중 하나 이상을 쓰세요: {names}.",
  "This is {name}.json of an assistant, which Daybook cannot keep yet: nothing was imported. Its notifications.json can be imported.":
    "비서의 {name}.json 파일입니다. Daybook은 아직 이것을 보관할 수 없어 아무것도 가져오지 않았습니다. notifications.json은 가져올 수 있습니다.",
};
