import { inLanguages } from "../../platform/language.ts";

interface Ready {
  readonly version: string;
  readonly book: string;
  readonly file: string | null;
}

const en = {
  signIn: (link: string) => `Open ${link} to sign in. It works once, within ten minutes.`,
  ready: ({ version, book, file }: Ready) =>
    `Daybook ${version} is ready. Book: ${book}.${file === null ? "" : ` Settings: ${file}.`} Stop with Ctrl-C.`,
  unheard:
    "No terminal shows the inbox here, so its messages wait for daybook attach. To have messages on a phone from now on: set channels.ntfy in daybook.yaml (ntfy: {} is enough), then daybook profile --home ntfy:TOPIC",
  stopping: "Stopping: active runs are interrupted and recorded as such.",
  warning: (text: string) => `warning: ${text}`,
  /** Local workspaces whose machines run on. */
  stillRunning: (names: string) =>
    `Workspaces that still run: ${names}. To stop all of them with the daemon, set workspaces.stopWithDaemon: true. To stop one while the daemon runs: daybook workspace edit NAME --desired-state STANDBY`,
  stopped: (names: string) => `Stopped: ${names}.`,
};

const ko: typeof en = {
  signIn: (link) => `로그인하려면 다음 주소를 여세요: ${link} (10분 안에 한 번만 쓸 수 있습니다)`,
  ready: ({ version, book, file }) =>
    `Daybook ${version} 준비되었습니다. 장부: ${book}.${file === null ? "" : ` 설정: ${file}.`} 멈추려면 Ctrl-C를 누르세요.`,
  unheard:
    "받은함을 보여 주는 터미널이 없어, 알림은 daybook attach를 실행할 때까지 기다립니다. 다른 곳으로 보내려면: daybook profile --home ntfy:주제",
  stopping: "멈추는 중입니다. 실행 중이던 작업은 중단된 것으로 기록합니다.",
  warning: (text) => `경고: ${text}`,
  stillRunning: (names) =>
    `계속 실행 중인 작업 공간: ${names}. 하나를 멈추려면 데몬을 멈추기 전에 daybook workspace edit 이름 --desired-state STANDBY를, 모두 멈추려면 설정에 workspaces.stopWithDaemon: true를 쓰세요.`,
  stopped: (names) => `멈춘 작업 공간: ${names}.`,
};

/** The lines that the daemon prints. */
export const textsOf = inLanguages({ en, ko });
