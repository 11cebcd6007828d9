import { againKorean } from "./again-ko.ts";
import { reason, skips } from "./ko-reasons.ts";
import { state } from "./ko-states.ts";
import type { Texts } from "./shape.ts";
import { untilKorean } from "./until-ko.ts";
import { whenKorean } from "./when-ko.ts";

const kinds: Readonly<Record<string, string>> = {
  notification: "알림",
  schedule: "예약",
  task: "작업",
  webhook: "웹훅",
  profile: "설정",
  token: "토큰",
  person: "사람",
  invite: "초대",
  nag: "재촉",
  page: "페이지",
  event: "이벤트",
  question: "질문",
  workspace: "작업 공간",
};

const from = { profile: "내 설정", setting: "이 설치의 설정", host: "이 컴퓨터의 설정" };
const unset = { timezone: "", language: "", home: "받은함", quiet: "없음" };
const settings = { timezone: "시간대", language: "언어", home: "기본 대상", quiet: "조용한 시간" };
const labels = {
  message: "내용",
  because: "이유",
  asked: "요청",
  time: "시각",
  rules: "규칙",
  runs: "실행",
  attempts: "시도",
  said: "알림",
  changes: "변경",
  next: "다음",
};
const targets = {
  asked: "정해 준 곳으로 갑니다",
  origin: "답은 그곳으로만 갑니다",
  home: "대상을 정하지 않아 기본 대상으로 갑니다",
  inbox: "대상도 기본 대상도 없어 받은함으로 갑니다",
  import: "가져온 것이라 지금 듣고 있는 모두에게 갑니다",
};

const measures = { runs: "실행", turns: "턴", cost: "비용" };

const began = (when: string | null): string => (when === null ? "" : `, ${when} 시작`);
const rest: Texts["pausedSince"] = ({ by, since, until, reason }) =>
  [
    ...(since === null ? [] : [`${since}부터`]),
    until === null ? "다시 켤 때까지" : `${until}까지`,
    `일시 정지${by === null ? "" : `: ${by}`}${reason === null ? "" : ` (${reason})`}`,
  ].join(" ");

const kind = (name: string): string => kinds[name] ?? name;

const planned = {
  create: "만듦",
  change: "바꿈",
  keep: "그대로 둠",
  remove: "없앰",
  same: "같음",
} as const;

