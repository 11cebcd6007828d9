import { oneLine } from "../../platform/text.ts";
import type { RefusedFiles } from "./facts.ts";

/** Sentences of the command line itself; what an operation answers is rendered by the operation. */
export const en = {
  attached: (session: string, waiting: number | null) =>
    `Listening as ${session}${waiting === null ? "" : `: ${waiting} waiting`}. Leave with Ctrl-C.`,
  reconnecting: (wait: string) => `The connection is lost: trying again in ${wait}.`,
  notReported: (problem: string) =>
    `daybook: the program runs as ever, but this was not reported: ${problem}`,
  notRun: (program: string, isMissing: boolean) =>
    isMissing
      ? `daybook: there is no program "${program}": check its path.`
      : `daybook: "${program}" cannot be run: make it executable (chmod +x).`,
  maybeRepeat: "(may be a repeat)",
  running: (daemon: { version: string; since: string; span: string; pid: number; url: string }) =>
    `Daybook ${daemon.version} runs since ${daemon.since} (${daemon.span}), process ${daemon.pid}, at ${daemon.url}`,
  openInBrowser: (url: string) =>
    `Open this page in a browser on this machine, and allow the access:\n${url}`,
  waitsForBrowser: () =>
    "Waiting for the browser. If it runs on another machine: when it shows an error, copy its address, leave here with Ctrl-C, and run: daybook calendar finish 'ADDRESS'",
  browserDone: () => "The calendar is connected.",
  handlerAdded: (name: string, file: string) => `Written: handlers.${name} in ${file}.`,
  handlerNotLoaded: (problem: string) => `No daemon has taken it up yet. ${problem}`,
  noDaemonForFile: (file: string) =>
    `No daemon runs here: start one with daybook start --config ${file}. A daemon that was started in another folder does not read this file.`,
  noDaemon: "No daemon runs here: start one with daybook start.",
  leftForDaemon: "No daemon runs, so this waits. Start one: daybook start",
  book: (store: string, records: number) =>
    `Book: ${store}, ${records} ${records === 1 ? "record" : "records"}`,
  bookInDaemon: (store: string) =>
    `Book: ${store}, open in the daemon: daybook queue stats counts what is in it`,
  bookProblem: (store: string, problem: string) => `Book: ${store} cannot be read: ${problem}`,
  queueTitles: ["queue", "due", "later", "at work", "oldest"],
  cancelAll: (count: number) => `Cancel ${count === 1 ? "it" : `all ${count}`}? [y/N] `,
  nothingCancelled: "Nothing was cancelled.",
  exported: (lines: number) => `Exported ${lines} lines …`,
  importChecked: (done: number, records: number) => `Checked ${done} of ${records} …`,
  importWritten: (done: number, records: number) => `Wrote ${done} of ${records} …`,
  importStarted: (done: number, records: number) => `Started ${done} of ${records} …`,
  nothingWaits: "Nothing waits.",
  overdue: (due: number) => `${due} due and not done, because no daemon runs.`,
  leftWorkspaces: (names: string) => `Workspaces that run without a daemon: ${names}`,
  configFrom: (file: string | null) =>
    `Settings: ${file ?? "no file, all from variables and defaults"}`,
  configProblem: (problem: string) =>
    `The settings changed and are wrong, so the old ones hold: ${problem}`,
  settingsWrong: (problem: string) => `The settings are wrong: ${problem}`,
  schedulesRefused: (problem: string) =>
    `Schedules in the settings were refused, and stay as they were: ${problem}`,
  configNeedsRestart: (keys: readonly string[]) =>
    `Changed, and takes effect at the next start: ${keys.join(", ")}`,
  levels: { ok: "ok", warn: "warn", bad: "bad" },
  summary({ warn, bad }: { warn: number; bad: number }) {
    if (bad > 0) return `${bad} bad, ${warn} to look at.`;
    return warn > 0 ? `Nothing bad, ${warn} to look at.` : "All is well.";
  },
  nodeOk: (version: string) => `Node ${version}.`,
  nodeOld: (version: string) => `Node ${version} is too old: install Node 24 or newer.`,
  configOk: (file: string | null) =>
    file === null ? "No settings file: the defaults hold." : `${file} is right.`,
  configBad: (problem: string) => `The settings are wrong: ${problem}`,
  configWarnings: (warnings: readonly string[]) =>
    `The settings hold, but: ${warnings.join("; ")}.`,
  homeOk: (path: string) => `${path} can be written.`,
  homeBad: (path: string, problem: string) =>
    `${path} cannot be used (${problem}): fix that, or set DAYBOOK_HOME.`,
  storeOk: (name: string) => `${name} opens.`,
  storeMemory: "The book is in memory and ends with the daemon: set DAYBOOK_STORE to sqlite:PATH.",
  storeBad: (name: string, problem: string) => `${name} does not open: ${problem}`,
  zoneOk: (zone: string) => `Times are read in ${zone}.`,
  zoneFromHost: (zone: string) =>
    `Times are read in ${zone}, the default of this machine: set DAYBOOK_TIMEZONE.`,
  clockOk: "The clock agrees with the clock of the book.",
  clockWrong: (now: string) => `The clock says ${now}, which is impossible: set it, best by NTP.`,
  clockSkewed: (span: string) =>
    `The clock and the clock of the book are ${span} apart: set both by NTP.`,
  daemonOk: (url: string) => `It answers at ${url}.`,
  daemonNone: "No daemon runs, so nothing is sent: start one with daybook start.",
  daemonBad: (url: string, problem: string) =>
    `It should answer at ${url} and does not (${problem}): stop it and start it again.`,
  daemonVersion: (theirs: string, ours: string) =>
    `The daemon is version ${theirs} and this command ${ours}: stop it and start it again.`,
  terminalOk: (version: string) =>
    `All above is what the daemon has. This terminal has Node ${version}, and settings only to find the daemon.`,
  terminalInstead: (problem: string) =>
    `All above is what this terminal has, and the daemon may have something else: it did not report its own (${problem.replace(/[.]$/, "")}).`,
  terminalConfigBad: (problem: string) =>
    `The settings that this terminal finds are wrong, and the daemon has others: ${problem}`,
  terminalFile: (own: string, daemon: string | null) =>
    `This terminal finds ${own}, and the daemon ${daemon === null ? "has no file" : `reads ${daemon}`}: restart it with daybook start --config ${own} if it should read that one.`,
  tokenOk: (path: string) => `${path} can be read by you alone.`,
  tokenNone: "There is none yet: daybook start makes one.",
  tokenOpen: (path: string, mode: string) =>
    `${path} has mode ${mode}, so others may read it: chmod 600 it, and revoke the token.`,
  channelsOk: (names: readonly string[]) => `Set up: ${names.join(", ")}.`,
  channelsLocal: (names: readonly string[]) =>
    `Set up: ${names.join(", ") || "none"}. Nothing reaches you away from a terminal: set up ntfy or a webhook.`,
  pluginOk: (name: string, channels: readonly string[]) => `${name} adds ${channels.join(", ")}.`,
  pluginOff: (name: string, problem: string) => `${name} is off: ${problem}.`,
  allowOk: (hosts: readonly string[]) =>
    hosts.length === 0 ? "Only public hosts are allowed." : `Also allowed: ${hosts.join(", ")}.`,
  allowOwn: (hosts: readonly string[]) =>
    `${hosts.join(", ")}: whoever may add a webhook can reach this machine's own services. Remove it from DAYBOOK_WEBHOOK_ALLOW unless you want that.`,
  chatOk: "Connected, and at least one person may use it.",
  chatMissing: (packages: readonly string[]) =>
    `Its packages are missing: npm install ${packages.join(" ")}.`,
  chatRefused: (problem: string) =>
    `It refuses our calls (${problem}): check its token, its API and the network.`,
  chatIncomplete: (settings: readonly string[]) =>
    `Messages from it are not received: set ${settings.join(" or ")}.`,
  chatWithoutPeople: (name: string) =>
    `Nobody may use it, so its messages are not read: run daybook person invite, or set channels.${name}.senders.`,
  handlersOk: (names: readonly string[]) => `Each has a channel: ${names.join(", ")}.`,
  handlersWithoutTarget: (names: readonly string[]) =>
    `The messages of ${names.join(", ")} go to the inbox only: set channels.slack.defaultChannel, or a channel under handlers.${names[0] ?? "NAME"}.`,
  handlerWithoutChannel: (name: string, target: string) =>
    `${name} sends to ${target}, and that channel is not set up: set it up, or name another under handlers.${name}.`,
  sourceOk: (name: string) => `${name} is polled for events.`,
  sourceIncomplete: (name: string, settings: readonly string[]) =>
    `${name} is not polled: set ${settings.join(" and ")}.`,
  sourceBad: (name: string, problem: string) =>
    `${name} cannot be polled: ${problem.replace(/[.]$/, "")}.`,
  hooksOk: (urls: readonly string[]) => `Services post events to ${urls.join(", ")}.`,
  hooksWithoutUrl: (names: readonly string[]) =>
    `Services may not reach ${names.map((name) => `/hooks/${name}`).join(", ")}: set http.publicUrl to the address they use.`,
  eventsWithoutHandler: (types: readonly string[]) =>
    `Recent events without a handler: ${types.join(", ")}. Handle one with daybook on ${types[0] ?? "TYPE"} -- COMMAND, or exclude it by "types" of its source.`,
  filesRefused: ({ files, newest }: RefusedFiles) =>
    `${files === 1 ? "1 file is" : `${files} files are`} in quarantine/ of the book. The newest: ${oneLine(newest ?? "", 300)} Write it again as its reason says, then remove it from quarantine/.`,
  backendOk: (name: string, report: string) => `${name}: ${report}.`,
  backendBad: (name: string, problem: string) =>
    `Workspaces cannot be kept: ${name}: ${problem.replace(/[.]$/, "")}.`,
  administratorNone:
    "Only the owner is notified of a workspace in ERROR: set workspaces.notify to a target of yours.",
  agentOk: "Its packages are installed.",
  agentBad: (missing: readonly string[]) =>
    `Its runs would fail: npm install ${missing.join(" ")}.`,
  tasksWithoutRunner: (names: readonly string[]) =>
    `Due, and no runner here runs them: ${names.join(", ")}. Start the program that does, or cancel them.`,
};

export type Texts = typeof en;
