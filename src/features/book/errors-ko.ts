import type { Catalogue } from "../../platform/sentences.ts";

export const ko: Catalogue = {
  "{name} is the id of a {kind} and the name of a {other}: rename that one, or use its id, {id}.":
    "{name:은/는} {kind}의 id이면서 {other}의 이름입니다. 이름을 바꾸거나 id를 쓰세요: {id}.",
  "{count} {kind}s called {name} have ended. Use an id, the newest first: {ids}.":
    "이름이 {name}인 {kind} {count}개가 이미 끝났습니다. 이름 대신 id를 쓰세요. 최신순: {ids}.",
  'No pause of "{scope}" is in force: daybook whoami shows what is paused.':
    '"{scope}" 범위에는 일시 정지가 없습니다. 일시 정지 보기: daybook whoami',
  'No pause of "{scope}" is in force, but others are: {others}.':
    '"{scope}" 범위에는 일시 정지가 없습니다. 다른 일시 정지: {others}.',
  "{scope} (daybook resume --all{flag})": "{scope} (재개: daybook resume --all{flag})",
  "Give at most one of kind, owner and channel.": "kind, owner, channel 중에서 하나만 쓰세요.",
  'This token may pause only its own book: leave out kind, owner and channel, or use a token with the scope "admin".':
    '이 토큰으로는 자기 장부만 일시 정지할 수 있습니다. kind, owner, channel을 빼거나 "admin" 권한이 있는 토큰을 쓰세요.',
  "No daemon is running here. Settings are read at its start: daybook start.":
    "데몬이 실행되고 있지 않습니다. 설정은 시작할 때 읽습니다: daybook start",
  "The settings were reloaded, but their schedules were refused and stay as they were: correct them, and reload again.":
    "설정을 다시 읽었지만 설정의 예약이 거절되어 예전 예약을 그대로 씁니다. 고친 뒤 다시 읽으세요.",
  "Simulation is not available here: use a running daemon.":
    "여기서는 미리 볼 수 없습니다. 실행 중인 데몬에 요청하세요.",
  'This token may export only its own book: leave out owner, or use a token with the scope "admin".':
    '이 토큰으로는 자기 장부만 내보낼 수 있습니다. owner를 빼거나 "admin" 권한이 있는 토큰을 쓰세요.',
  '"after" is not the end of an earlier page: leave it out to start again.':
    '"after"가 앞 페이지의 끝이 아닙니다. 처음부터 다시 받으려면 빼세요.',
  "The file has the format {format}, and this Daybook reads {known}: use the version that wrote it.":
    "파일 형식이 {format}입니다. 이 Daybook은 {known} 형식을 읽습니다. 파일을 만든 버전을 쓰세요.",
  "The file has the book of {owner}, and you use that of {own}: use a token of {same}.":
    "파일에는 {owner}의 장부가 있는데, 쓰고 있는 것은 {own}의 장부입니다. {same}의 토큰을 쓰세요.",
  "This is not an exported book: its first line must be the one that an export writes.":
    "내보낸 장부가 아닙니다. 첫 줄은 내보낼 때 쓴 그대로여야 합니다.",
  "The file is cut off: its last line, which counts the records, is missing. Export the book again.":
    "파일이 잘렸습니다. 기록의 수를 적은 마지막 줄이 없습니다. 장부를 다시 내보내세요.",
  "Line {line} counts {count} records, and {lines} lines stand before it: export the book again.":
    "{line}번째 줄에는 기록이 {count}건이라고 적혀 있는데 그 앞에 {lines}줄이 있습니다. 장부를 다시 내보내세요.",
  "A record of the kind {name} is not imported: choose from {names}.":
    "가져오지 않는 종류입니다: {name}. 다음 중 하나여야 합니다: {names}.",
  "A {kind} has no state {state}: choose from {states}.":
    "{kind}에 없는 상태입니다: {state}. 다음 중 하나여야 합니다: {states}.",
  'The state {state} is an end: give "ended_at".':
    '끝난 상태입니다: {state}. "ended_at" 값을 쓰세요.',
  'The state {state} is no end: set "ended_at" to null.':
    '끝나지 않은 상태입니다: {state}. "ended_at" 값을 null로 쓰세요.',
  "The body is wrong: {problem}.": "body가 잘못되었습니다: {problem}.",
  "The outcome is wrong: {problem}.": "outcome이 잘못되었습니다: {problem}.",
  "The line is wrong: {problem}.": "줄이 잘못되었습니다: {problem}.",
  "The id {id} stands on line {line} already.": "같은 id가 {line}번째 줄에 이미 있습니다: {id}.",
  "{count} of {lines} lines are wrong, so nothing was imported: correct them.{list}":
    "{lines}줄 중 {count}줄이 잘못되어 아무것도 가져오지 않았습니다. 고쳐서 다시 가져오세요.{list}",
};
