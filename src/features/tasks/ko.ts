import { reason, state } from "../accounts/index.ts";
import type { en } from "./en.ts";

const started = (late: string | null): string => (late === null ? "" : `, ${late} 뒤에 시작`);

export const ko: typeof en = {
  nobodyRuns: (name) =>
    `여기에는 작업 '${name}'을(를) 실행할 곳이 없습니다. 생길 때까지 기다립니다.`,
  runAskedBefore: (about) => `이미 요청한 실행입니다(${state(about.state)}): '${about.name}'`,
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
  waitsForWorker: ({ handler }) => `일꾼이 가져갈 때까지 기다림: daybook worker claim ${handler}`,
  skipped: reason,
  told: (isMarked) =>
    isMarked
      ? "출력이 [NOTIFY]로 시작했거나 notify: true라고 했습니다"
      : "실행의 출력은 항상 알립니다",
  untold: (policy) =>
    `없음: ${policy === "never" ? "출력을 알리지 않는 예약입니다" : "출력이 [NOTIFY]로 시작하지도, notify: true라고 하지도 않았습니다"}`,
  failureUntold: (after) =>
    after === 0
      ? "없음: 실패는 알리지 않습니다"
      : `없음: 실패는 ${after}번 연속되면 한 번 알립니다`,

  ranSilently: ({ name }) => `'${name}' 작업이 실행되었고, 출력은 없습니다.`,
  outputGoesOn: (id) => `이어서 보기: daybook output ${id}`,

  answerInChat: (command) => `여기에 답장하거나 터미널에서: ${command}`,
  answerByCommand: (command) => `답하기: ${command}`,
};
