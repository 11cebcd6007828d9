import type { commonEn } from "./common-en.ts";
import { kindName, state } from "./names-ko.ts";
import { reason } from "./reasons-ko.ts";

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
