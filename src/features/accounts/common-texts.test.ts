import assert from "node:assert/strict";
import { test } from "node:test";
import { type Kind, statesOf } from "../../kernel/kind.ts";
import { testTexts } from "../../testing/text-samples.ts";
import { eventKind } from "../events/kind.ts";
import { questionKind } from "../events/question.ts";
import { notificationKind } from "../notifications/kind.ts";
import { removedReason } from "../schedules/declared/plan.ts";
import { scheduleKind } from "../schedules/kind.ts";
import { taskKind } from "../tasks/kind.ts";
import { timedOutMark } from "../tasks/outcome.ts";
import { commonEn } from "./common-en.ts";
import { commonKo } from "./common-ko.ts";
import { commonTexts } from "./texts.ts";

testTexts(
  { en: commonEn, ko: commonKo },
  {
    state: ["pending"],
    reason: ["overlap"],
    planned: [{ when: "W", target: "T" }],
    pastSoAtOnce: [],
    more: ["C"],
    notAll: [],
    headline: [{ kind: "notification", id: "ID", state: "failed", when: "W", target: "T" }],
    edited: [{ by: "B", when: "W" }],
    doneBy: [{ by: "B", when: "W" }],
    cancelledBy: [{ by: "B", when: "W" }],
    comes: [{ when: "W", far: "F", isParked: true }],
  },
);

test("each state that people see has a Korean name", () => {
  const kinds: readonly Kind[] = [
    notificationKind,
    scheduleKind,
    taskKind,
    eventKind,
    questionKind,
  ];
  for (const state of kinds.flatMap(statesOf))
    assert.match(commonTexts("ko").state(state), /\p{Script=Hangul}/u);
});

const table: [reason: string, korean: string][] = [
  ["waits: the machine is overloaded", "대기: 컴퓨터에 과부하가 걸림"],
  [
    "waits: the machine is overloaded (cpu 97 % > 80 %)",
    "대기: 컴퓨터에 과부하가 걸림 (cpu 97 % > 80 %)",
  ],
  [
    "waits: the machine is busy, so only urgent work starts (the load of the machine is not known)",
    "대기: 컴퓨터가 바빠서 급한 일만 시작함 (부하를 알 수 없음)",
  ],
  ["it waits: owner mina is paused (holiday)", "대기: owner mina 일시 정지 중 (holiday)"],
  ["PROVISIONING is done", "PROVISIONING 완료"],
  ["it was started and has not ended", "시작한 일이 아직 끝나지 않음"],
  ["it waits until the workspace 'box' runs", "작업 공간 'box'가 켜지기를 기다림"],
  ["fate unknown: timed out after 3 s", "결과를 알 수 없음: 3초가 지나 멈춤"],
  ["discarded: no handler subscribes to a.b", "a.b를 구독하는 처리기가 없음"],
  ["overlap", "앞선 실행이 아직 끝나지 않았음"],
  ["budget", "그날 예산을 다 썼음"],
  ["paused", "예약이 일시 정지 중이었음"],
  ["it waits for its turn", "차례를 기다림"],
  ["its schedule was deleted", "예약이 삭제됨"],
  [removedReason, "설정에서 빠짐"],
  [`${timedOutMark} 60 s`, "60초가 지나 멈춤"],
  [`${timedOutMark} 0.5 s: time is up`, "0.5초가 지나 멈춤: 시간이 다 됨"],
  [`${timedOutMark} 8 s: exit 1: no disk`, "8초가 지나 멈춤: 종료 코드 1: no disk"],
  [`${timedOutMark} 8 s, and did not stop when told`, "8초가 지났지만 중단 요청에 응답하지 않음"],
  ["exit 3", "종료 코드 3"],
  ["12 s late", "12초 늦음"],
  ["the output of 5 runs was not delivered", "실행 5건의 결과를 전달하지 못했습니다"],
  ["disabled after 5 consecutive failures", "5번 연속 실패해서 중지됨"],
  ["its run ended failed: exit 1", "실행 결과: 실패: 종료 코드 1"],
  ["no ping came by 2026-11-16T00:00:00Z", "2026-11-16T00:00:00Z까지 신호가 오지 않음"],
  ["paused by mina", "mina: 일시 정지"],
  ["answered: yes", "답함: yes"],
  // Text of a person or a program is unchanged.
  ["holiday", "holiday"],
  ["no disk: exit 1", "no disk: exit 1"],
  ["the exit 1", "the exit 1"],
  ["constructor", "constructor"],
];

for (const [reason, korean] of table) {
  test(`the reason ${JSON.stringify(reason)} is ${korean} in Korean and unchanged in English`, () => {
    assert.equal(commonTexts("ko").reason(reason), korean);
    assert.equal(commonTexts("en").reason(reason), reason);
  });
}
