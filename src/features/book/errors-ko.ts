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
};
