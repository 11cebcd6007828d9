import { reason, state } from "../accounts/index.ts";
import type { en } from "./en.ts";

const measures = { runs: "실행", turns: "턴", cost: "비용" };

const pausedSince: typeof en.pausedSince = ({ by, since, until, reason }) =>
  [
    ...(since === null ? [] : [`${since}부터`]),
    until === null ? "다시 켤 때까지" : `${until}까지`,
    `일시 정지${by === null ? "" : `: ${by}`}${reason === null ? "" : ` (${reason})`}`,
  ].join(" ");

const planned = {
  create: "만듦",
  change: "바꿈",
  keep: "그대로 둠",
  remove: "없앰",
  same: "같음",
} as const;

export const ko: typeof en = {
  scheduled: ({ name, when, target }) => `'${name}'을(를) 예약했습니다: ${when} → ${target}`,
  scheduledBefore: (about) =>
    `이미 요청한 예약입니다(${state(about.state)}): '${about.name}' ${about.when}`,
  scheduledAndForgotten: () => "이미 요청해서 끝났고, 기록은 지워졌습니다.",
  fires: (when) => `${when} 실행합니다. 다음 실행:`,
  noFires: () => "앞으로 실행되지 않습니다.",
  callSecret: (secret) => `호출은 이 비밀 키로 서명됩니다. 지금 한 번만 보여 드립니다:\n${secret}`,
  scheduleChanged: ({ name, when }) => `바꿨습니다: '${name}' ${when}`,
  scheduleDeleted: (name) => `삭제했습니다: '${name}'. 실행 기록은 남습니다.`,
  scheduleGone: (about) => `'${about.name}'은(는) 이미 끝났습니다(${state(about.state)}).`,
  scheduleIs: (about) =>
    `'${about.name}': ${state(about.state)}${about.reason === null ? "" : ` (${reason(about.reason)})`}`,
  noSchedules: () => "보여 줄 예약이 없습니다. 끝난 것은 --all로 볼 수 있습니다.",
  ofAll: ({ count, total }) => `${total}건 중 ${count}건`,
  paused: ({ name, until }) =>
    `일시 정지했습니다: '${name}' ${until === null ? "(다시 켤 때까지)" : `(${until}까지)`}`,
  resumed: ({ name, next }) =>
    `'${name}'을(를) 다시 실행합니다${next === null ? "." : `. 다음 실행: ${next}.`} 앞선 실패는 더 세지 않습니다.`,

  runAsked: ({ name, id }) => `'${name}'을(를) 지금 실행합니다. 출력 보기: daybook output ${id}`,
  backfilled: ({ count, before }) =>
    `${count}건을 차례로 실행합니다. ${before}건은 이미 실행 기록이 있습니다.`,
  wouldBackfill: ({ count, before }) =>
    `${count}건을 실행하게 됩니다. ${before}건은 이미 실행 기록이 있습니다. 아무것도 적지 않았습니다.`,
  noRuns: () => "아직 실행된 적이 없습니다.",
  lastFailures: (count) => `${count}번 연속 실패`,
  becauseSchedule: (about) => `예약 "${about.name}", ${about.when}, 지금 ${state(about.state)}`,
  madeBy: ({ by, when, origin }) =>
    `${by}, ${when}${origin === null ? "" : `, ${origin}에서 만듦; 답은 그곳으로만 갑니다`}`,
  pausedBy: ({ by, when }) => `${when} ${by}: 일시 정지`,
  resumedBy: ({ by, when }) => `${when} ${by}: 다시 켬`,
  wentOn: (when) => `${when} 일시 정지가 끝남`,
  disabledOn: (when) => `${when} 중지됨`,
  pausedSince,
  used: ({ what, used, allowed }) =>
    used === null
      ? `${measures[what]} 최대 ${allowed}`
      : `${measures[what]} ${allowed} 중 ${used} 사용`,
  dayBudget: ({ day, used, isUsedUp }) =>
    `${day} 예산: ${used}${isUsedUp ? ", 다 써서 이날은 더 실행하지 않음" : ""}`,
  runBudget: (used) => `이 실행의 예산: ${used}`,
  waitsForResume: (name) => `다시 켤 때까지 실행하지 않습니다: daybook resume ${name}`,
  heldBack: ({ scope, ...about }) => `기다리는 중: "${scope}" ${pausedSince(about)}`,
  keepsFailing: ({ name, count, error }) =>
    `❌ 예약 작업 '${name}'이(가) ${count}번 연속 실패했습니다. 마지막 오류: ${error}`,
  wasDisabled: ({ name, count }) =>
    `⛔ 예약 작업 '${name}'이(가) ${count}번 연속 실패하여 중지되었습니다.`,
  worksAgain: ({ name, count }) =>
    `✅ 예약 작업 '${name}'이(가) ${count === 0 ? "" : `${count}번 실패한 뒤 `}다시 정상으로 실행되었습니다.`,
  reportMissed: ({ name, when }) => `⏰ '${name}'의 보고가 없습니다. ${when}에 올 예정이었습니다.`,
  reportsAgain: ({ name }) => `✅ '${name}'이(가) 다시 보고했습니다.`,
  watching: ({ name, when, grace, target }) =>
    `'${name}'의 보고를 기다립니다: ${when}. ${grace} 넘게 늦으면 ${target}(으)로 알립니다.`,
  pingAt: (url) => `끝날 때 이 주소를 부르게 하세요. 주소는 지금만 보입니다:\n${url}`,
  pingTaken: (about) => `'${about.name}': ${state(about.state)}.`,
  setDown: ({ name, owner, what, fields, drift }) =>
    `${planned[what]}  ${name} (${owner})${fields === "" ? "" : `: ${fields}`}${drift ? ", 다른 곳에서 바뀜" : ""}`,
  nothingSetDown: () => "설정에 예약이 없습니다.",
  nothingDone: () => "아무것도 바꾸지 않았습니다. daybook apply가 할 일입니다.",
};
