import { oneLine } from "../../platform/text.ts";
import type { Texts } from "./texts-en.ts";

export const ko: Texts = {
  attached: (session, waiting) =>
    `듣는 곳: ${session}${waiting === null ? "" : `, 기다리는 것 ${waiting}개`}. Ctrl-C로 나갑니다.`,
  reconnecting: (wait) => `연결이 끊겼습니다. ${wait} 뒤에 다시 시도합니다.`,
  notReported: (problem) =>
    `daybook: 프로그램은 그대로 실행하지만, 보고하지 못했습니다: ${problem}`,
  notRun: (program, isMissing) =>
    isMissing
      ? `daybook: "${program}" 프로그램이 없습니다. 경로를 확인하세요.`
      : `daybook: "${program}" 프로그램을 실행할 수 없습니다. 권한(chmod +x)을 확인하세요.`,
  maybeRepeat: "(이미 왔을 수 있음)",
  running: ({ version, since, span, pid, url }) =>
    `Daybook ${version} 실행 중: ${since}부터 (${span}), 프로세스 ${pid}, ${url}`,
  handlerAdded: (name, file) => `적었습니다: ${file} 의 handlers.${name}.`,
  handlerNotLoaded: (problem) => `아직 데몬이 읽지 않았습니다. ${problem}`,
  noDaemonForFile: (file) =>
    `실행 중인 데몬이 없습니다. daybook start --config ${file} 로 시작하세요. 다른 폴더에서 시작한 데몬은 이 파일을 읽지 않습니다.`,
  noDaemon: "데몬이 돌고 있지 않습니다. daybook start 로 켜세요.",
  leftForDaemon: "실행 중인 데몬이 없어 기다립니다. 데몬 시작: daybook start",
  book: (store, records) => `장부: ${store}, 기록 ${records}개`,
  bookInDaemon: (store) =>
    `장부: ${store}, 데몬이 열고 있음: daybook queue stats 가 안에 든 것을 셉니다`,
  bookProblem: (store, problem) => `장부: ${store} 읽을 수 없음: ${problem}`,
  queueTitles: ["줄", "지금", "나중", "작업 중", "가장 오래됨"],
  cancelAll: (count) => `${count}건을 모두 취소할까요? [y/N] `,
  nothingCancelled: "아무것도 취소하지 않았습니다.",
  nothingWaits: "기다리는 것이 없습니다.",
  overdue: (due) => `데몬이 없어서 하지 못한 것 ${due}개.`,
  leftWorkspaces: (names) => `데몬 없이 실행 중인 작업 공간: ${names}`,
  configFrom: (file) => `설정: ${file ?? "파일 없음, 변수와 기본값만"}`,
  configProblem: (problem) => `바뀐 설정이 틀려서 예전 설정으로 돌고 있습니다: ${problem}`,
  settingsWrong: (problem) => `설정이 틀렸습니다: ${problem}`,
  schedulesRefused: (problem) => `설정에 있는 예약이 거절되어 예전 그대로입니다: ${problem}`,
  configNeedsRestart: (keys) => `바뀌었고, 다음에 시작할 때 적용됩니다: ${keys.join(", ")}`,
  levels: { ok: "좋음", warn: "주의", bad: "나쁨" },
  summary({ warn, bad }) {
    if (bad > 0) return `나쁨 ${bad}개, 주의 ${warn}개.`;
    return warn > 0 ? `나쁜 것은 없고, 주의 ${warn}개.` : "모두 좋습니다.";
  },
  nodeOk: (version) => `Node ${version}입니다.`,
  nodeOld: (version) => `너무 오래된 Node ${version}입니다. Node 24 이상을 설치하세요.`,
  configOk: (file) => (file === null ? "설정 파일이 없어 기본값을 씁니다." : `맞습니다: ${file}`),
  configBad: (problem) => `설정이 틀렸습니다: ${problem}`,
  configWarnings: (warnings) => `설정은 맞지만: ${warnings.join("; ")}.`,
  homeOk: (path) => `쓸 수 있습니다: ${path}`,
  homeBad: (path, problem) =>
    `사용할 수 없습니다: ${path} (${problem}). 이를 고치거나 DAYBOOK_HOME을 다른 폴더로 정하세요.`,
  storeOk: (name) => `열립니다: ${name}`,
  storeMemory:
    "장부가 메모리에 있어 데몬과 함께 사라집니다. DAYBOOK_STORE를 sqlite:경로로 정하세요.",
  storeBad: (name, problem) => `열리지 않습니다: ${name} (${problem})`,
  zoneOk: (zone) => `시각을 ${zone} 기준으로 읽습니다.`,
  zoneFromHost: (zone) =>
    `시각을 ${zone} 기준으로 읽는데, 이 기계의 값일 뿐입니다. DAYBOOK_TIMEZONE을 정하세요.`,
  clockOk: "시계가 장부의 시계와 맞습니다.",
  clockWrong: (now) => `시계가 있을 수 없는 시각입니다(${now}). NTP로 맞추세요.`,
  clockSkewed: (span) => `시계가 장부의 시계와 ${span} 어긋납니다. 둘 다 NTP로 맞추세요.`,
  daemonOk: (url) => `답합니다: ${url}`,
  daemonNone: "데몬이 없어서 아무것도 알리지 않습니다. daybook start 로 켜세요.",
  daemonBad: (url, problem) => `답이 없습니다: ${url} (${problem}). 멈추고 다시 켜세요.`,
  daemonVersion: (theirs, ours) =>
    `데몬은 ${theirs}판, 이 명령은 ${ours}판입니다. 데몬을 멈추고 다시 켜세요.`,
  terminalOk: (version) =>
    `위의 내용은 모두 데몬의 상태입니다. 이 터미널은 Node ${version}을 쓰고, 설정은 데몬을 찾는 데만 씁니다.`,
  terminalInstead: (problem) =>
    `데몬이 자기 상태를 알려 주지 않아(${problem.replace(/[.]$/, "")}) 위의 내용은 이 터미널의 상태입니다. 데몬은 다를 수 있습니다.`,
  terminalConfigBad: (problem) =>
    `이 터미널이 찾은 설정이 잘못되었습니다. 데몬은 다른 설정을 씁니다: ${problem}`,
  terminalFile: (own, daemon) =>
    `이 터미널은 ${own} 을 찾는데, 데몬은 ${daemon === null ? "설정 파일을 쓰지 않습니다" : `${daemon} 을 읽습니다`}. 이 파일을 쓰려면 daybook start --config ${own} 로 데몬을 다시 시작하세요.`,
  tokenOk: (path) => `나만 읽을 수 있습니다: ${path}`,
  tokenNone: "아직 없습니다. daybook start 가 만듭니다.",
  tokenOpen: (path, mode) =>
    `남도 읽을 수 있습니다(${path}, 권한 ${mode}). chmod 600 하고 토큰을 거두세요.`,
  channelsOk: (names) => `쓸 수 있음: ${names.join(", ")}.`,
  channelsLocal: (names) =>
    `쓸 수 있음: ${names.join(", ") || "없음"}. 터미널 밖으로는 닿지 않습니다. ntfy나 웹훅을 설정하세요.`,
  pluginOk: (name, channels) => `${name} 채널: ${channels.join(", ")}.`,
  pluginOff: (name, problem) => `${name} 꺼져 있습니다: ${problem}.`,
  allowOk: (hosts) =>
    hosts.length === 0 ? "공개된 곳에만 보냅니다." : `더 보낼 수 있는 곳: ${hosts.join(", ")}.`,
  allowOwn: (hosts) =>
    `${hosts.join(", ")}: 웹훅을 더할 수 있는 이는 이 기계의 서비스에 닿을 수 있습니다. 뜻한 것이 아니면 DAYBOOK_WEBHOOK_ALLOW에서 빼세요.`,
  chatOk: "연결되며, 말할 수 있는 사람이 있습니다.",
  chatMissing: (packages) => `패키지가 없습니다: npm install ${packages.join(" ")}`,
  chatRefused: (problem) =>
    `요청을 받아 주지 않습니다(${problem}). 토큰, API 주소, 네트워크를 확인하세요.`,
  chatIncomplete: (settings) =>
    `그곳에서 하는 말을 듣지 못합니다. ${settings.join(" 또는 ")} 값을 설정하세요.`,
  chatWithoutPeople: (name) =>
    `말할 수 있는 사람이 없어 듣지 않습니다. daybook person invite를 실행하거나 channels.${name}.senders 값을 설정하세요.`,
  handlersOk: (names) => `말할 곳이 정해져 있습니다: ${names.join(", ")}.`,
  handlersWithoutTarget: (names) =>
    `${names.join(", ")}의 일은 받은함에만 남습니다. channels.slack.defaultChannel 값이나 handlers.${names[0] ?? "이름"} 아래의 channel 값을 설정하세요.`,
  handlerWithoutChannel: (name, target) =>
    `${name}의 말은 ${target}(으)로 가는데, 그 채널이 설정되어 있지 않습니다. 채널을 설정하거나 handlers.${name} 아래에 다른 채널을 적으세요.`,
  sourceOk: (name) => `${name}에 무슨 일이 있는지 묻고 있습니다.`,
  sourceIncomplete: (name, settings) =>
    `${name}의 일을 듣지 못합니다. ${settings.join(", ")} 값을 설정하세요.`,
  sourceBad: (name, problem) => `${name}의 일을 듣지 못합니다: ${problem.replace(/[.]$/, "")}.`,
  hooksOk: (urls) => `밖에서 알려 오는 주소: ${urls.join(", ")}.`,
  hooksWithoutUrl: (names) =>
    `${names.map((name) => `/hooks/${name}`).join(", ")} 주소에 밖에서 닿지 못할 수 있습니다. http.publicUrl 값을 설정하세요.`,
  eventsWithoutHandler: (types) =>
    `최근에 일어났지만 아무도 처리하지 않습니다: ${types.join(", ")}. daybook on ${types[0] ?? "종류"} -- 명령 으로 처리하거나, 그 소스의 types에서 빼세요.`,
  filesRefused: ({ files, newest }) =>
    `책의 quarantine/에 파일이 ${files}개 있습니다. 가장 최근: ${oneLine(newest ?? "", 300)} 이유대로 고쳐 다시 넣은 뒤 quarantine/에서 지우세요.`,
  backendOk: (name, report) => `${name} 사용: ${report}.`,
  backendBad: (name, problem) =>
    `작업 공간을 유지할 수 없습니다. ${name}: ${problem.replace(/[.]$/, "")}.`,
  administratorNone:
    "작업 공간이 ERROR가 되어도 소유자만 압니다. workspaces.notify에 알릴 곳을 설정하세요.",
  agentOk: "필요한 패키지가 있습니다.",
  agentBad: (missing) => `이대로는 실행이 실패합니다: npm install ${missing.join(" ")}`,
  tasksWithoutRunner: (names) =>
    `예정 시각이 지났지만 여기에는 실행할 곳이 없는 작업입니다: ${names.join(", ")}. 실행하는 프로그램을 시작하거나 취소하세요.`,
};
