import type { Catalogue } from "../../platform/sentences.ts";

export const ko: Catalogue = {
  "The input is wrong": "입력이 잘못되었습니다",
  "The input is over a limit": "입력이 한도를 넘습니다",
  "Not found": "찾을 수 없습니다",
  "It conflicts with an existing record": "이미 있는 기록과 충돌합니다",
  "What it needs is in use": "필요한 것을 이미 쓰고 있습니다",
  "The record has changed or is in another state": "기록이 바뀌었거나 다른 상태입니다",
  "It has ended": "이미 끝났습니다",
  "The record is being processed": "기록을 처리하는 중입니다",
  "Too busy": "지금은 너무 바쁩니다",
  "The result is unknown": "결과를 알 수 없습니다",
  "A required service is unavailable": "필요한 서비스를 쓸 수 없습니다",
  "Not supported here": "여기서는 지원하지 않습니다",
  "Not allowed": "허용되지 않습니다",
  "It is stopping": "멈추는 중입니다",
  "Internal error": "내부 오류입니다",
  "The limit is reached": "한도에 도달했습니다",

  "The session in daybook-session cannot be read: write it as a URL does.":
    "daybook-session의 세션을 읽을 수 없습니다. URL에 쓰는 방식으로 인코딩하세요.",
  "Missing or invalid token. Send a valid one as Authorization: Bearer TOKEN.":
    "토큰이 없거나 올바르지 않습니다. Authorization: Bearer 토큰 헤더로 올바른 토큰을 보내세요.",
  "This host name is not served here. Set DAYBOOK_PUBLIC_URL to the address that clients use.":
    "이 호스트 이름으로는 접속할 수 없습니다. DAYBOOK_PUBLIC_URL에 접속할 주소를 설정하세요.",
  "The request came from a page of another site. Send it from a page of this server.":
    "다른 사이트의 페이지에서 온 요청입니다. 이 서버의 페이지에서 보내세요.",
  "Too many failed logins from this address. Wait a minute.":
    "이 주소에서 로그인이 여러 번 실패했습니다. 1분 뒤에 다시 하세요.",
  "The request timed out, and its result is unknown. Check the record, or send the request again with a key.":
    "요청 시간이 초과되어 결과를 알 수 없습니다. 기록을 확인하거나 키를 붙여 다시 요청하세요.",
  "Internal error. The log has the details under request id {id}.":
    "내부 오류입니다. 자세한 내용은 로그의 요청 id {id}에 있습니다.",
  "Put the input into the JSON body, not after the ?.":
    "입력은 ? 뒤가 아니라 JSON 본문에 넣으세요.",
  "The body must be an object with names and values.": "본문은 이름과 값이 있는 객체여야 합니다.",
  '"{name}" is given twice and differs from the path or header: give it once.':
    '"{name}" 값이 경로나 헤더의 값과 다릅니다. 한 번만 쓰세요.',
  "This operation takes no key: leave out Idempotency-Key.":
    "이 요청에는 키를 쓸 수 없습니다. Idempotency-Key를 빼세요.",
  "Idempotency-Key is empty: give it a text, or leave it out.":
    "Idempotency-Key가 비어 있습니다. 값을 넣거나 빼세요.",
  "Daybook-Hops must be a whole number, such as 1.": "Daybook-Hops는 1과 같은 정수여야 합니다.",
  "This operation takes no revision: leave out If-Match.":
    "이 요청에는 리비전을 쓸 수 없습니다. If-Match를 빼세요.",
  'If-Match must name one revision, such as "7", or be *.':
    'If-Match는 "7"과 같은 리비전 하나이거나 *여야 합니다.',
  "There is nothing at {path}: see /openapi.json.":
    "{path} 경로는 없습니다. /openapi.json을 보세요.",
  "No chat of this name receives requests here. See docs/config.md.":
    "이 이름으로 요청을 받는 대화방이 없습니다. docs/config.md를 보세요.",
  'This token may not see metrics: it needs the scope "read".':
    '이 토큰으로는 지표를 볼 수 없습니다. "read" 권한이 있는 토큰을 쓰세요.',
  'This token may not see the facts of the daemon: it needs the scope "admin".':
    '이 토큰으로는 데몬의 상태를 볼 수 없습니다. "admin" 권한이 있는 토큰을 쓰세요.',
  "This path is a WebSocket: send an upgrade request.":
    "WebSocket 경로입니다. 업그레이드 요청을 보내세요.",
  "port {port} of {host}": "{host}의 {port} 포트",
  "Another program has {place}: stop it, or set DAYBOOK_PORT to a free port.":
    "다른 프로그램이 {place:을/를} 쓰고 있습니다. 그 프로그램을 멈추거나 DAYBOOK_PORT를 비어 있는 포트로 설정하세요.",
  "Not allowed to use {place}: set DAYBOOK_PORT to a port above 1023.":
    "{place:을/를} 쓸 권한이 없습니다. DAYBOOK_PORT를 1023보다 큰 포트로 설정하세요.",
  "Cannot listen on {place} ({problem}): set DAYBOOK_HOST or DAYBOOK_PORT.":
    "{place:으로/로} 접속을 받을 수 없습니다({problem}). DAYBOOK_HOST나 DAYBOOK_PORT를 설정하세요.",
};
