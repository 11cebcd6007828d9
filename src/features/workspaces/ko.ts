import { withParticle, type Particle } from "../../platform/particle.ts";
import { typed, type en } from "./en.ts";

const named = (name: string, particle: Particle): string =>
  `작업 공간 ${withParticle(`'${name}'`, particle)}`;
const during = (operation: string): string => (operation === "NONE" ? "" : ` (${operation} 중)`);

const why = {
  asked: "요청에 따라",
  idle: "아무도 쓰지 않아서",
  slot: "곧 예약이 실행되므로",
} as const;

export const ko: typeof en = {
  kept: ({ name, image, desired }) =>
    `${named(name, "을/를")} ${desired} 상태로 유지합니다(${image}). 진행 상황 보기: daybook workspace show ${name}`,
  keptBefore: ({ name, display, operation }) =>
    `${named(name, "은/는")} 이미 있습니다: ${display}${during(operation)}`,
  none: () => "작업 공간이 없습니다.\n만들려면: daybook workspace create 이름 --image 이미지",
  status: ({ display, operation }) => `${display}${during(operation)}`,
  workspaceIs: ({ name, id, display, operation }) =>
    `작업 공간 '${name}' ${id}  ${display}${during(operation)}`,
  image: ({ image, memoryMb, cpus }) => `${image}, 메모리 ${memoryMb} MB, CPU ${cpus}개`,
  desired: ({ desired, because }) => `목표 상태는 ${desired}입니다(${why[because]})`,
  wanted: ({ desired, because }) => `${desired} (${why[because]})`,
  unusedSince: (when) => `마지막 사용: ${when}`,
  sleeps: ({ sleep, archive, wake }) =>
    `쓰지 않으면 ${sleep} 뒤에 절전 상태가 되고 ${archive} 뒤에 보관됩니다. 실행 ${wake} 전에 미리 켜집니다`,
  archiveAt: (key) => `보관 파일: ${key}`,
  unreachable: (reason) => `상태를 확인할 수 없습니다: ${reason}`,
  error: ({ reason, message, count }) => `${reason} (연속 ${count}번): ${message}`,
  recoverAdvice: (name) =>
    `ERROR 상태에서는 아무 작업도 하지 않습니다. 원인을 해결한 뒤: daybook workspace recover ${name}`,
  changed: (name) => `${named(name, "을/를")} 바꿨습니다.`,
  sameAsBefore: (name) => `${named(name, "은/는")} 바뀐 것이 없습니다.`,
  touched: (name) => `${named(name, "을/를")} 지금 사용한 것으로 기록했습니다.`,
  goesTo: ({ name, desired }) =>
    desired === "PENDING"
      ? `${named(name, "을/를")} 보관합니다.`
      : desired === "STANDBY"
        ? `${named(name, "을/를")} 절전 상태로 바꿉니다. 파일은 남습니다.`
        : `${named(name, "을/를")} 켭니다.`,
  recovered: ({ name, display }) => `${named(name, "을/를")} ${display}부터 다시 시도합니다.`,
  deleted: (name) =>
    `${named(name, "을/를")} 지웁니다. 머신과 파일은 바로, 보관 파일은 얼마 뒤에 지워집니다.`,
  runsAgain: (when) =>
    `${when}에 이 이름의 작업 공간에서 실행되는 예약이 있습니다. 그때는 파일이 없으니, 실행하지 않으려면 예약을 일시 정지하거나 삭제하세요.`,

  plan: ({ do: next, display, desired }) =>
    next === null
      ? `할 일 없음: 이미 목표 상태인 ${display}입니다`
      : `다음: ${next}. 지금은 ${display}, 목표 상태는 ${desired}입니다`,
  planEnds: () => "모두 지워 남은 것이 없으므로 끝납니다",
  planError: () => "할 일 없음: ERROR 상태입니다",
  seen: ({ machine, volume }) =>
    `관찰 결과: 머신 ${machine ?? "없음"}, 볼륨 ${volume ? "있음" : "없음"}`,
  asRecorded: () => "기록된 상태입니다. 지금 상태는 확인하지 못했습니다",
  nextObservation: (when) => `다음 확인: ${when}`,
  nextSlot: (when) => `다음 예약 실행: ${when}`,

  collected: ({ count, bytes, isApplied }) =>
    count === 0
      ? "지울 보관 파일이 없습니다. 모두 쓰고 있거나 두 시간 안에 쓰던 것입니다."
      : `보관 파일 ${count}개(${bytes}바이트)를 ${isApplied ? "지웠습니다" : "지울 수 있습니다: daybook workspace gc --apply"}.`,
  orphan: ({ archive, since }) => `${archive}  ${since}부터 쓰지 않음`,
  unfinished: ({ part, size, at, isOld }) =>
    `${part}  만들다 만 파일, ${size}바이트, 마지막 쓰기 ${at}${isOld ? ", 쓰지 않음" : ""}`,
  braked: ({ count, isForeign }) =>
    isForeign
      ? "다른 장부의 보관 파일이어서 지우지 않았습니다. 장부마다 다른 위치를 쓰세요. 이 장부의 것이 맞다면 --confirm을 붙이세요."
      : `지우지 않았습니다. 쓰지 않는 보관 파일이 ${count}개로 평소보다 너무 많습니다. 목록을 확인한 뒤: daybook workspace gc --apply --confirm`,

  failed: (about) =>
    `⛔ ${named(about.name, "이/가")} ERROR 상태입니다${whileIn(about)} (${about.reason}): ${about.message} 원인을 해결한 뒤: daybook workspace recover ${typed(about.name)}`,
  failedOf: (about) =>
    `⛔ ${about.owner}의 ${named(about.name, "이/가")} ERROR 상태입니다${whileIn(about)} (${about.reason}): ${about.message}`,
};

function whileIn({ operation }: Parameters<typeof en.failed>[0]): string {
  return operation === null ? "" : `, ${operation} 중`;
}
