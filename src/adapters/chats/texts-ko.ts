import type { Texts } from "./texts-en.ts";

export const ko: Texts = {
  commands: {
    remind: "여기에서 제때 한 번 알립니다",
    nag: "여기에서 끝날 때까지 되풀이해 알립니다",
    every: "에이전트가 되풀이해서 하고, 여기에 알립니다",
    list: '여기에서 알리고 실행할 것을 봅니다. "all"을 붙이면 모두 봅니다',
    snooze: "나중에 다시 알립니다. 알림에 답장하거나 ID를 쓰세요",
    done: "끝났습니다. 알림에 답장하거나 ID를 쓰세요",
    cancel: "알림, 재촉, 예약, 실행을 취소합니다",
    runs: "예약이 실행된 결과를 봅니다",
    output: "실행이 출력한 것을 봅니다",
    answer: "실행이 묻는 것이나, 코드로 고른 질문에 답합니다",
    timezone: "시간대를 보거나 정합니다",
    help: "무엇을 할 수 있는지 봅니다",
    start: "코드로 이 계정을 연결합니다",
  },
  usage: {
    remind: "시각 내용",
    nag: "[시각] 내용",
    every: "언제 할일",
    list: "",
    snooze: "[ID] 시각",
    done: "[ID]",
    cancel: "ID",
    runs: "[예약]",
    output: "실행",
    answer: "실행|코드 답",
    timezone: "[시간대]",
    help: "",
    start: "코드",
  },
  textOption: "내용",
  help: (lines) =>
    [
      "**여기에서 할 수 있는 것**",
      ...lines,
      "시각은 `내일 오후 3시`, `30분 뒤`, `tomorrow 9am`처럼 씁니다.",
    ].join("\n"),
  hint: "명령이 아닙니다. 알림은 /remind 내일 오후 3시 회의, 나머지는 /help 로 봅니다.",
  unknownCommand: ({ name, meant }) =>
    `/${name} 명령은 없습니다.${meant === undefined ? "" : ` /${meant} 를 말씀하셨나요?`} /help 로 볼 수 있습니다.`,

  welcome: (owner) =>
    `연결되었습니다. 여기에서 요청하는 것은 ${owner}의 장부에 적힙니다. 무엇을 할 수 있는지는 /help 로 보세요.`,
  wrongCode: "코드가 틀렸거나, 이미 썼거나, 시간이 지났습니다. `daybook link`로 새로 받으세요.",
  notKnown: "아직 연결되지 않았습니다. `daybook link`로 받은 코드를 /start 와 함께 보내세요.",

  planned: ({ when, text, id, past }) =>
    `⏰ ${when}\n${text}${past ? "\n이미 지난 시각이라 바로 알립니다." : ""}\n\`${id}\``,
  forgotten: (id) => `이미 요청했고, 끝난 것입니다.\n\`${id}\``,
  noTime: (example) => `처음이나 끝에 시각이 보이지 않습니다. 이렇게 쓰세요:\n${example}`,
  noText: "무엇을 알릴까요? 시각 뒤에 쓰세요: /remind 내일 오후 3시 회의",
  nagged: ({ when, text, curve, id }) =>
    `🔁 ${when}, 끝날 때까지 알립니다 (${curve})\n${text}\n\`${id}\``,
  nagNoText: (example) => `끝날 때까지 무엇을 알릴까요? 이렇게 쓰세요:\n${example}`,
  nagLine: ({ when, text, said, id }) =>
    `🔁 ${when === null ? "" : `${when}: `}${text} (${said}) \`${id}\``,
  snoozed: ({ when, text, id }) => `⏰ 미뤘습니다: ${when}\n${text}\n\`${id}\``,
  done: (text) => `✓ 완료: ${text}`,
  cancelled: (text) => `✗ 취소했습니다: ${text}`,
  cancelling: (text) =>
    `지금 보내는 중입니다. 다시 보내지는 않지만, 이번 것은 올 수도 있습니다: ${text}`,
  cancelledBefore: (text) => `이미 취소한 것입니다: ${text}`,

  scheduled: ({ name, when, next, id }) =>
    `↻ ${when}\n${name}${next === undefined ? "" : `\n다음: ${next}`}\n\`${id}\``,
  noCadence: (example) =>
    `처음이나 끝에 얼마나 자주인지 보이지 않습니다. 이렇게 쓰세요:\n${example}`,
  noAgent:
    "설정된 에이전트가 없어 말로 시킬 수 없습니다. Daybook을 운영하는 분이 `runners.agent`를 설정해야 합니다.",
  scheduleDeleted: (name) => `✗ 더는 실행하지 않습니다: ${name}`,
  runCancelled: (name) => `✗ 실행을 취소했습니다: ${name}`,

  listLine: ({ when, text, id }) => `• ${when}: ${text} \`${id}\``,
  scheduleLine: ({ name, when, next, state, id }) =>
    `↻ ${name}: ${when}${next === null ? "" : `, 다음 ${next}`}${state === null ? "" : ` (${state})`} \`${id}\``,
  runLine: ({ when, state, said, id }) =>
    `• ${when} ${state}${said === "" ? "" : `: ${said}`} \`${id}\``,
  nothingListed: "여기에서 기다리는 것이 없습니다.",
  elsewhere: (count) => `다른 곳으로 가는 것이 ${count}개 더 있습니다: /list all`,
  more: (count) => `… 그 밖에 ${count}개.`,
  runsOf: (name) => `**${name}**`,
  noRuns: "아직 실행되지 않았습니다.",
  noSchedules: "되풀이하는 것이 없습니다.",
  whichSchedule: "어느 것인가요? /runs 뒤에 ID나 이름을 쓰세요:",
  noOutput: (isAtWork) => (isAtWork ? "아직 출력한 것이 없습니다." : "출력한 것이 없습니다."),
  outputLeft: (remaining) => `… ${remaining}자가 더 있고, \`daybook output\`으로 모두 봅니다.`,
  answered: "답했습니다. 이어서 실행합니다.",

  whichOne: (command) =>
    `어느 것인가요? 그 메시지에 답장하거나, /list 에 나오는 ID를 쓰세요: /${command} 1a2b3c4d`,
  notFound: (typed) => `이 장부에 ${typed} 항목이 없습니다. /list 로 확인하세요.`,
  ambiguous: (typed) => `${typed}로 끝나는 것이 여럿입니다. ID를 더 길게 쓰세요.`,
  timezone: (zone) => `시각을 ${zone} 기준으로 읽습니다. 바꾸려면: /timezone Asia/Seoul`,
  timezoneSet: (zone) => `이제부터 시각을 ${zone} 기준으로 읽습니다.`,

  tryAgain: "지금은 할 수 없습니다. 잠시 뒤에 다시 하세요.",
  wentWrong: "문제가 생겨 기록에 남겼습니다. 나중에 다시 하세요.",
};
