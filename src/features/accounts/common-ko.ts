import { withParticle } from "../../platform/particle.ts";
import type { commonEn } from "./common-en.ts";

export const kinds: Readonly<Record<string, string>> = {
  notification: "알림",
  schedule: "예약",
  task: "작업",
  webhook: "웹훅",
  profile: "설정",
  token: "토큰",
  person: "사람",
  invite: "초대",
  nag: "재촉",
  page: "페이지",
  event: "이벤트",
  question: "질문",
  workspace: "작업 공간",
};

export const states: Readonly<Record<string, string>> = {
  pending: "대기 중",
  delivered: "전달됨",
  failed: "실패",
  cancelled: "취소됨",
  unconfirmed: "확인 안 됨",
  expired: "만료됨",
  forgotten: "삭제됨",
  active: "사용 중",
  kept: "유지 중",
  completed: "완료",
  done: "완료",
  deleted: "삭제됨",
  needs_human: "답 대기 중",
  skipped: "건너뜀",
  interrupted: "중단됨",
  missed: "놓침",
  paused: "일시 정지",
  disabled: "중지됨",
  dispatched: "처리 중",
  discarded: "처리 안 함",
  in_progress: "작업 중",
  sent: "보냄",
  open: "답 대기 중",
  answered: "답함",
  standby: "절전",
  running: "실행 중",
  "at work": "실행 중",
  error: "오류",
};

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
  [/^discarded: no handler subscribes to (.+)$/, (type) => `${type} 이벤트를 받는 처리기가 없음`],
  [/^discarded: there is no handler (.+)$/, (name) => `처리기 ${withParticle(name, "이/가")} 없음`],
  [
    /^discarded: (\d+) events led to it, which looks like a loop$/,
    (count) => `앞선 이벤트가 ${count}개라 끝없이 반복되는 것으로 보임`,
  ],
  [/^paused by (.+)$/, (by) => `${by}: 일시 정지`],
];

export function kindName(name: string): string {
  return kinds[name] ?? name;
}

export function state(name: string): string {
  return states[name] ?? name;
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

export const commonKo: typeof commonEn = {
  state,
  reason,

  planned: ({ when, target }) => `알림을 예약했습니다: ${when} → ${target}`,
  pastSoAtOnce: () => "이미 지난 시각이라 바로 알립니다.",
  more: (cursor) => `더 보기: --after ${cursor}`,
  notAll: () => "여기에 나오지 않은 기록이 더 있습니다.",
  headline: (about) =>
    `${kindName(about.kind)} ${about.id}  ${state(about.state)}${about.when === null ? "" : ` ${about.when}`}${about.target === null ? "" : ` → ${about.target}`}`,
  edited: ({ by, when }) => `${when} ${by}: 수정`,
  doneBy: ({ by, when }) => `${when} ${by}: 완료`,
  cancelledBy: ({ by, when }) => `${when} ${by}: 취소`,
  comes: ({ when, far, isParked }) =>
    `${when} 예정 (${far})${isParked ? ", 같은 대상으로 가는 다른 알림 뒤에서 대기" : ""}`,
};

function translatedReason(text: string): string | undefined {
  const exact = fixed.get(text);
  if (exact !== undefined) return exact;
  for (const [shape, translate] of counted) {
    const value = shape.exec(text)?.[1];
    if (value !== undefined) return translate(value);
  }
  return undefined;
}
