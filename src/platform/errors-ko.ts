import type { Catalogue } from "./sentences.ts";

export const ko: Catalogue = {
  "a whole number": "정수여야",
  "a list": "목록이어야",
  "a string": "문자열이어야",
  "a number": "숫자여야",
  "an object": "객체여야",
  "true or false": "true 또는 false여야",
  "{name} may not have {keys}": "{name}에 쓸 수 없는 이름이 있습니다: {keys}",
  "{name} is missing": "{name} 값이 없습니다",
  "{name} is empty": "{name} 값이 비어 있습니다",
  "{name} must be over {min}": "{name} 값은 {min}보다 커야 합니다",
  "{name} must be at least {min}": "{name} 값은 {min} 이상이어야 합니다",
  "{name} must be at most {max} characters": "{name} 값은 {max}자 이하여야 합니다",
  "{name} must be at most {max}": "{name} 값은 {max} 이하여야 합니다",
  "{name} must be one of {values}": "{name} 값은 다음 중 하나여야 합니다: {values}",
  "{name} is not valid: {problem}": "{name} 값이 올바르지 않습니다: {problem}",
  "{name} must be {shape}": "{name} 값은 {shape} 합니다",

  "Send the header Content-Type: application/json.":
    "Content-Type: application/json 헤더를 보내세요.",
  "The body cannot be read: send JSON in UTF-8.":
    "본문을 읽을 수 없습니다. UTF-8로 된 JSON을 보내세요.",
  "The body is nested too deeply: {max} levels at most.":
    "본문의 중첩이 너무 깊습니다. {max}단계까지 쓸 수 있습니다.",
  'No input is called "__proto__": leave it out.':
    '"__proto__"는 입력 이름으로 쓸 수 없습니다. 빼고 보내세요.',
  "The body is too large: {max} bytes at most.":
    "본문이 너무 큽니다. {max}바이트까지 보낼 수 있습니다.",
  "This path takes {methods}.": "이 경로에서 쓸 수 있는 메서드: {methods}.",
  'There is nothing with the {name} "{value}".': '해당하는 기록이 없습니다: {name} "{value}".',

  "The request cannot be written: {problem}": "요청을 만들 수 없습니다: {problem}",
  "{host} did not answer within {ms} ms: try again.":
    "{host:이/가} {ms}ms 안에 응답하지 않았습니다. 다시 시도하세요.",
  "The answer is longer than {max} bytes: ask for less.":
    "응답이 {max}바이트를 넘습니다. 더 적게 요청하세요.",
  "No answer from {host}: {problem}. Check the host and the network.":
    "{host:이/가} 응답하지 않습니다({problem}). 호스트와 네트워크를 확인하세요.",
  "The request was aborted by its caller.": "요청한 쪽에서 요청을 취소했습니다.",

  "begin it with https://, or http:// where an administrator has listed the host":
    "https://로 시작하세요. 관리자가 허용한 호스트라면 http://도 됩니다",
  "an administrator may list {host} in {variable}.":
    "관리자가 {variable}에 {host:을/를} 추가하면 쓸 수 있습니다.",
  "The URL is not valid: write a complete https URL.":
    "URL이 올바르지 않습니다. https://로 시작하는 전체 주소를 쓰세요.",
  "The URL carries a name or a password: put them in a header.":
    "URL에 사용자 이름이나 비밀번호가 들어 있습니다. 헤더로 옮기세요.",
  "The URL is not a web address: {advice}.": "웹 주소가 아닙니다. {advice}.",
  "The URL is not https: use https, or {advice}":
    "https 주소가 아닙니다. https를 쓰세요. 또는 {advice}",
  "{host} is not on the public internet: {advice}":
    "공개 인터넷에 있는 주소가 아닙니다: {host}. {advice}",
  "The header {name} is set by Daybook: leave it out.":
    "Daybook이 직접 넣는 헤더입니다: {name}. 빼고 쓰세요.",
  "A line has over {max} characters: look what it is.":
    "한 줄이 {max}자를 넘습니다. 어떤 파일인지 확인하세요.",
};
