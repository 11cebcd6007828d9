import { withParticle } from "../../platform/particle.ts";
import { state } from "../accounts/index.ts";
import type { Curve } from "./curve.ts";
import { lengthOf, type en } from "./en.ts";

function curveText({ base, factor, cap, ...rest }: Curve): string {
  const [first, last] = [lengthOf(base, "ko"), lengthOf(cap, "ko")];
  const { sleep, weekdays, wholeHours, countMax, jitter = 0, escalate } = rest;
  return [
    factor === 1
      ? `${first}마다`
      : `처음에는 ${first} 간격, 그다음부터는 ${factor}배씩 늘려 최대 ${last}`,
    ...(wholeHours === true ? ["정각에"] : []),
    ...(weekdays === true ? ["평일에만"] : []),
    ...(sleep === undefined ? [] : [`${sleep.from}~${sleep.to} 제외`]),
    ...(jitter === 0 ? [] : [`무작위로 최대 ${Math.round(jitter * 100)}% 일찍`]),
    ...(countMax === undefined ? [] : [`최대 ${countMax}번`]),
    ...(escalate === undefined ? [] : [`${escalate.after}번째부터는 ${escalate.target}에도 보냄`]),
  ].join(", ");
}

export const ko: typeof en = {
  nagCreated: ({ what, when, curve, target }) =>
    `${withParticle(`'${what}'`, "을/를")} 완료할 때까지 알립니다(${curve}). 첫 알림은 ${when} → ${target}`,
  nagExists: (about) => `이미 있는 재촉입니다(${state(about.state)}): '${about.what}'`,
  nagRescheduled: ({ what, when }) =>
    `이 페이지의 재촉이 이미 있어 ${when}부터 이어서 알립니다: '${what}'`,
  unreachable: (reason) => `아직 그곳으로 보낼 수 없습니다. ${reason}`,
  nagPruned: () => "이 키로 만든 재촉은 이미 끝났고 기록도 삭제되었습니다.",
  noNags: () =>
    '진행 중이거나 일시 정지한 재촉이 없습니다.\n만들려면: daybook nag "집세 내기" …, 끝난 것도 보려면: daybook nag list --all',
  sending: () => "보내는 중",
  sentTimes: (count) => (count === 0 ? "아직 보내지 않음" : `${count}번 보냄`),
  nagSnoozed: ({ what, when }) => `미뤘습니다: '${what}', 다음 알림은 ${when}`,
  nagDone: (what) => `완료했습니다: '${what}'. 더 알리지 않습니다.`,
  nagPaused: ({ what, id }) =>
    `일시 정지했습니다: '${what}'. 다시 알리려면 daybook nag resume ${id}`,
  nagResumed: ({ what, when }) =>
    `재개했습니다: '${what}'${when === null ? "" : `, 다음 알림은 ${when}`}`,
  nagDeleted: (what) => `삭제했습니다: '${what}'. 더 알리지 않습니다.`,
  nagUnchanged: (about) =>
    `${withParticle(`'${about.what}'`, "은/는")} 이미 ${state(about.state)} 상태입니다.`,
  curve: curveText,

  pageSaved: ({ title, isFresh }) => `${isFresh ? "만들었습니다" : "수정했습니다"}: '${title}'`,
  pageDeleted: ({ title, nag }) =>
    `삭제했습니다: '${title}'${nag === null ? "" : `. 이 페이지의 재촉 ${nag}도 함께 삭제했습니다.`}`,
  pageHeadline: ({ id, revision }) => `페이지 ${id}, 리비전 ${revision}`,
  pageUnchanged: (id) => `페이지 ${withParticle(`'${id}'`, "은/는")} 이미 삭제되었습니다.`,
  noPages: () => "페이지가 없습니다.\n만들려면: daybook page put ID 제목",
  pulled: ({ pages, alarms, timestamp }) =>
    `페이지 ${pages}개, 재촉 ${alarms}개가 바뀌었습니다. 다음에는 daybook sync pull ${timestamp}`,
  pushed: (count) => `기록 ${count}건을 저장했습니다.`,

  nagAsCause: (about) =>
    `재촉 "${about.what}"(${about.curve}), 현재 상태 ${state(about.state)}: ${about.id}`,
  requestedTime: ({ number, when, atText }) => `${number}번째, ${when}, 요청한 시각 ${atText}`,
  computedTime: ({ number, when, from, zone }) =>
    `${number}번째, ${when}, ${from}부터 ${zone} 시간대로 계산`,
  movedToOpenTime: (hours) =>
    `알릴 수 있는 시간으로 옮김${hours === "" ? "" : `(${hours}에는 알리지 않음)`}`,
  movedToFreeMinute: () => "같은 분에 다른 재촉이 있어 비어 있는 분으로 옮김",
  sendFailed: ({ count, reason }) => `최근 ${count}번 보내지 못함: ${reason}`,
  sendingBy: ({ id, number }) => `알림 ${withParticle(id, "이/가")} ${number}번째를 보내는 중`,
  lastSentBy: ({ id, receipt }) =>
    `마지막 알림 ${id}${receipt === null ? "" : `, 수신 확인 ${receipt}`}`,
  waitsForResume: (id) => `재개할 때까지 알리지 않음: daybook nag resume ${id}`,
  endsAsDone: () => "완료됨. 작업 중인 노드가 마치는 대로 끝남",
};
