import { state } from "../accounts/index.ts";
import { tail, type en } from "./en.ts";

export const ko: typeof en = {
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
  waitsForAnswer: ({ id, until }) =>
    `${until === null ? "" : `${until}까지 `}답을 기다림: daybook answer ${id} …`,
  answeredBy: ({ answer, by, resumed }) => `${by}의 답 "${answer}", ${resumed}이(가) 이어서 함`,

  subscriptions: {
    added: ({ id, secret, isFresh }) =>
      `${isFresh ? "구독했습니다" : "이미 구독했습니다"}: ${id}\n보내는 내용에 서명하는 비밀 키: ${secret}`,
    none: "변경을 알리는 곳이 없습니다.",
    line: ({ id, state, url, kinds, seq, reason }) =>
      `${id}  ${state === "paused" ? "멈춤" : "활성"}  ${url}  ${kinds}  #${seq}${reason === null ? "" : `  ${reason}`}`,
    deleted: "삭제했습니다. 더는 알리지 않습니다.",
    resumed: (seq) => `#${seq} 다음부터 이어집니다.`,
    replayed: (from) => `#${from}부터 다시 알립니다.`,
  },

  answers: {
    answered: ({ answer }) => `이미 답이 있습니다: "${answer}". 그 답으로 진행합니다.`,
    late: "이 답을 기다리는 작업이 이제 없습니다.",
    notYours: "다른 사람에게 물은 것입니다. 그 사람만 답할 수 있습니다.",
    noChoice: (choices) => `선택지에 없는 답입니다. 다음 중에서 고르세요: ${choices}`,
    nobody: (handler) => `'${handler}'이(가) 이제 설정되어 있지 않아 이어서 할 수 없습니다.`,
    taken: "답을 전했습니다. 이어서 진행합니다.",
  },

  notices: {
    stillWaits: (question) => `⏳ 아직 답을 기다리고 있습니다: ${question}`,
    expired: ({ question, days }) =>
      `⌛ ${days}일 동안 답이 없어 더는 기다리지 않습니다: ${question}`,
    failing: ({ handler, count, reason }) =>
      `⚠️ '${handler}'이(가) 연속 ${count}번 실패했습니다${tail(reason)}`,
    timeouts: ({ count }) => `⚠️ 최근 한 시간 동안 ${count}번의 실행이 제한 시간을 넘겼습니다.`,
    stuck: ({ count, type, minutes, reason }) =>
      `⚠️ 처리를 기다리는 이벤트: ${count}. 가장 오래된 ${type}은(는) ${minutes}분째 기다립니다${tail(reason)}`,
    paused: ({ id, url, reason }) =>
      `⏸️ ${url}에 변경을 알릴 수 없어 구독을 멈췄습니다 (${reason}). 다시 시작하면 멈춘 곳부터 이어집니다: daybook subscription resume ${id}`,
    health: ({ host, health, reason }) =>
      ({
        green: `✅ ${host}의 상태가 회복되어 모든 작업을 시작합니다.`,
        yellow: `⚠️ ${host}에 일이 많아 급한 작업만 시작합니다${tail(reason)}`,
        red: `⛔ ${host}에 일이 너무 많아 새 작업을 시작하지 않습니다${tail(reason)}`,
      })[health],
  },
};
