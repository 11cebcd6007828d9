import { state } from "./ko-states.ts";
import type { WhenTexts } from "./when.ts";

export const whenKorean: WhenTexts = {
  emitted: ({ name, type }) => `${type} 이벤트를 적었습니다: ${name}`,
  emittedBefore: (about) =>
    `${about.isOther ? "다른 내용으로 " : ""}이미 적은 이벤트입니다(${state(about.state)}): ${about.name}`,
  noEvents: () => "그런 이벤트가 없습니다.",
  eventIs: (about) =>
    `${about.name}  ${state(about.state)}  이벤트 ${about.type}${about.handler === null ? "" : ` → ${about.handler}`}`,
  eventCancelled: (name) => `${name} 이벤트로는 더 이상 아무것도 하지 않습니다.`,
  eventStopping: (name) => `${name} 이벤트로 하던 일을 멈추게 했습니다.`,
  eventEnded: (about) => `${about.name}은(는) 이미 ${state(about.state)} 상태입니다.`,

  noTasks: () => "그런 작업이 없습니다.",
  nothingToClaim: () => "할 일이 없습니다.",
  claimed: ({ id, ticket, until }) => `${until}까지 ${id}을(를) 맡았습니다. 표: ${ticket}`,
  keptUntil: ({ id, until, isCancelling }) =>
    isCancelling
      ? `${id}은(는) 취소되었습니다. 멈추고 ${until} 전에 결과를 알려 주세요.`
      : `${until}까지 ${id}을(를) 맡습니다.`,
  resultTaken: (about) =>
    about.again === null
      ? `${about.id}: ${state(about.state)}`
      : `${about.id}을(를) 다시 시도합니다(${about.again}). 지금은 ${state(about.state)}.`,

  noQuestions: () => "묻는 것이 없습니다.",
  questionIs: (about) =>
    `${about.id}  ${state(about.state)}  ${about.handler}의 질문: ${about.text}`,
  questionCancelled: (id) => `${id}의 답을 더는 기다리지 않습니다.`,
  questionStopping: (id) => `${id}을(를) 확인하는 중입니다. 그 뒤에 바로 취소됩니다.`,
  questionEnded: (about) => `${about.id}은(는) 이미 ${state(about.state)} 상태입니다.`,
  givenAnswer: (answer) => `답: ${answer}`,

  redriven: ({ of, id }) => `${of}을(를) ${id}(으)로 다시 합니다.`,
  redrivenBefore: ({ of, id }) => `${of}은(는) 이미 ${id}(으)로 다시 요청했습니다.`,
  nothingQueued: () => "대기열이 비어 있습니다.",
  queueMoved: (about) => `${about.id}: 이제 ${state(about.state)}`,
  queueEdited: (id) => `${id}을(를) 바꿨습니다.`,
  queueCount: (about) =>
    `${about.what}  ${state(about.state)}  ${about.count}개${about.oldest === null ? "" : `, 가장 오래된 것은 ${about.oldest}째`}`,
  queueDue: ({ queue, due, later, leased }) =>
    `${queue}  때가 됨 ${due}, 나중 ${later}, 작업 중 ${leased}`,

  subscribes: ({ handler, type }) => `${type}을(를) 처음으로 구독하는 것은 ${handler}`,
  nobodySubscribes: (type) => `${type}을(를) 구독하는 것이 없음. 설정의 handlers를 보세요`,
  hopsOf: (count) => `이벤트 ${count}개를 거쳐 옴`,
  handledBy: (about) => `작업 ${about.id}, ${state(about.state)}`,
  becauseEvent: (about) =>
    `${about.type} 이벤트: ${about.name} (${about.id}), ${state(about.state)}`,
  becauseQuestion: (about) => `질문 "${about.text}": ${about.id}, ${state(about.state)}`,
  waitsForWorker: ({ handler }) => `일꾼이 가져갈 때까지 기다림: daybook worker claim ${handler}`,
  waitsForAnswer: ({ id, until }) =>
    `${until === null ? "" : `${until}까지 `}답을 기다림: daybook answer ${id} …`,
  answeredBy: ({ answer, by, resumed }) => `${by}의 답 "${answer}", ${resumed}이(가) 이어서 함`,
};
