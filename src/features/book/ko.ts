import { kindName, state } from "../accounts/index.ts";
import type { en } from "./en.ts";

const labels = {
  message: "내용",
  cause: "원인",
  request: "요청",
  time: "시각",
  rules: "규칙",
  runs: "실행",
  attempts: "시도",
  sent: "알림",
  changes: "변경",
  next: "다음",
};

const started = (when: string | null): string => (when === null ? "" : `, ${when} 시작`);

export const ko: typeof en = {
  nothingForeseen: () => "예정된 일이 없습니다.",
  foreseen: (what) => ({ say: "알림", run: "실행" })[what],
  clocksChange: (hours) => `(시계가 바뀌는 날: 하루 ${hours}시간)`,
  moreForeseen: (count) =>
    `처음 ${count}건만 보여 드립니다. 나머지를 보려면 기간을 줄이거나 limit을 늘리세요.`,

  cancelled: () => "취소했습니다.",
  cancelledBefore: () => "이미 취소된 알림입니다.",
  doneBefore: () => "이미 완료한 알림입니다.",
  cancelling: () =>
    "지금 보내는 중입니다. 다시 시도하지는 않지만 이번 알림은 도착할 수도 있습니다.",

  snoozed: ({ when, target }) => `미뤘습니다: ${when} → ${target}`,
  done: () => "완료했습니다.",
  doneUnsent: () => "완료했습니다. 남아 있던 알림은 보내지 않습니다.",
  thenEvery: (every) => `… 이후 ${every}`,
  nothingUntil: (when) => `${when}까지는 예정된 알림이 없습니다.`,

  whoYouAre: ({ owner, principal, scopes }) =>
    `${owner}의 장부, 사용자 ${principal}, 권한 ${scopes}`,
  waiting: (count) => `받은함: ${count}건 대기 중`,

  imported: ({ dry_run: isDry, created, existing, started, refused }) => {
    const before = existing === 0 ? [] : [`이미 있음 ${existing}건`];
    const wrong = refused === 0 ? [] : [`거절 ${refused}건`];
    if (isDry)
      return `${[`가져올 기록 ${created}건`, ...before, ...wrong].join(", ")}. 아무것도 쓰지 않았습니다.`;
    const others = started === 0 ? [] : [`중단된 가져오기에서 시작 ${started}건`];
    return `${[`가져온 기록 ${created}건`, ...before, ...others].join(", ")}.`;
  },
  importedKind: ({ kind, created, existing }) =>
    `  ${kind}: 새로 ${created}건, 이미 있음 ${existing}건`,
  knownAs: ({ line, id, as }) => `${line}번째 줄: ${id}의 키를 가진 기록이 이미 있습니다: ${as}`,
  newSecret: ({ id, secret }) =>
    `${id}의 호출은 이 새 비밀 키로 서명합니다. 다시 보여 드리지 않습니다: ${secret}`,

  settingsChanged: (keys) =>
    keys.length === 0 ? "바뀐 것이 없습니다." : `바뀜: ${keys.join(", ")}.`,
  settingsWait: (keys) => `데몬을 다시 시작하면 적용됩니다: ${keys.join(", ")}.`,

  label: (name) => labels[name],
  because: (about) => `${kindName(about.kind)} ${about.id}, ${state(about.state)}`,
  requestedBy: ({ by, when, origin }) =>
    `${by}, ${when}${origin === null ? "" : `, ${origin}에서 요청`}`,
  attempt: (about) =>
    `${about.attempt}번째 ${about.by}: ${state(about.state)}${about.took === null ? "" : ` (${about.took} 걸림)`}${started(about.when)}`,
  attempts: (about) =>
    `${about.attempt}번째 ${about.by}: ${state(about.state)}, ${about.from}부터 ${about.to}까지 ${about.count}번`,
  cutOff: ({ attempt, by, when }) =>
    `${attempt}번째 ${by}: 도중에 중단되어 결과를 알 수 없음${started(when)}`,
  cancelRequested: ({ by, when }) => `${when} ${by}: 보내는 도중에 취소 요청`,
  earlierLeftOut: (count) => `앞선 ${count}건 생략`,
  waitsForNothing: () => "답이나 수정을 기다리고 있습니다",
  overdue: ({ span, cutOff }) =>
    `${cutOff === null ? "" : `${cutOff}에서 중단됨, `}예정 시각에서 ${span} 지남; 더 오래 걸리면 \`daybook start\`가 실행 중인지 확인하세요`,
  atWork: ({ by, isCancelling }) =>
    `${by}에서 처리 중입니다${isCancelling ? "; 그다음 취소로 끝납니다" : ""}`,
  paused: ({ scope, until, reason }) =>
    `⏸ 일시 정지: ${scope}${until === null ? "" : `, ${until}까지`}${reason === null ? "" : ` (${reason})`}. 그동안 예정된 일은 기다립니다.`,
  resumed: (isPutBack) =>
    `재개했습니다. ${isPutBack ? "늦어도 1분" : "몇 초"} 안에 하던 일을 이어서 합니다.`,
};
