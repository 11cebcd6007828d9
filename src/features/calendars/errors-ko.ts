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
  'A variable of the daemon may be named only by a token with the scope "run": give the secret as text.':
    '데몬의 환경 변수를 쓰려면 토큰에 "run" 권한이 있어야 합니다. 비밀 값을 직접 쓰세요.',
  'There is no key here to seal a secret with: set DAYBOOK_SECRET_KEY, or name a variable of the daemon instead, as {"env": "NAME"}.':
    '여기에는 비밀 값을 암호화할 키가 없습니다. DAYBOOK_SECRET_KEY를 설정하거나, 대신 데몬의 환경 변수를 {"env": "NAME"}처럼 쓰세요.',
  "This address ends no connection that was begun here: {advice}.":
    "여기서 시작한 연결의 주소가 아닙니다. {advice}.",
  "run daybook calendar connect google again":
    "daybook calendar connect 명령(google)을 다시 실행하세요",
  "You did not allow the access at Google: {advice}, and choose Allow.":
    "Google에서 접근을 허용하지 않았습니다. 허용하려면: {advice}.",
  "The connection was begun more than 10 minutes ago: {advice}.":
    "연결을 시작한 지 10분이 지났습니다. {advice}.",
  "Google did not allow the access: {reason}. To try it, {advice}.":
    "Google이 접근을 허용하지 않았습니다: {reason}. 다시 하려면 {advice}.",
  "Somebody else began this connection: {advice}.": "다른 사람이 시작한 연결입니다. {advice}.",
  "Calendars of Google cannot be connected here: use a daemon.":
    "여기서는 Google 캘린더를 연결할 수 없습니다. 데몬에서 연결하세요.",
  "Google must know Daybook first: make an OAuth client there (docs/calendars.md), and set calendars.google.clientId and clientSecret, or give --client-id and --client-secret.":
    "먼저 Google에 Daybook을 등록해야 합니다. OAuth 클라이언트를 만들고(docs/calendars.md) calendars.google.clientId와 clientSecret을 설정하거나, --client-id와 --client-secret을 쓰세요.",
  'This book has no address that a browser could come back to: give "redirect_uri".':
    '브라우저가 돌아올 주소가 없는 장부입니다. "redirect_uri" 값을 쓰세요.',
  '"redirect_uri" must be an address of this machine, such as http://127.0.0.1:8123/.':
    '"redirect_uri" 값은 이 컴퓨터의 주소여야 합니다. 예: http://127.0.0.1:8123/.',
  "Google takes the answer of a person only once, and for a few minutes: {advice}.":
    "Google은 허용 응답을 몇 분 안에 한 번만 받습니다. {advice}.",
  "You did not allow Daybook to change events: {advice}, and tick all that it asks for.":
    "캘린더 항목을 바꾸도록 허용하지 않았습니다. {advice}. 이때 요청하는 항목을 모두 선택하세요.",
  "Google gave no login that lasts: remove the access of your OAuth client at {page}, then {advice}.":
    "Google이 계속 쓸 수 있는 로그인을 주지 않았습니다. {page}에서 OAuth 클라이언트의 접근 권한을 삭제한 뒤 {advice}.",
  "The calendar needs the variable {name}: set it where Daybook runs.":
    "캘린더에 환경 변수 {name} 값이 필요합니다. Daybook이 실행되는 곳에 설정하세요.",
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
