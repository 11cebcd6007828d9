import type { AgainTexts } from "./again.ts";
import { reason } from "./ko-reasons.ts";
import { state } from "./ko-states.ts";

const started = (late: string | null): string => (late === null ? "" : `, ${late} 뒤에 시작`);

export const againKorean: AgainTexts = {
  scheduled: ({ name, when, target }) => `'${name}'을(를) 예약했습니다: ${when} → ${target}`,
  scheduledBefore: (about) =>
    `이미 요청한 예약입니다(${state(about.state)}): '${about.name}' ${about.when}`,
  scheduledAndForgotten: () => "이미 요청해서 끝났고, 기록은 지워졌습니다.",
  fires: (when) => `${when} 실행합니다. 다음 실행:`,
  noFires: () => "앞으로 실행되지 않습니다.",
  callSecret: (secret) => `호출은 이 비밀 키로 서명됩니다. 지금 한 번만 보여 드립니다:\n${secret}`,
  nobodyRuns: (name) =>
    `여기에는 작업 '${name}'을(를) 실행할 곳이 없습니다. 생길 때까지 기다립니다.`,
  scheduleChanged: ({ name, when }) => `바꿨습니다: '${name}' ${when}`,
  scheduleDeleted: (name) => `삭제했습니다: '${name}'. 실행 기록은 남습니다.`,
  scheduleGone: (about) => `'${about.name}'은(는) 이미 끝났습니다(${state(about.state)}).`,
  scheduleIs: (about) =>
    `'${about.name}': ${state(about.state)}${about.reason === null ? "" : ` (${reason(about.reason)})`}`,
  noSchedules: () => "보여 줄 예약이 없습니다. 끝난 것은 --all로 볼 수 있습니다.",
  ofAll: ({ count, total }) => `${total}건 중 ${count}건`,
  nothingForeseen: () => "일어날 일이 없습니다.",
  foreseen: (what) => ({ say: "알림", run: "실행" })[what],
  clocksChange: (hours) => `(시계가 바뀌는 날: ${hours}시간)`,
  moreForeseen: (count) => `처음 ${count}건입니다. 나머지는 기간을 줄이거나 limit을 늘려서 보세요.`,
  paused: ({ name, until }) =>
    `일시 정지했습니다: '${name}' ${until === null ? "(다시 켤 때까지)" : `(${until}까지)`}`,
  resumed: ({ name, next }) =>
    `'${name}'을(를) 다시 실행합니다${next === null ? "." : `. 다음 실행: ${next}.`} 앞선 실패는 더 세지 않습니다.`,

  runAsked: ({ name, id }) => `'${name}'을(를) 지금 실행합니다. 출력 보기: daybook output ${id}`,
  runAskedBefore: (about) => `이미 요청한 실행입니다(${state(about.state)}): '${about.name}'`,
  backfilled: ({ count, before }) =>
    `${count}건을 차례로 실행합니다. ${before}건은 이미 실행 기록이 있습니다.`,
  wouldBackfill: ({ count, before }) =>
    `${count}건을 실행하게 됩니다. ${before}건은 이미 실행 기록이 있습니다. 아무것도 적지 않았습니다.`,
  noRuns: () => "아직 실행된 적이 없습니다.",
  lastFailures: (count) => `${count}번 연속 실패`,
  runIs: (about) =>
    `'${about.name}' 실행 ${about.id}  ${state(about.state)}${about.when === null ? "" : ` ${about.when}`}`,
  exitedWith: (status) => `종료 코드 ${status}`,
  noOutput: (isAtWork) =>
    isAtWork
      ? "이 실행의 출력은 아직 없습니다. 실행 중입니다."
      : "이 실행은 저장된 출력이 없습니다.",
  outputLeft: ({ offset, remaining }) => `${remaining}자 더 있음: --offset ${offset}`,
  runCancelled: () => "취소했습니다. 실행되지 않습니다.",
  runStopping: () => "실행 중이라 멈추는 중입니다.",
  runEnded: (ended) => `이미 끝난 실행입니다(${state(ended)}).`,
  asksForAnswer: ({ question, choices, id }) =>
    `질문: ${question}${choices === "" ? "" : ` (${choices})`}\n답하기: daybook answer ${id} …`,
  answered: () => "답을 전했습니다. 이어서 실행합니다.",
  resent: ({ target, when }) => `다시 알립니다: ${when} → ${target}`,

  becauseRun: (about) =>
    `"${about.name}" 실행 ${about.id}, ${state(about.state)}${about.when === null ? "" : ` ${about.when}`}`,
  becauseSlot: ({ when, utc, late }) => `예정 시각 ${when} (${utc})${started(late)}`,
  becauseAsked: ({ isBackfill, when, late }) =>
    isBackfill
      ? `빠진 ${when} 실행을 채워 달라는 요청`
      : `${when}에 실행해 달라는 요청${started(late)}`,
  becauseSchedule: (about) => `예약 "${about.name}", ${about.when}, 지금 ${state(about.state)}`,
  madeBy: ({ by, when, origin }) =>
    `${by}, ${when}${origin === null ? "" : `, ${origin}에서 만듦; 답은 그곳으로만 갑니다`}`,
};
