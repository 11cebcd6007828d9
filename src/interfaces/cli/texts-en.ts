/** Sentences of the command line itself; what an operation answers is rendered by the operation. */
export const en = {
  attached: (session: string, waiting: number | null) =>
    `Listening as ${session}${waiting === null ? "" : `: ${waiting} waiting`}. Leave with Ctrl-C.`,
  reconnecting: (wait: string) => `The connection is lost: trying again in ${wait}.`,
  notReported: (problem: string) =>
    `daybook: the program runs as ever, but this was not reported: ${problem}`,
  notRun: (program: string, isMissing: boolean) =>
    isMissing
      ? `daybook: there is no program "${program}": look at its path.`
      : `daybook: "${program}" cannot be run: see that you may (chmod +x).`,
  maybeRepeat: "(may be a repeat)",
  running: ({
    version,
    since,
    span,
    pid,
    url,
  }: {
    version: string;
    since: string;
    span: string;
    pid: number;
    url: string;
  }) => `Daybook ${version} runs since ${since} (${span}), process ${pid}, at ${url}`,
  handlerAdded: (name: string, file: string) => `Written: handlers.${name} in ${file}.`,
  handlerWaits: (problem: string) => `No daemon has taken it up yet. ${problem}`,
  noDaemon: "No daemon runs here: start one with daybook start.",
  book: (store: string, records: number) =>
    `Book: ${store}, ${records} ${records === 1 ? "record" : "records"}`,
  bookInDaemon: (store: string) =>
    `Book: ${store}, open in the daemon: daybook queue stats counts what is in it`,
  bookProblem: (store: string, problem: string) => `Book: ${store} cannot be read: ${problem}`,
  queueTitles: ["queue", "due", "later", "at work", "oldest"],
  nothingWaits: "Nothing waits.",
  late: (due: number) => `${due} due and not done, because no daemon runs.`,
  configFrom: (file: string | null) =>
    `Settings: ${file ?? "no file, all from variables and defaults"}`,
  configProblem: (problem: string) =>
    `The settings changed and are wrong, so the old ones hold: ${problem}`,
  settingsWrong: (problem: string) => `The settings are wrong: ${problem}`,
  schedulesRefused: (problem: string) =>
    `Schedules in the settings were refused, and stay as they were: ${problem}`,
  configWaits: (keys: readonly string[]) =>
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
    `${path} cannot be used (${problem}): mend that, or set DAYBOOK_HOME.`,
  storeOk: (name: string) => `${name} opens.`,
  storeMemory: "The book is in memory and ends with the daemon: set DAYBOOK_STORE to sqlite:PATH.",
  storeBad: (name: string, problem: string) => `${name} does not open: ${problem}`,
  zoneOk: (zone: string) => `Times are read in ${zone}.`,
  zoneFromHost: (zone: string) =>
    `Times are read in ${zone}, which is only what the machine says: set DAYBOOK_TIMEZONE.`,
  clockOk: "The clock goes with the book's.",
  clockWrong: (now: string) => `The clock says ${now}, which cannot be: set it, best by NTP.`,
  clockAway: (span: string) => `The clock and the book's are ${span} apart: set both by NTP.`,
  daemonOk: (url: string) => `It answers at ${url}.`,
  daemonNone: "No daemon runs, so nothing is said: start one with daybook start.",
  daemonBad: (url: string, problem: string) =>
    `It should answer at ${url} and does not (${problem}): stop it and start it again.`,
  daemonOther: (theirs: string, ours: string) =>
    `The daemon is version ${theirs} and this command ${ours}: stop it and start it again.`,
  tokenOk: (path: string) => `${path} can be read by you alone.`,
  tokenNone: "There is none yet: daybook start makes one.",
  tokenOpen: (path: string, mode: string) =>
    `${path} has mode ${mode}, so others may read it: chmod 600 it, and revoke the token.`,
  channelsOk: (names: readonly string[]) => `Set up: ${names.join(", ")}.`,
  channelsNear: (names: readonly string[]) =>
    `Set up: ${names.join(", ") || "none"}. Nothing reaches you away from a terminal: set up ntfy or a webhook.`,
  pluginOk: (name: string, channels: readonly string[]) => `${name} brings ${channels.join(", ")}.`,
  pluginOff: (name: string, problem: string) => `${name} is off: ${problem}.`,
  allowOk: (hosts: readonly string[]) =>
    hosts.length === 0 ? "Only public hosts are asked." : `Also asked: ${hosts.join(", ")}.`,
  allowNear: (hosts: readonly string[]) =>
    `${hosts.join(", ")}: whoever may add a webhook can reach this machine's own services. Take it off DAYBOOK_WEBHOOK_ALLOW unless you mean that.`,
  chatOk: "It knows us, and somebody may speak there.",
  chatMissing: (packages: readonly string[]) =>
    `Its packages are missing: npm install ${packages.join(" ")}.`,
  chatRefused: (problem: string) =>
    `It does not take our calls (${problem}): check its token, its API and the network.`,
  chatWants: (settings: readonly string[]) =>
    `What is said there is not heard: set ${settings.join(" or ")}.`,
  chatNobody: (name: string) =>
    `Nobody may speak there, so it is not listened to: run daybook link, or set channels.${name}.senders.`,
  handlersOk: (names: readonly string[]) => `They know where to speak: ${names.join(", ")}.`,
  handlersSilent: (names: readonly string[]) =>
    `What ${names.join(", ")} ${names.length === 1 ? "does" : "do"} is said in the inbox alone: set channels.slack.defaultChannel, or a channel under handlers.${names[0] ?? "NAME"}.`,
  handlerUnheard: (name: string, target: string) =>
    `${name} speaks to ${target}, and that channel is not set up: set it up, or name another under handlers.${name}.`,
  sourceOk: (name: string) => `${name} is asked what happened.`,
  sourceWants: (name: string, settings: readonly string[]) =>
    `${name} is not heard: set ${settings.join(" and ")}.`,
  sourceBad: (name: string, problem: string) =>
    `${name} is not heard: ${problem.replace(/[.]$/, "")}.`,
  hooksOk: (urls: readonly string[]) => `Others tell what happened at ${urls.join(", ")}.`,
  hooksUnreached: (names: readonly string[]) =>
    `Others may not reach ${names.map((name) => `/hooks/${name}`).join(", ")}: set http.publicUrl to where they do.`,
  eventsUnhandled: (types: readonly string[]) =>
    `Happened lately, and nobody handles it: ${types.join(", ")}. Handle it with daybook on ${types[0] ?? "TYPE"} -- COMMAND, or leave it out with "types" of its source.`,
  placeOk: (name: string, said: string) => `${name}: ${said}.`,
  placeBad: (name: string, problem: string) =>
    `Workspaces cannot be kept: ${name}: ${problem.replace(/[.]$/, "")}.`,
  administratorNone:
    "Nobody but its owner hears of a workspace in ERROR: set workspaces.notify to where you would.",
  agentOk: "Its packages are there.",
  agentBad: (missing: readonly string[]) =>
    `Its runs would fail: npm install ${missing.join(" ")}.`,
  tasksUnrun: (names: readonly string[]) =>
    `Due, and nobody here runs them: ${names.join(", ")}. Start the program that does, or cancel them.`,
};

export type Texts = typeof en;
