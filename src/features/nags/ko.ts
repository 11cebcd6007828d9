import { state } from "../accounts/index.ts";
import type { Curve } from "./curve.ts";
import { lengthOf, type en } from "./en.ts";

function curveText({ base, factor, cap, ...rest }: Curve): string {
  const [first, last] = [lengthOf(base, "ko"), lengthOf(cap, "ko")];
  const { sleep, weekdays, wholeHours, countMax, jitter = 0, escalate } = rest;
  return [
    factor === 1
      ? `${first}마다`
      : `처음은 ${first} 간격, 그다음부터 ${factor}배씩, 길어야 ${last}`,
    ...(wholeHours === true ? ["정각에"] : []),
    ...(weekdays === true ? ["평일에만"] : []),
    ...(sleep === undefined ? [] : [`${sleep.from}~${sleep.to}에는 쉼`]),
    ...(jitter === 0 ? [] : [`무작위로 최대 ${Math.round(jitter * 100)}% 빨리`]),
    ...(countMax === undefined ? [] : [`많아야 ${countMax}번`]),
    ...(escalate === undefined ? [] : [`${escalate.after}번째부터 ${escalate.target}에도`]),
  ].join(", ");
}

export const ko: typeof en = {
  nagged: ({ what, when, curve, target }) =>
    `'${what}'을(를) 끝날 때까지 알립니다(${curve}). 처음은 ${when} → ${target}`,
  naggedBefore: (about) => `이미 요청한 것입니다(${state(about.state)}): '${about.what}'`,
  naggedAgain: ({ what, when }) => `이미 있던 것이고, ${when}부터 이어서 알립니다: '${what}'`,
  unreachable: (why) => `아직 그곳에는 알릴 수 없습니다. ${why}`,
  naggedAndForgotten: () => "이미 요청해서 끝났고, 기록은 지워졌습니다.",
  noNags: () => "끝날 때까지 알리는 것이 없습니다. 끝난 것은 --all로 볼 수 있습니다.",
  onItsWay: () => "전하는 중",
  saidTimes: (count) => (count === 0 ? "아직 알리지 않음" : `${count}번 알림`),
  nagPutOff: ({ what, when }) => `미뤘습니다: '${what}' ${when}`,
  nagDone: (what) => `완료했습니다: '${what}' 더 알리지 않습니다.`,
  nagPaused: ({ what, id }) => `'${what}'을(를) 쉽니다. 다시 알리려면: daybook resume ${id}`,
  nagResumed: ({ what, when }) =>
    `'${what}'을(를) 다시 알립니다${when === null ? "." : `: ${when}`}`,
  nagDeleted: (what) => `삭제했습니다: '${what}' 더 알리지 않습니다.`,
  nagWas: (about) => `'${about.what}'은(는) 이미 ${state(about.state)} 상태입니다.`,
  curve: curveText,

  pageKept: ({ title, isFresh }) => `${isFresh ? "적었습니다" : "바꿨습니다"}: '${title}'`,
  pageDeleted: ({ title, nag }) =>
    `삭제했습니다: '${title}'${nag === null ? "" : `. 이 페이지를 알리던 ${nag}도 함께 삭제했습니다.`}`,
  pageIs: ({ id, revision }) => `페이지 ${id}, ${revision}판`,
  pageGone: (id) => `페이지 '${id}'은(는) 이미 삭제되었습니다.`,
  noPages: () => "페이지가 없습니다.",
  pulled: ({ pages, alarms, timestamp }) =>
    `바뀐 것: 페이지 ${pages}개, 알림 ${alarms}개. 다음에는 ${timestamp} 이후를 물어보세요.`,
  pushed: (count) => `${count}개를 받았습니다.`,

  becauseNag: (about) =>
    `"${about.what}"을(를) 끝날 때까지 알립니다(${about.curve}), 지금은 ${state(about.state)}: ${about.id}`,
  nagAskedFor: ({ number, when, words }) => `${number}번째, ${when}, 요청한 말 ${words}`,
  nagCounted: ({ number, when, from, zone }) =>
    `${number}번째, ${when}, ${from}부터 ${zone} 시간으로 셈`,
  nagMovedToOpening: (hours) =>
    `깨워도 되는 때로 옮김${hours === "" ? "" : ` (${hours}에는 깨우지 않음)`}`,
  nagMinuteMoved: () => "같은 분에 다른 것이 있어 다른 분으로 옮김",
  nagFailed: ({ count, reason }) => `마지막 ${count}번을 알리지 못함: ${reason}`,
  nagBeingSaid: ({ id, number }) => `${number}번째를 ${id}이(가) 알리는 중`,
  nagLastSaid: ({ id, receipt }) =>
    `마지막은 ${id}${receipt === null ? "" : `, 도착한 곳의 번호 ${receipt}`}`,
  nagWaitsForResume: (id) => `다시 시작할 때까지 알리지 않음: daybook resume ${id}`,
  nagEndsDone: () => "완료됨; 작업 중인 쪽이 끝냄",
};
