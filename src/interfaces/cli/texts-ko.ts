import { withParticle } from "../../platform/particle.ts";
import { oneLine } from "../../platform/text.ts";
import type { Texts } from "./texts-en.ts";

export const ko: Texts = {
  attached: (session, waiting) =>
    `세션 ${session}의 알림을 받는 중입니다${waiting === null ? "" : `(대기 중인 알림 ${waiting}건)`}. Ctrl-C로 나갑니다.`,
  reconnecting: (wait) => `연결이 끊겼습니다. ${wait} 뒤에 다시 시도합니다.`,
  notReported: (problem) =>
    `daybook: 프로그램은 그대로 실행하지만 결과를 보고하지 못했습니다: ${problem}`,
  notRun: (program, isMissing) =>
    isMissing
      ? `daybook: "${program}" 프로그램이 없습니다. 경로를 확인하세요.`
      : `daybook: "${program}" 프로그램을 실행할 수 없습니다. 권한(chmod +x)을 확인하세요.`,
  maybeRepeat: "(이미 받았을 수 있음)",
  running: ({ version, since, span, pid, url }) =>
    `Daybook ${version} 실행 중: ${since}부터 (${span}), 프로세스 ${pid}, ${url}`,
  openInBrowser: (url) => `이 컴퓨터의 브라우저에서 다음 페이지를 열고 접근을 허용하세요:\n${url}`,
  waitsForBrowser: () =>
    "브라우저를 기다리고 있습니다. 브라우저가 다른 컴퓨터에 있으면, 오류가 보일 때 주소를 복사하고 Ctrl-C로 나온 뒤 다음 명령을 실행하세요: daybook calendar finish '주소'",
  browserDone: () => "캘린더를 연결했습니다.",
  handlerAdded: (name, file) =>
    `${file} 파일에 ${withParticle(`handlers.${name}`, "을/를")} 추가했습니다.`,
  handlerNotLoaded: (problem) => `데몬이 아직 읽지 않았습니다. ${problem}`,
  noDaemonForFile: (file) =>
    `실행 중인 데몬이 없습니다. 다른 폴더에서 시작한 데몬은 이 파일을 읽지 않습니다. 시작하려면: daybook start --config ${file}`,
  noDaemon: "데몬이 실행되고 있지 않습니다. daybook start로 시작하세요.",
  leftForDaemon: "실행 중인 데몬이 없어 기다립니다. 데몬 시작: daybook start",
  book: (store, records) => `장부: ${store}, 기록 ${records}건`,
  bookInDaemon: (store) => `장부: ${store}, 데몬이 쓰는 중. 기록 수 보기: daybook queue stats`,
  bookProblem: (store, problem) => `장부: ${store}, 읽을 수 없음: ${problem}`,
  queueTitles: ["대기열", "지금", "나중", "작업 중", "가장 오래됨"],
  cancelAll: (count) => `${count}건을 모두 취소할까요? [y/N] `,
  nothingCancelled: "아무것도 취소하지 않았습니다.",
  nothingWaits: "대기 중인 것이 없습니다.",
  overdue: (due) => `데몬이 없어 처리하지 못한 것: ${due}건.`,
  exported: (lines) => `${lines}줄을 내보냈습니다 …`,
  importChecked: (done, records) => `${records}건 중 ${done}건을 확인했습니다 …`,
  importWritten: (done, records) => `${records}건 중 ${done}건을 썼습니다 …`,
  importStarted: (done, records) => `${records}건 중 ${done}건을 시작했습니다 …`,
  leftWorkspaces: (names) => `데몬 없이 실행 중인 작업 공간: ${names}`,
  configFrom: (file) => `설정: ${file ?? "파일 없음, 변수와 기본값만"}`,
  configProblem: (problem) => `바뀐 설정이 잘못되어 예전 설정으로 실행 중입니다: ${problem}`,
  settingsWrong: (problem) => `설정이 잘못되었습니다: ${problem}`,
  schedulesRefused: (problem) => `설정의 예약이 거절되어 예전 예약을 그대로 씁니다: ${problem}`,
  configNeedsRestart: (keys) => `바뀜(데몬을 다시 시작하면 적용): ${keys.join(", ")}`,
  levels: { ok: "정상", warn: "주의", bad: "문제" },
  summary({ warn, bad }) {
    if (bad > 0) return `문제 ${bad}개, 주의 ${warn}개.`;
    return warn > 0 ? `문제는 없고 주의 ${warn}개.` : "모두 정상입니다.";
  },
  nodeOk: (version) => `Node ${version}입니다.`,
  nodeOld: (version) => `Node ${version}입니다. 너무 오래되었으니 Node 24 이상을 설치하세요.`,
  configOk: (file) => (file === null ? "설정 파일이 없어 기본값을 씁니다." : `올바릅니다: ${file}`),
  configBad: (problem) => `설정이 잘못되었습니다: ${problem}`,
  configWarnings: (warnings) => `설정은 올바르지만 확인할 것이 있습니다: ${warnings.join("; ")}.`,
  homeOk: (path) => `쓸 수 있습니다: ${path}`,
  homeBad: (path, problem) =>
    `쓸 수 없는 폴더입니다: ${path} (${problem}). 고치거나 DAYBOOK_HOME을 다른 폴더로 설정하세요.`,
  storeOk: (name) => `열립니다: ${name}`,
  storeMemory:
    "장부가 메모리에 있어 데몬이 멈추면 사라집니다. DAYBOOK_STORE를 sqlite:경로로 설정하세요.",
  storeBad: (name, problem) => `열리지 않습니다: ${name} (${problem})`,
  zoneOk: (zone) => `시각을 ${zone} 기준으로 읽습니다.`,
  zoneFromHost: (zone) =>
    `시각을 이 컴퓨터의 시간대인 ${zone} 기준으로 읽습니다. DAYBOOK_TIMEZONE을 설정하세요.`,
  clockOk: "시계가 장부의 시계와 맞습니다.",
  clockWrong: (now) => `시계의 시각이 잘못되었습니다(${now}). NTP로 맞추세요.`,
  clockSkewed: (span) => `시계가 장부의 시계와 ${span} 어긋납니다. 둘 다 NTP로 맞추세요.`,
  daemonOk: (url) => `응답합니다: ${url}`,
  daemonNone: "데몬이 없어 아무것도 보내지 않습니다. daybook start로 시작하세요.",
  daemonBad: (url, problem) => `응답하지 않습니다: ${url} (${problem}). 데몬을 다시 시작하세요.`,
  daemonVersion: (theirs, ours) =>
    `데몬은 ${theirs} 버전, 이 명령은 ${ours} 버전입니다. 데몬을 다시 시작하세요.`,
  terminalOk: (version) =>
    `위의 내용은 모두 데몬의 상태입니다. 이 터미널의 Node는 ${version} 버전이고, 설정은 데몬을 찾는 데만 씁니다.`,
  terminalInstead: (problem) =>
    `데몬이 자기 상태를 알려 주지 않아(${problem.replace(/[.]$/, "")}) 위의 내용은 이 터미널의 상태입니다. 데몬은 다를 수 있습니다.`,
  terminalConfigBad: (problem) =>
    `이 터미널이 찾은 설정이 잘못되었습니다. 데몬은 다른 설정을 씁니다: ${problem}`,
  terminalFile: (own, daemon) =>
    `이 터미널의 설정 파일은 ${own}인데, 데몬은 ${daemon === null ? "설정 파일을 쓰지 않습니다" : `다른 파일을 읽습니다(${daemon})`}. 이 파일을 쓰려면 데몬을 다시 시작하세요: daybook start --config ${own}`,
  tokenOk: (path) => `나만 읽을 수 있습니다: ${path}`,
  tokenNone: "아직 없습니다. daybook start를 실행하면 만들어집니다.",
  tokenOpen: (path, mode) =>
    `다른 사람도 읽을 수 있습니다(${path}, 권한 ${mode}). chmod 600으로 바꾸고 토큰을 폐기하세요.`,
  channelsOk: (names) => `쓸 수 있음: ${names.join(", ")}.`,
  channelsLocal: (names) =>
    `쓸 수 있음: ${names.join(", ") || "없음"}. 터미널 밖에서는 알림을 받을 수 없습니다. ntfy나 웹훅을 설정하세요.`,
  pluginOk: (name, channels) => `${name} 채널: ${channels.join(", ")}.`,
  pluginOff: (name, problem) => `${name}: 꺼져 있습니다. ${problem}.`,
  allowOk: (hosts) =>
    hosts.length === 0
      ? "공개 인터넷의 주소로만 보냅니다."
      : `추가로 허용한 곳: ${hosts.join(", ")}.`,
  allowOwn: (hosts) =>
    `${hosts.join(", ")}: 웹훅을 추가할 수 있는 사람은 이 컴퓨터의 서비스에도 접속할 수 있습니다. 의도한 것이 아니라면 DAYBOOK_WEBHOOK_ALLOW에서 빼세요.`,
  chatOk: "연결되어 있고, 쓸 수 있는 사람이 있습니다.",
  chatMissing: (packages) => `패키지가 없습니다: npm install ${packages.join(" ")}`,
  chatRefused: (problem) => `요청을 거절합니다(${problem}). 토큰, API 주소, 네트워크를 확인하세요.`,
  chatIncomplete: (settings) =>
    `대화방의 메시지를 받지 못합니다. ${settings.join(" 또는 ")} 값을 설정하세요.`,
  chatWithoutPeople: (name) =>
    `쓸 수 있는 사람이 없어 메시지를 읽지 않습니다. daybook person invite를 실행하거나 channels.${name}.senders 값을 설정하세요.`,
  handlersOk: (names) => `알릴 채널이 모두 정해져 있습니다: ${names.join(", ")}.`,
  handlersWithoutTarget: (names) =>
    `${names.join(", ")}의 알림은 받은함으로만 갑니다. channels.slack.defaultChannel 값이나 handlers.${names[0] ?? "이름"} 아래의 channel 값을 설정하세요.`,
  handlerWithoutChannel: (name, target) =>
    `${name}의 알림은 ${withParticle(target, "으로/로")} 가는데, 그 채널이 설정되어 있지 않습니다. 채널을 설정하거나 handlers.${name} 아래에 다른 채널을 쓰세요.`,
  sourceOk: (name) => `${name}의 이벤트를 확인하고 있습니다.`,
  sourceIncomplete: (name, settings) =>
    `${name}의 이벤트를 받지 못합니다. ${settings.join(", ")} 값을 설정하세요.`,
  sourceBad: (name, problem) => `${name}의 이벤트를 받지 못합니다: ${problem.replace(/[.]$/, "")}.`,
  hooksOk: (urls) => `외부 서비스가 이벤트를 보내는 주소: ${urls.join(", ")}.`,
  hooksWithoutUrl: (names) =>
    `${names.map((name) => `/hooks/${name}`).join(", ")} 주소에 외부 서비스가 접속하지 못할 수 있습니다. http.publicUrl 값을 설정하세요.`,
  eventsWithoutHandler: (types) =>
    `최근에 생겼지만 처리기가 없는 이벤트입니다: ${types.join(", ")}. 처리기를 추가하거나(daybook on ${types[0] ?? "종류"} -- 명령) 그 소스의 types에서 빼세요.`,
  filesRefused: ({ files, newest }) =>
    `장부의 quarantine/에 파일이 ${files}개 있습니다. 최근 것: ${oneLine(newest ?? "", 300)} 이유에 맞게 고쳐 다시 넣은 뒤 quarantine/에서 지우세요.`,
  backendOk: (name, report) => `${name} 사용: ${report}.`,
  backendBad: (name, problem) =>
    `작업 공간을 유지할 수 없습니다. ${name}: ${problem.replace(/[.]$/, "")}.`,
  administratorNone:
    "작업 공간이 ERROR가 되면 소유자에게만 알립니다. workspaces.notify에 알릴 대상을 설정하세요.",
  agentOk: "필요한 패키지가 있습니다.",
  agentBad: (missing) => `패키지가 없어 실행이 실패합니다: npm install ${missing.join(" ")}`,
  tasksWithoutRunner: (names) =>
    `예정 시각이 지났지만 여기에서 실행할 프로그램이 없는 작업입니다: ${names.join(", ")}. 그 프로그램을 시작하거나 작업을 취소하세요.`,
};
