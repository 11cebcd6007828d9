import { withParticle } from "../../platform/particle.ts";
import { reason, state } from "../accounts/index.ts";
import type { en } from "./en.ts";

const started = (late: string | null): string => (late === null ? "" : `, ${late} 늦게 시작`);

export const ko: typeof en = {
  noRunner: (name) =>
    `여기에는 작업 ${withParticle(`'${name}'`, "을/를")} 실행할 프로그램이 없습니다. 연결될 때까지 기다립니다.`,
  missingWorkspace: ({ name, others }) =>
    `작업 공간 ${withParticle(`'${name}'`, "이/가")} 아직 없어 처음 실행할 때 만듭니다.${others.length === 0 ? "" : ` 지금 있는 작업 공간: ${others.join(", ")}.`}`,
  runRequestedBefore: (about) => `이미 요청한 실행입니다(${state(about.state)}): '${about.name}'`,
  runLine: (about) =>
    `'${about.name}' 실행 ${about.id}  ${state(about.state)}${about.when === null ? "" : ` ${about.when}`}`,
  exitedWith: (status) => `종료 코드 ${status}`,
  noOutput: (isAtWork) =>
    isAtWork
      ? "아직 저장된 출력이 없습니다. 실행 중입니다."
      : "이 실행에는 저장된 출력이 없습니다.",
  outputRemaining: ({ offset, remaining }) => `${remaining}자 더 있음: --offset ${offset}`,
  runCancelled: () => "취소했습니다. 실행되지 않습니다.",
  runStopping: () => "실행 중이라 멈추는 중입니다.",
  runEnded: (ended) => `이미 끝난 실행입니다(${state(ended)}).`,
  inputRequired: ({ question, choices, command }) =>
    `질문: ${question}${choices === "" ? "" : ` (${choices})`}\n답하기: daybook ${command} …`,
  answered: () => "답했습니다. 실행을 계속합니다.",
  resent: ({ target, when }) => `다시 보냅니다: ${when} → ${target}`,

  becauseRun: (about) =>
    `"${about.name}" 실행 ${about.id}, ${state(about.state)}${about.when === null ? "" : ` ${about.when}`}`,
  becauseSlot: ({ when, utc, late }) => `예정 시각 ${when} (${utc})${started(late)}`,
  becauseRequested: ({ isBackfill, when, late }) =>
    isBackfill ? `놓친 ${when} 실행을 요청함` : `${when}에 실행을 요청함${started(late)}`,
  waitsForWorker: ({ handler }) =>
    `작업자가 가져갈 때까지 기다립니다: daybook worker claim ${handler}`,
  waits: {
    answer: (id) => `답을 기다립니다: daybook run answer ${id}`,
    callback: () => "호출한 프로그램이 끝났다고 알릴 때까지 기다립니다",
    turn: () => "같은 예약의 앞선 실행이 끝날 때까지 기다립니다",
    capacity: () => "동시에 실행할 수 있는 수가 다 찼습니다. 앞선 실행 하나가 끝나면 시작합니다",
    rate: ({ handler, until }) =>
      `처리기 ${handler}의 실행 횟수 제한 때문에 ${until}까지 기다립니다`,
    workspace: (name) => `작업 공간 ${withParticle(name, "이/가")} 켜질 때까지 기다립니다`,
  },
  skipped: reason,
  outputSent: (isMarked) =>
    isMarked
      ? "실행이 [NOTIFY]로 시작했거나 notify: true를 반환했습니다"
      : "실행의 출력을 항상 보냅니다",
  outputNotSent: (policy) =>
    policy === "never"
      ? "없음: 실행의 출력을 보내지 않습니다"
      : "없음: 실행이 [NOTIFY]로 시작하지도, notify: true를 반환하지도 않았습니다",
  failureNotSent: (after) =>
    after === 0
      ? "없음: 실패는 알리지 않습니다"
      : `없음: 실패는 ${after}번 연속되면 한 번 알립니다`,

  ranSilently: ({ name }) => `'${name}' 작업을 실행했습니다. 출력은 없습니다.`,
  outputContinues: (id) => `나머지 보기: daybook run output ${id}`,

  answerByReply: "여기에 답장하면 답이 전달됩니다.",
  answerByCommand: (command) => `답하기: ${command}`,
};
