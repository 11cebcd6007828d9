import { withParticle } from "../../platform/particle.ts";
import { state } from "./names-ko.ts";

/** The reasons of skipped slots. */
const skips = {
  overlap: "앞선 실행이 아직 끝나지 않았음",
  budget: "그날 예산을 다 썼음",
  paused: "예약이 일시 정지 중이었음",
};

/** Stored reasons without a variable part. */
const fixed: ReadonlyMap<string, string> = new Map([
  ...Object.entries(skips),
  ["a later slot came", "다음 예정 시각이 됨"],
  ["a newer slot came", "새 예정 시각이 됨"],
  ["its schedule was deleted", "예약이 삭제됨"],
  ["the schedule was deleted", "예약이 삭제됨"],
  ["removed from config", "설정에서 빠짐"],
  ["paused by an edit", "수정하면서 일시 정지됨"],
  ["deleted", "삭제됨"],
  ["answered", "답함"],
  ["it waits for its turn", "차례를 기다림"],
  ["as many as may are running", "동시에 실행할 수 있는 수가 다 참"],
  ["given back: the node stopped", "노드가 멈춰 작업을 돌려놓음"],
  ["it was cancelled while it ran", "실행 중에 취소됨"],
  ["nobody answered what it asked in time", "기한까지 답이 없었음"],
  ["the node stopped in the middle of it", "실행 도중에 노드가 멈춤"],
  ["the node went away in the middle of it", "실행 도중에 노드가 사라짐"],
  ["it ran; its schedule could not be read at its end", "실행은 끝났지만 예약을 읽지 못함"],
  ["no callback came in time", "콜백이 제때 오지 않음"],
  ["a callback reported its end", "콜백으로 종료가 보고됨"],
  ["it said that it failed", "실패를 보고함"],
  ["the receiver says that it failed", "받는 쪽에서 실패를 보고함"],
  ["killed from outside", "외부에서 강제 종료함"],
  ["told to stop", "중단 요청을 받음"],
  ["time is up", "시간이 다 됨"],
  ["its expiry time has passed", "유효 기간이 지남"],
  ["the notification has ended already", "알림이 이미 끝남"],
  ["it waits for the end of quiet hours", "조용한 시간이 끝나기를 기다림"],
  ["shown as a pop-up", "팝업으로 표시함"],
  ["its page was deleted", "페이지가 삭제됨"],
  ["nobody answered in time", "기한까지 답이 없었음"],
  ["snoozed", "미룸"],
  ["done", "완료"],
  ["it was started and has not ended", "시작한 일이 아직 끝나지 않음"],
  ["recovered: it is tried again", "다시 시도함"],
  ["it was deleted", "삭제됨"],
  ["deleted, and nothing of it is left", "삭제되었고 남은 것이 없음"],
]);

/** Stored reasons with a number or a name. */
const counted: readonly (readonly [RegExp, (value: string) => string])[] = [
  [/^timed out after ([\d.]+) s$/, (s) => `${s}초가 지나 멈춤`],
  [
    /^timed out after ([\d.]+) s, and did not stop when told$/,
    (s) => `${s}초가 지났지만 중단 요청에 응답하지 않음`,
  ],
  [/^exit (\d+)$/, (code) => `종료 코드 ${code}`],
  [/^it ended with exit (\d+)$/, (code) => `종료 코드 ${code}`],
  [/^(\d+) s late$/, (s) => `${s}초 늦음`],
  [/^over (\d+) to make up for$/, (count) => `밀린 실행이 ${count}건을 넘음`],
  [
    /^the output of (\d+) runs was not delivered$/,
    (count) => `실행 ${count}건의 결과를 전달하지 못했습니다`,
  ],
  [/^disabled after (\d+) consecutive failures$/, (count) => `${count}번 연속 실패해서 중지됨`],
  [/^its run ended (\w+)$/, (name) => `실행 결과: ${state(name)}`],
  [/^the receiver answered (\d+)$/, (status) => `받는 쪽의 응답: ${status}`],
  [/^no ping came by (\S+)$/, (at) => `${at}까지 신호가 오지 않음`],
  [
    /^discarded: no handler subscribes to (.+)$/,
    (type) => `${withParticle(type, "을/를")} 구독하는 처리기가 없음`,
  ],
  [/^discarded: there is no handler (.+)$/, (name) => `처리기 ${withParticle(name, "이/가")} 없음`],
  [
    /^discarded: (\d+) events led to it, which looks like a loop$/,
    (count) => `앞선 이벤트가 ${count}개라 끝없이 반복되는 것으로 보임`,
  ],
  [
    /^waits: the machine is overloaded(.*)$/,
    (load) => `대기: 컴퓨터에 과부하가 걸림${loadOf(load)}`,
  ],
  [
    /^waits: the machine is busy, so only urgent work starts(.*)$/,
    (load) => `대기: 컴퓨터가 바빠서 급한 일만 시작함${loadOf(load)}`,
  ],
  [
    /^it waits until the workspace '(.+)' runs$/,
    (name) => `작업 공간 ${withParticle(`'${name}'`, "이/가")} 켜지기를 기다림`,
  ],
  [
    /^it waits: (.+ is paused.*)$/s,
    (paused) => `대기: ${paused.replace(" is paused", " 일시 정지 중")}`,
  ],
  [/^replaced by (.+)$/, (id) => `새 알림으로 바뀜(${id})`],
  [/^it cannot be seen: (.+)$/s, (why) => `확인할 수 없음: ${why}`],
  [/^fate unknown: (.+)$/s, (why) => `결과를 알 수 없음: ${reason(why)}`],
  [/^([A-Z]+) is done$/, (operation) => `${operation} 완료`],
  [/^paused by (.+)$/, (by) => `${by}: 일시 정지`],
];

/** The measures over their limits, as in ` (cpu 97 % > 80 %)`. */
function loadOf(text: string): string {
  return text === " (the load of the machine is not known)" ? " (부하를 알 수 없음)" : text;
}

/** A stored reason in Korean. Text of a program or a person is unchanged. */
export function reason(text: string): string {
  const translated = translatedReason(text);
  if (translated !== undefined) return translated;
  // A reason may have details after a colon: "timed out after 8 s: exit 1: no disk".
  const [, head = "", tail = ""] = /^(.*?): (.*)$/s.exec(text) ?? [];
  const first = translatedReason(head);
  return first === undefined ? text : `${first}: ${reason(tail)}`;
}

function translatedReason(text: string): string | undefined {
  const exact = fixed.get(text);
  if (exact !== undefined) return exact;
  for (const [shape, translate] of counted) {
    const value = shape.exec(text)?.[1];
    if (value !== undefined) return translate(value);
  }
  return undefined;
}
