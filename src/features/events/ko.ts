import { withParticle } from "../../platform/particle.ts";
import { state } from "../accounts/index.ts";
import { tail, type en } from "./en.ts";

export const ko: typeof en = {
  emitted: ({ name, type }) => `${type} 이벤트를 기록했습니다: ${name}`,
  emittedBefore: (about) =>
    `${about.isOther ? "다른 내용으로 " : ""}이미 기록된 이벤트입니다(${state(about.state)}): ${about.name}`,
  noEvents: () => "조건에 맞는 이벤트가 없습니다.\n이벤트를 기록하려면: daybook event emit 종류",
  eventCancelled: (name) => `${name} 이벤트를 취소했습니다.`,
  eventStopping: (name) => `${name} 이벤트의 작업을 멈추는 중입니다.`,
  eventEnded: (about) =>
    `${withParticle(about.name, "은/는")} 이미 ${state(about.state)} 상태입니다.`,

  noTasks: () =>
    "조건에 맞는 작업이 없습니다.\n작업은 예약(daybook schedule list), 이벤트(daybook event list), daybook run에서 생깁니다.",
  nothingToClaim: () => "맡을 작업이 없습니다.",
  claimed: ({ id, ticket, until }) => `${until}까지 ${id} 작업을 맡았습니다. 티켓: ${ticket}`,
  keptUntil: ({ id, until, isCancelling }) =>
    isCancelling
      ? `${id} 작업이 취소되었습니다. 작업을 멈추고 ${until} 전에 결과를 보내세요.`
      : `${until}까지 ${id} 작업을 맡습니다.`,
  resultTaken: (about) =>
    about.again === null
      ? `${about.id}: ${state(about.state)}`
      : `${about.id}: ${state(about.state)}. 다음 시도: ${about.again}`,

  noQuestions: () => "질문이 없습니다.\n끝난 질문도 보려면: daybook question list --all",
  questionIs: (about) =>
    `${about.id}  ${state(about.state)}  ${about.handler}의 질문: ${about.text}`,
  questionCancelled: (id) => `질문 ${withParticle(id, "을/를")} 취소했습니다.`,
  questionStopping: (id) =>
    `질문 ${withParticle(id, "을/를")} 처리하는 중입니다. 끝나면 바로 취소됩니다.`,
  questionEnded: (about) =>
    `${withParticle(about.id, "은/는")} 이미 ${state(about.state)} 상태입니다.`,

  redriven: ({ of, id }) =>
    `${withParticle(of, "을/를")} ${withParticle(id, "으로/로")} 다시 실행합니다.`,
  redrivenBefore: ({ of, id }) =>
    `${withParticle(of, "은/는")} 이미 ${withParticle(id, "으로/로")} 다시 실행했습니다.`,
  nothingQueued: () => "대기열에 조건에 맞는 것이 없습니다.\n상태별 개수 보기: daybook queue stats",
  queueMoved: (about) => `${about.id}: 이제 ${state(about.state)}`,
  queueEdited: (id) => `${withParticle(id, "을/를")} 변경했습니다.`,
  queueCount: (about) =>
    `${about.queue}  ${state(about.state)}  ${about.count}개${about.oldest === null ? "" : `, 가장 오래된 것은 ${about.oldest}째`}`,
  queueDue: ({ name, due, later, leased }) =>
    `${name}  실행 대기 ${due}, 나중 ${later}, 실행 중 ${leased}`,

  subscribes: ({ handler, type }) =>
    `${withParticle(type, "을/를")} 구독하는 첫 처리기는 ${handler}`,
  nobodySubscribes: (type) =>
    `${withParticle(type, "을/를")} 구독하는 처리기가 없습니다. 설정의 handlers를 확인하세요`,
  hopsOf: (count) => `이 이벤트에 이르기까지의 이벤트: ${count}개`,
  handledBy: (about) => `작업 ${about.id}, ${state(about.state)}`,
  becauseEvent: (about) =>
    `${about.type} 이벤트: ${about.name}${about.id === about.name ? "" : ` (${about.id})`}, ${state(about.state)}`,
  becauseQuestion: (about) => `질문 "${about.text}": ${about.id}, ${state(about.state)}`,
  waitsForAnswer: ({ id, until }) =>
    `${until === null ? "" : `${until}까지 `}답을 기다림: daybook question answer ${id} …`,
  answeredBy: ({ answer, by, resumed }) =>
    `${by}의 답 "${answer}", ${withParticle(resumed, "이/가")} 이어서 처리`,

  subscriptions: {
    added: ({ id, secret, isFresh }) =>
      `${isFresh ? "구독했습니다" : "이미 구독했습니다"}: ${id}\n전송에 서명하는 비밀 키: ${secret}`,
    none: "구독이 없습니다.\n만들려면: daybook subscription create URL",
    deleted: "삭제했습니다. 변경을 더 이상 전송하지 않습니다.",
    resumed: (seq) => `#${seq} 다음부터 재개합니다.`,
    replayed: (from) => `#${from}부터 모든 변경을 다시 전송합니다.`,
  },

  answers: {
    answered: ({ answer }) => `이미 답이 있는 질문입니다: "${answer}". 바뀌는 것은 없습니다.`,
    late: "이미 끝난 질문입니다. 이 답을 기다리는 작업이 없습니다.",
    notYours: "다른 사람에게 한 질문입니다. 그 사람만 답할 수 있습니다.",
    noChoice: (choices) => `선택지에 없는 답입니다. 다음 중에서 고르세요: ${choices}`,
    nobody: (handler) =>
      `처리기 ${withParticle(`'${handler}'`, "이/가")} 이제 설정에 없어 작업을 이어 갈 수 없습니다.`,
    taken: "답을 저장했습니다. 작업을 이어서 합니다.",
  },

  notices: {
    stillWaits: (question) => `⏳ 아직 답을 기다리고 있습니다: ${question}`,
    expired: ({ question, days }) => `⌛ ${days}일 동안 답이 없어 질문을 닫았습니다: ${question}`,
    failing: ({ handler, count, reason }) =>
      `⚠️ ${withParticle(`'${handler}'`, "이/가")} ${count}번 연속 실패했습니다${tail(reason)}`,
    timeouts: ({ count }) => `⚠️ 최근 한 시간 동안 실행 ${count}건이 제한 시간을 넘겼습니다.`,
    stuck: ({ count, type, minutes, reason }) =>
      `⚠️ 처리기를 기다리는 이벤트: ${count}. 가장 오래된 ${withParticle(type, "은/는")} ${minutes}분째 기다리고 있습니다${tail(reason)}`,
    paused: ({ id, url, reason }) =>
      `⏸️ 변경을 전송할 수 없어 ${url} 구독을 일시 정지했습니다(${reason}). 멈춘 곳부터 재개하려면: daybook subscription resume ${id}`,
    health: ({ host, health, reason }) =>
      ({
        green: `✅ ${host}의 상태가 정상으로 돌아와 모든 처리기를 시작합니다.`,
        yellow: `⚠️ ${host}의 부하가 높아 긴급한 처리기만 시작합니다${tail(reason)}`,
        red: `⛔ ${host}에 과부하가 걸려 처리기를 시작하지 않습니다${tail(reason)}`,
      })[health],
  },
};
