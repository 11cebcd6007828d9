import type { Catalogue } from "../../platform/sentences.ts";

export const ko: Catalogue = {
  "calendar entry": "캘린더 항목",
  "The entry changes while it is being written: it is tried again later.":
    "항목을 적는 동안 그 항목이 계속 바뀝니다. 나중에 다시 시도합니다.",
  "Calendars of the kind {type} cannot be connected here: use another kind.":
    "여기서는 연결할 수 없는 캘린더입니다({type}). 다른 종류를 쓰세요.",
  "A feed is never claimed.": "구독 주소는 맡아서 할 일이 없습니다.",
  'A calendar of the kind {kind} needs "{name}": give it.':
    '이 종류의 캘린더({kind})에는 "{name}" 값이 필요합니다. 함께 쓰세요.',
  'There is no key here to seal a secret with: name a variable of the daemon instead, as {"env": "NAME"}.':
    '여기에는 비밀 값을 봉할 열쇠가 없습니다. 대신 데몬의 환경 변수를 {"env": "NAME"}처럼 쓰세요.',
  'A variable of the daemon may be named only by a token with the scope "run": give the secret as text.':
    '데몬의 환경 변수를 쓰려면 토큰에 "run" 권한이 있어야 합니다. 비밀 값을 직접 쓰세요.',
  "A calendar cannot show {names}: choose from {all}.":
    "캘린더에 보여 줄 수 없습니다: {names}. {all} 가운데에서 고르세요.",
  "There is nothing to change: give name, shows, ended, edits, busy, zone or minutes.":
    "바꿀 것이 없습니다. name, shows, ended, edits, busy, zone, minutes 가운데 하나를 쓰세요.",
  "The calendar {id} was deleted: create a new one.": "삭제된 캘린더입니다({id}). 새로 만드세요.",
  "The brake of this calendar is not on: there is nothing to confirm.":
    "이 캘린더는 멈춰 있지 않습니다. 확인할 것이 없습니다.",
  "A feed is made when it is read: there is nothing to sync.":
    "구독 주소는 읽을 때마다 만들어집니다. 동기화할 것이 없습니다.",
  "The calendar could not be synced: {reason}": "캘린더를 동기화하지 못했습니다: {reason}",
  "The pass is not complete after a minute: see daybook calendar show {id}, and start a node with daybook start if none runs.":
    "1분이 지나도 동기화가 끝나지 않았습니다. daybook calendar show {id} 명령으로 확인하고, 도는 노드가 없으면 daybook start 명령으로 시작하세요.",
};
