import { withParticle, type Particle } from "../../platform/particle.ts";
import { reason, state } from "../accounts/index.ts";
import type { en } from "./en.ts";

const quoted = (name: string, particle: Particle): string => withParticle(`'${name}'`, particle);

const measures = { runs: "실행", turns: "턴", cost: "비용" };

const pausedSince: typeof en.pausedSince = ({ by, since, until, reason }) =>
  [
    ...(since === null ? [] : [`${since}부터`]),
    until === null ? "재개할 때까지" : `${until}까지`,
    `일시 정지${by === null ? "" : `: ${by}`}${reason === null ? "" : ` (${reason})`}`,
  ].join(" ");

const planned = {
  create: "생성",
  change: "수정",
  keep: "유지",
  remove: "삭제",
  same: "변경 없음",
} as const;

export const ko: typeof en = {
  scheduled: ({ name, when, target }) =>
    `${quoted(name, "을/를")} 예약했습니다: ${when} → ${target}`,
  scheduleExists: (about) =>
    `이미 있는 예약입니다(${state(about.state)}): '${about.name}' ${about.when}`,
  schedulePruned: () => "이 키로 만든 예약은 이미 끝났고 기록도 삭제되었습니다.",
  fires: (when) => `${when} 실행합니다. 다음 실행:`,
  noFires: () => "앞으로 실행할 시각이 없습니다.",
  callSecret: (secret) =>
    `호출할 때 이 비밀 키로 서명합니다. 지금 한 번만 보여 드립니다:\n${secret}`,
  scheduleChanged: ({ name, when }) => `수정했습니다: '${name}' ${when}`,
  scheduleDeleted: (name) => `삭제했습니다: '${name}'. 실행 기록은 남습니다.`,
  scheduleUnchanged: (about) =>
    `${quoted(about.name, "은/는")} 이미 끝났습니다(${state(about.state)}).`,
  scheduleIs: (about) =>
    `'${about.name}': ${state(about.state)}${about.reason === null ? "" : ` (${reason(about.reason)})`}`,
  noSchedules: () =>
    '조건에 맞는 예약이 없습니다.\n만들려면: daybook schedule "평일 오전 9시" …, 끝난 것도 보려면: daybook schedule list --all',
  ofAll: ({ count, total }) => `${total}건 중 ${count}건`,
  paused: ({ name, until }) =>
    `일시 정지했습니다: '${name}' ${until === null ? "(재개할 때까지)" : `(${until}까지)`}`,
  resumed: ({ name, next }) =>
    `재개했습니다: '${name}'${next === null ? "." : `. 다음 실행은 ${next}입니다.`} 실패 횟수는 0부터 다시 셉니다.`,

  runRequested: ({ name, id }) =>
    `${quoted(name, "을/를")} 지금 실행합니다. 출력 보기: daybook run output ${id}`,
  backfilled: ({ count, before }) =>
    `${count}건을 차례로 실행합니다. ${before}건은 이미 실행 기록이 있습니다.`,
  wouldBackfill: ({ count, before }) =>
    `${count}건을 실행할 예정입니다. ${before}건은 이미 실행 기록이 있습니다. 아직 아무것도 기록하지 않았습니다.`,
  notDelivered: (reason) => `전달하지 못함: ${reason}`,
  notRunYet: () => "아직 실행한 적이 없습니다.",
  noRuns: () => "아직 실행한 적이 없습니다.\n지금 실행하려면: daybook schedule run ID",
  lastFailures: (count) => `${count}번 연속 실패`,
  scheduleAsCause: (about) =>
    `예약 "${about.name}", ${about.when}, 현재 상태 ${state(about.state)}`,
  createdBy: ({ by, when, origin }) =>
    `${when} ${by}: 생성${origin === null ? "" : ` (${origin}에서, 답도 그곳으로만 보냄)`}`,
  pausedBy: ({ by, when }) => `${when} ${by}: 일시 정지`,
  resumedBy: ({ by, when }) => `${when} ${by}: 재개`,
  pauseEnded: (when) => `${when} 자동으로 재개됨`,
  disabledOn: (when) => `${when} 중지됨`,
  pausedSince,
  used: ({ what, used, allowed }) =>
    used === null
      ? `${measures[what]} 최대 ${allowed}`
      : `${measures[what]} ${allowed} 중 ${used} 사용`,
  dayBudget: ({ day, used, isUsedUp }) =>
    `${day} 예산: ${used}${isUsedUp ? ", 다 써서 이날은 더 실행하지 않음" : ""}`,
  runBudget: (used) => `이 실행의 예산: ${used}`,
  waitsForResume: (name) => `재개할 때까지 실행하지 않음: daybook schedule resume ${name}`,
  heldBack: ({ scope, ...about }) => `기다리는 중: "${scope}" ${pausedSince(about)}`,
  keepsFailing: ({ name, count, error }) =>
    `❌ 예약 작업 ${quoted(name, "이/가")} ${count}번 연속 실패했습니다. 마지막 오류: ${error}`,
  wasDisabled: ({ name, count }) =>
    `⛔ 예약 작업 ${quoted(name, "이/가")} ${count}번 연속 실패하여 중지되었습니다.`,
  undelivered: (count) => `${count}번 연속 실행 결과를 전달하지 못했습니다`,
  wasPaused: ({ name, count, target, reason }) =>
    `⏸ 예약 작업 ${quoted(name, "을/를")} 일시 정지했습니다. ${withParticle(target, "으로/로")} ${count}번 연속 결과를 전달하지 못했습니다(${reason}). 출력은 보관하고 있습니다. 대상을 바꾸거나 대상의 문제를 해결한 뒤 재개하세요.`,
  worksAgain: ({ name, count }) =>
    `✅ 예약 작업 ${quoted(name, "이/가")} ${count === 0 ? "" : `${count}번 실패한 뒤 `}다시 정상적으로 실행되었습니다.`,
  reportMissed: ({ name, when }) =>
    `⏰ '${name}'의 보고가 오지 않았습니다. 예정 시각은 ${when}입니다.`,
  reportsAgain: ({ name }) => `✅ ${quoted(name, "이/가")} 다시 보고했습니다.`,
  watching: ({ name, when, grace, target }) =>
    `'${name}'의 보고를 지켜봅니다: ${when}. 보고가 ${grace} 넘게 늦으면 ${withParticle(target, "으로/로")} 알립니다.`,
  pingAt: (url) => `작업이 끝날 때 이 URL을 호출하게 하세요. 지금 한 번만 보여 드립니다:\n${url}`,
  pingReceived: (about) => `'${about.name}': ${state(about.state)}.`,
  step: ({ name, owner, what, fields, drift }) =>
    `${planned[what]}  ${name} (${owner})${fields === "" ? "" : `: ${fields}`}${drift ? ", 다른 곳에서 바뀜" : ""}`,
  noneDeclared: () => "설정에 예약이 없습니다.",
  dryRun: () => "아무것도 바꾸지 않았습니다. daybook schedule apply를 실행하면 이렇게 바뀝니다.",
};
