import type { Texts } from "./texts-shape.ts";

export const en: Texts = {
  attached: (session, waiting) =>
    `Listening as ${session}${waiting === null ? "" : `: ${waiting} waiting`}. Leave with Ctrl-C.`,
  reconnecting: (wait) => `The connection is lost: trying again in ${wait}.`,
  notReported: (problem) =>
    `daybook: the program runs as ever, but this was not reported: ${problem}`,
  notRun: (program, isMissing) =>
    isMissing
      ? `daybook: there is no program "${program}": look at its path.`
      : `daybook: "${program}" cannot be run: see that you may (chmod +x).`,
  maybeRepeat: "(may be a repeat)",
  running: ({ version, since, span, pid, url }) =>
    `Daybook ${version} runs since ${since} (${span}), process ${pid}, at ${url}`,
  handlerAdded: (name, file) => `Written: handlers.${name} in ${file}.`,
  handlerWaits: (problem) => `No daemon has taken it up yet. ${problem}`,
  noDaemon: "No daemon runs here: start one with daybook start.",
  book: (store, records) => `Book: ${store}, ${records} ${records === 1 ? "record" : "records"}`,
  bookInDaemon: (store) =>
    `Book: ${store}, open in the daemon: daybook queue stats counts what is in it`,
  bookProblem: (store, problem) => `Book: ${store} cannot be read: ${problem}`,
  queueTitles: ["queue", "due", "later", "at work", "oldest"],
  nothingWaits: "Nothing waits.",
  late: (due) => `${due} due and not done, because no daemon runs.`,
  configFrom: (file) => `Settings: ${file ?? "no file, all from variables and defaults"}`,
  configProblem: (problem) =>
    `The settings changed and are wrong, so the old ones hold: ${problem}`,
  settingsWrong: (problem) => `The settings are wrong: ${problem}`,
  schedulesRefused: (problem) =>
    `Schedules in the settings were refused, and stay as they were: ${problem}`,
  configWaits: (keys) => `Changed, and takes effect at the next start: ${keys.join(", ")}`,
  levels: { ok: "ok", warn: "warn", bad: "bad" },
  summary({ warn, bad }) {
    if (bad > 0) return `${bad} bad, ${warn} to look at.`;
    return warn > 0 ? `Nothing bad, ${warn} to look at.` : "All is well.";
  },
  nodeOk: (version) => `Node ${version}.`,
  nodeOld: (version) => `Node ${version} is too old: install Node 24 or newer.`,
  configOk: (file) =>
    file === null ? "No settings file: the defaults hold." : `${file} is right.`,
  configBad: (problem) => `The settings are wrong: ${problem}`,
  configWarnings: (warnings) => `The settings hold, but: ${warnings.join("; ")}.`,
  homeOk: (path) => `${path} can be written.`,
  homeBad: (path, problem) =>
    `${path} cannot be used (${problem}): mend that, or set DAYBOOK_HOME.`,
  storeOk: (name) => `${name} opens.`,
  storeMemory: "The book is in memory and ends with the daemon: set DAYBOOK_STORE to sqlite:PATH.",
  storeBad: (name, problem) => `${name} does not open: ${problem}`,
  zoneOk: (zone) => `Times are read in ${zone}.`,
  zoneFromHost: (zone) =>
    `Times are read in ${zone}, which is only what the machine says: set DAYBOOK_TIMEZONE.`,
  clockOk: "The clock goes with the book's.",
  clockWrong: (now) => `The clock says ${now}, which cannot be: set it, best by NTP.`,
  clockAway: (span) => `The clock and the book's are ${span} apart: set both by NTP.`,
  daemonOk: (url) => `It answers at ${url}.`,
  daemonNone: "No daemon runs, so nothing is said: start one with daybook start.",
  daemonBad: (url, problem) =>
    `It should answer at ${url} and does not (${problem}): stop it and start it again.`,
  daemonOther: (theirs, ours) =>
    `The daemon is version ${theirs} and this command ${ours}: stop it and start it again.`,
  tokenOk: (path) => `${path} can be read by you alone.`,
  tokenNone: "There is none yet: daybook start makes one.",
  tokenOpen: (path, mode) =>
    `${path} has mode ${mode}, so others may read it: chmod 600 it, and revoke the token.`,
  channelsOk: (names) => `Set up: ${names.join(", ")}.`,
  channelsNear: (names) =>
    `Set up: ${names.join(", ") || "none"}. Nothing reaches you away from a terminal: set up ntfy or a webhook.`,
  pluginOk: (name, channels) => `${name} brings ${channels.join(", ")}.`,
  pluginOff: (name, problem) => `${name} is off: ${problem}.`,
  allowOk: (hosts) =>
    hosts.length === 0 ? "Only public hosts are asked." : `Also asked: ${hosts.join(", ")}.`,
  allowNear: (hosts) =>
    `${hosts.join(", ")}: whoever may add a webhook can reach this machine's own services. Take it off DAYBOOK_WEBHOOK_ALLOW unless you mean that.`,
  chatOk: "It knows us, and somebody may speak there.",
  chatMissing: (packages) => `Its packages are missing: npm install ${packages.join(" ")}.`,
  chatRefused: (problem) =>
    `It does not take our calls (${problem}): check its token, its API and the network.`,
  chatWants: (settings) => `What is said there is not heard: set ${settings.join(" or ")}.`,
  chatNobody: (name) =>
    `Nobody may speak there, so it is not listened to: run daybook link, or set channels.${name}.senders.`,
  handlersOk: (names) => `They know where to speak: ${names.join(", ")}.`,
  handlersSilent: (names) =>
    `What ${names.join(", ")} ${names.length === 1 ? "does" : "do"} is said in the inbox alone: set channels.slack.defaultChannel, or a channel under handlers.${names[0] ?? "NAME"}.`,
  handlerUnheard: (name, target) =>
    `${name} speaks to ${target}, and that channel is not set up: set it up, or name another under handlers.${name}.`,
  sourceOk: (name) => `${name} is asked what happened.`,
  sourceWants: (name, settings) => `${name} is not heard: set ${settings.join(" and ")}.`,
  sourceBad: (name, problem) => `${name} is not heard: ${problem.replace(/[.]$/, "")}.`,
  hooksOk: (urls) => `Others tell what happened at ${urls.join(", ")}.`,
  hooksUnreached: (names) =>
    `Others may not reach ${names.map((name) => `/hooks/${name}`).join(", ")}: set http.publicUrl to where they do.`,
  eventsUnhandled: (types) =>
    `Happened lately, and nobody handles it: ${types.join(", ")}. Handle it with daybook on ${types[0] ?? "TYPE"} -- COMMAND, or leave it out with "types" of its source.`,
  placeOk: (name, said) => `${name}: ${said}.`,
  placeBad: (name, problem) =>
    `Workspaces cannot be kept: ${name}: ${problem.replace(/[.]$/, "")}.`,
  administratorNone:
    "Nobody but its owner hears of a workspace in ERROR: set workspaces.notify to where you would.",
  agentOk: "Its packages are there.",
  agentBad: (missing) => `Its runs would fail: npm install ${missing.join(" ")}.`,
  tasksUnrun: (names) =>
    `Due, and nobody here runs them: ${names.join(", ")}. Start the program that does, or cancel them.`,
};
