import { state } from "./ko-states.ts";

/** Why a slot did not run. */
export const skips = {
  overlap: "앞선 실행이 아직 끝나지 않았음",
  budget: "그날 예산을 다 썼음",
  paused: "예약이 일시 정지 중이었음",
};

/** As they stand in the book. */
const fixed: ReadonlyMap<string, string> = new Map([
  ...Object.entries(skips),
  ["a later slot came", "더 늦은 예정 시각이 옴"],
  ["a newer slot came", "새 예정 시각이 옴"],
  ["its schedule was deleted", "예약이 삭제됨"],
  ["the schedule was deleted", "예약이 삭제됨"],
  ["removed from config", "설정에서 빠짐"],
  ["paused by an edit", "수정하면서 일시 정지됨"],
  ["deleted", "삭제됨"],
  ["answered", "답함"],
  ["it waits for its turn", "차례를 기다림"],
  ["as many as may are running", "동시에 실행할 수 있는 만큼 실행 중임"],
  ["given back: the node stopped", "노드가 멈춰서 되돌림"],
  ["it was cancelled while it ran", "실행 중에 취소됨"],
  ["nobody answered what it asked in time", "질문에 제때 답이 없었음"],
  ["the node stopped in the middle of it", "실행 도중에 노드가 멈춤"],
  ["the node went away in the middle of it", "실행 도중에 노드가 사라짐"],
  [
    "it ran; its schedule could not be read at its end",
    "실행은 끝났지만 그때 예약을 읽을 수 없었음",
  ],
  ["no callback came in time", "콜백이 제때 오지 않음"],
  ["its end was told", "끝났다는 말을 들음"],
  ["it said that it failed", "실패했다고 알려 옴"],
  ["the receiver says that it failed", "받는 쪽에서 실패했다고 함"],
  ["killed from outside", "밖에서 강제로 끝냄"],
  ["told to stop", "멈추라는 말을 들음"],
  ["time is up", "시간이 다 됨"],
]);

/** With a number or a name in them. */
const counted: readonly (readonly [RegExp, (value: string) => string])[] = [
  [/^timed out after ([\d.]+) s$/, (s) => `${s}초가 지나 멈춤`],
  [
    /^timed out after ([\d.]+) s, and did not stop when told$/,
    (s) => `${s}초가 지났지만 멈추라는 말을 듣지 않음`,
  ],
  [/^exit (\d+)$/, (code) => `종료 코드 ${code}`],
  [/^it ended with exit (\d+)$/, (code) => `종료 코드 ${code}`],
  [/^(\d+) s late$/, (s) => `${s}초 늦음`],
  [/^over (\d+) to make up for$/, (count) => `채울 것이 ${count}건을 넘음`],
  [/^disabled after (\d+) consecutive failures$/, (count) => `${count}번 연속 실패해서 중지됨`],
  [/^its run ended (\w+)$/, (name) => `실행 결과: ${state(name)}`],
  [/^the receiver answered (\d+)$/, (status) => `받는 쪽의 응답: ${status}`],
  [/^no ping came by (\S+)$/, (at) => `${at}까지 신호가 오지 않음`],
  [/^paused by (.+)$/, (by) => `${by}: 일시 정지`],
];

/** Why something is so, if these are words of ours; what a program or a person said stays as it is. */
export function reason(text: string): string {
  const known = wordsFor(text);
  if (known !== undefined) return known;
  // What was seen stands after why it mattered: "timed out after 8 s: exit 1: no disk".
  const [, head = "", tail = ""] = /^(.*?): (.*)$/s.exec(text) ?? [];
  const first = wordsFor(head);
  return first === undefined ? text : `${first}: ${reason(tail)}`;
}

function wordsFor(text: string): string | undefined {
  const whole = fixed.get(text);
  if (whole !== undefined) return whole;
  for (const [shape, say] of counted) {
    const value = shape.exec(text)?.[1];
    if (value !== undefined) return say(value);
  }
  return undefined;
}
