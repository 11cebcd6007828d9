import { withParticle } from "../../platform/particle.ts";
import { state } from "../accounts/index.ts";
import type { en } from "./en.ts";

const targets = {
  asked: "요청에서 정한 대상입니다",
  origin: "요청한 곳으로 보냅니다",
  home: "대상을 정하지 않아 기본 대상으로 보냅니다",
  inbox: "대상도 기본 대상도 없어 받은함으로 보냅니다",
  import: "가져온 알림이라 지금 연결된 모든 곳으로 보냅니다",
};

export const ko: typeof en = {
  inPlaceOf: (id) => `앞선 알림 ${id} 대신 보냅니다.`,
  requestedBefore: (about) =>
    `이 키로 이미 요청한 알림입니다(${state(about.state)}): ${about.when} → ${about.target}`,
  requestedAndPruned: () =>
    "이 키로 이미 요청한 알림입니다. 알림은 이미 끝났고 기록도 삭제되었습니다.",
  changed: ({ when, target }) => `바꿨습니다: ${when} → ${target}`,
  imported: ({ dry_run: isDry, imported, known, ended, refused }) =>
    `${isDry ? `${imported}개를 가져올 수 있습니다.` : `${imported}개를 가져왔습니다.`} 이미 있던 것 ${known}개, 이미 끝나서 보내지 않고 기록만 남긴 것 ${ended}개, 내용이 다른 것 ${refused}개.`,

  nothingListed: () =>
    '알림이 없습니다.\n만들려면: daybook remind "회의" --at "내일 오전 9시", 끝난 알림도 보려면: daybook list --all',

  webhookAdded: ({ target, secret, isFresh }) =>
    `${isFresh ? "" : "이 키로 이미 등록한 웹훅입니다.\n"}${target}\n메시지는 이 비밀 키로 서명합니다. 지금 한 번만 보여 드립니다:\n${secret}`,
  noWebhooks: () => "등록된 웹훅이 없습니다.\n등록하려면: daybook webhook create URL",
  webhookRemoved: () => "삭제했습니다. 이 웹훅으로 보낼 알림은 실패로 표시합니다.",
  receipt: (receipt) => `, 수신 확인 ${receipt}`,
  mayHaveArrived: (isDelivered) =>
    isDelivered ? "; 앞선 시도도 도착했을 수 있습니다" : "; 그래도 한 번은 도착했을 수 있습니다",
  replaces: (about) =>
    `앞선 알림 ${about.id}(${state(about.state)}) 대신 보내는 알림입니다: 묶음 키(collapse_key)가 같습니다`,
  targetBecause: (because) => targets[because],
  dueAt: ({ when, typed, late }) =>
    `${when}, 입력한 시각 ${typed}${late === null ? "" : `, ${late} 늦게 전달`}`,
  quiet: (hours) => `조용한 시간 ${hours}: 이 시각은 조용한 시간임`,
  urgent: () => "우선순위 높음: 조용한 시간에도 알립니다",
  atMostOnce: () => "최대 한 번: 두 번 보내지 않으며, 전달되지 않을 수도 있습니다",
  expires: (when) => `${when}에 만료됩니다`,
  collapses: (key) => `묶음 키(collapse_key) ${key}: 새 알림이 오면 이 알림을 대신합니다`,
  nobodyListens: (target) =>
    target.startsWith("inbox:")
      ? `지금 받은함(${target})을 보는 터미널이 없습니다. daybook attach를 실행하면 전달됩니다. 앞으로 휴대폰으로 받으려면 daybook.yaml에 channels.ntfy 값을 설정한 뒤(ntfy: {}면 됩니다): daybook profile --home ntfy:TOPIC`
      : `지금 ${target}에 연결한 곳이 없습니다. 연결되면 전달됩니다.`,
  waitsForListener: ({ target, command }) => `${target}에 연결하면 바로 전달됩니다: ${command}`,
  waits: {
    attempt: (by) => `${by}에서 처리 중입니다`,
    quietHours: (until) => `${until}까지 조용한 시간입니다`,
    meeting: (until) => `${until}까지 회의 중입니다`,
    paused: ({ scope, until, reason }) =>
      `${scope}: ${until === null ? "" : `${until}까지 `}일시 정지 중입니다${reason === null ? "" : ` (${reason})`}`,
    retry: ({ attempt, reason, when }) =>
      `${attempt}번째 시도에 실패했습니다(${reason}). 다음 시도: ${when}`,
    lane: (lane) => `${withParticle(lane ?? "같은 대상", "으로/로")} 보내는 앞선 알림을 기다립니다`,
    expiry: (when) => `보내기 전에 ${when}에 만료됩니다`,
    budget: (when) => `하루 한도를 다 썼습니다. 다음 실행: ${when}`,
    node: ({ span, by }) =>
      `${by === null ? "" : `${by}에서 중단된 뒤 `}${span}째 처리를 기다립니다. 오래 걸리면 \`daybook start\`가 실행 중인지 확인하세요`,
  },
  cancelAll: {
    none: () => "조건에 맞는 대기 중인 알림이 없습니다.",
    would: (count) => `알림 ${count}건을 취소합니다:`,
    others: (count) => `… 외 ${count}건`,
    cancelled: ({ cancelled, cancelling, left }) =>
      [
        `취소했습니다: ${cancelled}건.`,
        ...(cancelling === 0 ? [] : [`보내는 중이라 실패하면 취소됩니다: ${cancelling}건.`]),
        ...(left === 0
          ? []
          : [`취소하지 않은 것: ${left}건. 아직 기다리는 알림은 다시 요청하면 취소됩니다.`]),
      ].join(" "),
  },
  digest: ({ count }) => `조용한 시간에 온 알림 ${count}건`,
  undeliverable: ({ target, since, reason }) =>
    `${since}부터 ${withParticle(target, "으로/로")} 알림을 보낼 수 없습니다: ${reason}`,
  downtime: ({ from, to, count }) =>
    `Daybook이 ${from}부터 ${to}까지 멈춰 있었습니다. 늦어진 알림은 ${count}건입니다.`,

  marks: {
    done: "✓ 완료",
    snoozed: (when) => `⏰ 미룸: ${when}`,
    paused: "⏸ 일시 정지",
    cancelled: "✗ 취소",
  },
};