export const korean: Texts = {
  ...againKorean,
  ...untilKorean,
  ...whenKorean,
  state,
  reason,

  planned: ({ when, target }) => `알림을 예약했습니다: ${when} → ${target}`,
  pastSoAtOnce: () => "이미 지난 시각이라 바로 알립니다.",
  inPlaceOf: (id) => `앞선 알림 ${id} 대신 보냅니다.`,
  askedBefore: (about) =>
    `이미 요청한 알림입니다(${state(about.state)}): ${about.when} → ${about.target}`,
  askedAndForgotten: () => "이미 요청해서 끝났고, 기록은 지워졌습니다.",
  changed: ({ when, target }) => `바꿨습니다: ${when} → ${target}`,
  imported: ({ imported, known, skipped, refused }) =>
    `${imported}개를 가져왔습니다. 이미 있던 것 ${known}개, 끝난 것 ${skipped}개, 내용이 다른 것 ${refused}개.`,

  cancelled: () => "취소했습니다.",
  cancelledBefore: () => "이미 취소된 알림입니다.",
  cancelling: () => "지금 보내는 중입니다. 다시 시도하지는 않지만, 이번 것은 도착할 수도 있습니다.",

  snoozed: ({ when, target }) => `미뤘습니다: ${when} → ${target}`,
  done: () => "완료했습니다.",
  doneUnsaid: () => "완료했습니다. 남아 있던 알림은 보내지 않습니다.",

  nothingListed: () => "보여 줄 것이 없습니다. 끝난 것은 --all로 볼 수 있습니다.",
  more: (cursor) => `더 보기: --after ${cursor}`,
  nothingUntil: (when) => `${when}까지는 예정된 알림이 없습니다.`,
  notAll: () => "여기에 다 보이지 않은 것이 더 있습니다.",

  whoYouAre: ({ owner, principal, scopes }) =>
    `${owner}의 장부, 사용자 ${principal}, 권한 ${scopes}`,
  setting: ({ name, value, from: source }) =>
    `${settings[name]}: ${value ?? unset[name]} (${from[source]})`,
  waiting: (count) => `받은함: ${count}건 대기 중`,

  webhookAdded: ({ target, secret, isFresh }) =>
    `${isFresh ? "" : "이 키로 이미 등록한 웹훅입니다.\n"}${target}\n메시지는 이 비밀 키로 서명됩니다. 지금 한 번만 보여 드립니다:\n${secret}`,
  noWebhooks: () => "등록된 웹훅이 없습니다.",
  webhookRemoved: () => "삭제했습니다. 이 웹훅으로 갈 알림은 실패로 표시됩니다.",

  tokenMade: ({ owner, scopes }) =>
    `${owner}의 장부, 권한 ${scopes}. 토큰은 지금 한 번만 보여 드립니다:`,
  tokenMadeBefore: ({ owner, scopes }) =>
    `이 키로 이미 만든 토큰입니다: ${owner}의 장부, 권한 ${scopes}. 토큰은 그때 한 번 보여 드렸고 어디에도 남아 있지 않습니다. 잃어버렸다면 이것을 폐기하고 다른 키로 새로 만드세요.`,
  noTokens: () => "토큰이 없습니다.",
  tokenLine: ({ name, owner, scopes, until }) =>
    `${name}, ${owner}의 장부, 권한 ${scopes}${until === null ? "" : `, ${until}까지`}`,
  tokenRevoked: () => "폐기했습니다. 이제 이 토큰으로는 아무것도 할 수 없습니다.",

  linkCode: ({ say, owner, minutes }) =>
    `${minutes}분 안에 봇에게 이 말을 먼저 한 사람이 ${owner}의 장부를 쓸 수 있습니다:\n${say}`,
  noPeople: () => "대화에서 연결된 사람이 없습니다.",
  personLine: ({ name, who, owner }) => `${who} (${name}), ${owner}의 장부`,
  personUnlinked: () => "연결을 끊었습니다. 이제 이 사람의 말은 듣지 않습니다.",

  settingsChanged: (keys) =>
    keys.length === 0 ? "바뀐 것이 없습니다." : `바뀜: ${keys.join(", ")}.`,
  settingsWait: (keys) => `다음에 시작할 때 적용됩니다: ${keys.join(", ")}.`,

  label: (name) => labels[name],
  headline: (about) =>
    `${kind(about.kind)} ${about.id}  ${state(about.state)}${about.when === null ? "" : ` ${about.when}`}${about.target === null ? "" : ` → ${about.target}`}`,
  receipt: (receipt) => `, 수신 확인 ${receipt}`,
  mayHaveArrived: (isDelivered) =>
    isDelivered
      ? "; 앞선 시도도 도착했을 수 있습니다"
      : "; 그래도 시도 하나가 도착했을 수 있습니다",
  because: (about) => `${kind(about.kind)} ${about.id}, ${state(about.state)}`,
  replaces: (about) =>
    `앞선 알림 ${about.id}(${state(about.state)}) 대신 보내는 알림입니다: collapse_key가 같습니다`,
  askedBy: ({ by, when, origin }) =>
    `${by}, ${when}${origin === null ? "" : `, ${origin}에서 요청`}`,
  targetBecause: (because) => targets[because],
  dueAt: ({ when, words, late }) =>
    `${when}, 요청한 말 ${words}${late === null ? "" : `, ${late} 뒤에 알림`}`,
  quiet: ({ hours, isInForce }) =>
    `조용한 시간 ${hours}: ${isInForce ? "이 시각에 해당함" : "이 시각에는 해당 없음"}`,
  urgent: () => "긴급: 조용한 시간에도 알립니다",
  atMostOnce: () => "한 번만: 두 번 보내느니 보내지 않습니다",
  expires: (when) => `${when} 이후에는 알리지 않습니다`,
  collapses: (key) => `collapse_key ${key}: 새 알림이 오면 이 알림을 대신합니다`,
  attempt: (about) =>
    `${about.attempt}번째 ${about.by}: ${state(about.state)}${about.took === null ? "" : ` (${about.took} 걸림)`}${began(about.when)}`,
  cutOff: ({ attempt, by, when }) =>
    `${attempt}번째 ${by}: 도중에 끊겨 결과를 알 수 없음${began(when)}`,
  edited: ({ by, when }) => `${when} ${by}: 수정`,
  cancelAsked: ({ by, when }) => `${when} ${by}: 보내는 도중에 취소 요청`,
  cancelledBy: ({ by, when }) => `${when} ${by}: 취소`,
  pausedBy: ({ by, when }) => `${when} ${by}: 일시 정지`,
  resumedBy: ({ by, when }) => `${when} ${by}: 다시 켬`,
  wentOn: (when) => `${when} 일시 정지가 끝남`,
  disabledOn: (when) => `${when} 중지됨`,
  earlierLeftOut: (count) => `앞선 ${count}건 생략`,
  skipped: (reason) => skips[reason],
  pausedSince: rest,
  used: ({ what, used, allowed }) =>
    used === null
      ? `${measures[what]} 최대 ${allowed}`
      : `${measures[what]} ${allowed} 중 ${used} 사용`,
  dayBudget: ({ day, used, isUsedUp }) =>
    `${day} 예산: ${used}${isUsedUp ? ", 다 써서 이날은 더 실행하지 않음" : ""}`,
  runBudget: (used) => `이 실행의 예산: ${used}`,
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
  waitsForNothing: () => "답이나 수정을 기다립니다",
  waitsForListener: (target) => `${target}에서 누군가 들으면 바로 알립니다: daybook attach`,
  waitsForResume: (name) => `다시 켤 때까지 실행하지 않습니다: daybook resume ${name}`,
  heldBack: ({ scope, ...about }) => `기다리는 중: "${scope}" ${rest(about)}`,
  overdue: ({ span, cutOff }) =>
    `${cutOff === null ? "" : `${cutOff}에서 끊김, `}예정 시각에서 ${span} 지남; 오래 걸리면 \`daybook start\`가 실행 중인지 확인하세요`,
  atWork: ({ by, isCancelling }) =>
    `${by}에서 처리 중입니다${isCancelling ? "; 그다음 취소로 끝납니다" : ""}`,
  comes: ({ when, far, isParked }) =>
    `${when} 예정 (${far})${isParked ? ", 같은 곳으로 가는 다른 알림 뒤에서 대기" : ""}`,

  welcome: () => '데이북이 실행 중입니다. 해 보기: daybook remind "회의" --at "내일 오전 9시"',
  digest: ({ count }) => `조용한 시간에 온 알림 ${count}건`,
  undeliverable: ({ target, since, reason }) =>
    `${since}부터 ${target}(으)로 알림을 보낼 수 없습니다: ${reason}`,
  downtime: ({ from, to, count }) =>
    `${from}부터 ${to}까지 멈춰 있었습니다. 늦어진 알림은 ${count}건입니다.`,

  ranSilently: ({ name }) => `'${name}' 작업이 실행되었고, 출력은 없습니다.`,
  outputGoesOn: (id) => `이어서 보기: daybook output ${id}`,
  keepsFailing: ({ name, count, error }) =>
    `❌ 예약 작업 '${name}'이(가) ${count}번 연속 실패했습니다. 마지막 오류: ${error}`,
  wasDisabled: ({ name, count }) =>
    `⛔ 예약 작업 '${name}'이(가) ${count}번 연속 실패하여 중지되었습니다.`,
  worksAgain: ({ name, count }) =>
    `✅ 예약 작업 '${name}'이(가) ${count === 0 ? "" : `${count}번 실패한 뒤 `}다시 정상으로 실행되었습니다.`,
  reportMissed: ({ name, when }) => `⏰ '${name}'의 보고가 없습니다. ${when}에 올 예정이었습니다.`,
  reportsAgain: ({ name }) => `✅ '${name}'이(가) 다시 보고했습니다.`,
  watching: ({ name, when, grace, target }) =>
    `'${name}'의 보고를 기다립니다: ${when}. ${grace} 넘게 늦으면 ${target}(으)로 알립니다.`,
  pingAt: (url) => `끝날 때 이 주소를 부르게 하세요. 주소는 지금만 보입니다:\n${url}`,
  pingTaken: (about) => `'${about.name}': ${state(about.state)}.`,
  setDown: ({ name, owner, what, fields, drift }) =>
    `${planned[what]}  ${name} (${owner})${fields === "" ? "" : `: ${fields}`}${drift ? ", 다른 곳에서 바뀜" : ""}`,
  nothingSetDown: () => "설정에 예약이 없습니다.",
  nothingDone: () => "아무것도 바꾸지 않았습니다. daybook apply가 할 일입니다.",
  rests: ({ scope, until, reason }) =>
    `⏸ 멈춤: ${scope}${until === null ? "" : `, ${until}까지`}${reason === null ? "" : ` (${reason})`}. 그동안의 일은 기다립니다.`,
  goesOn: (isPutBack) => `다시 이어집니다. ${isPutBack ? "늦어도 1분" : "몇 초"} 안에 시작합니다.`,
};
