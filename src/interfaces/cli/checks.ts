import type { Language } from "../../platform/language.ts";
import { inWords, span } from "../../time/times.ts";
import type { DoctorFacts, FirstFacts, TerminalFacts } from "./facts.ts";
import type { Texts } from "./texts-en.ts";
import { textsOf } from "./texts.ts";

export interface Check {
  readonly name: string;
  readonly level: "ok" | "warn" | "bad";
  /** What was found, and what to do about it. */
  readonly text: string;
}

/** The checks of the installation itself; only the first two when the settings are wrong. */
export function installationChecks(
  facts: DoctorFacts | FirstFacts,
  language: Language,
): readonly Check[] {
  const texts = textsOf(language);
  const first = [
    check("node", checkNode(facts, texts)),
    check("config", checkConfig(facts, texts)),
  ];
  if (!("home" in facts)) return first;
  return [
    ...first,
    check("home", checkHome(facts, texts)),
    check("store", checkStore(facts, texts)),
    check("timezone", checkZone(facts, texts)),
    check("clock", checkClock(facts, texts, language)),
    // A home that cannot be used has no daemon and no token.
    ...(facts.home.problem === null
      ? [check("daemon", checkDaemon(facts, texts)), check("token", checkToken(facts, texts))]
      : []),
    check("channels", checkChannels(facts, texts)),
    ...facts.plugins.map((plugin) => check("plugin", checkPlugin(plugin, texts))),
    ...facts.chats.map((chat) => check(chat.name, checkChat(chat, texts))),
    check("webhooks", checkWebhookHosts(facts, texts)),
    ...(facts.agent === null ? [] : [check("agent", checkAgent(facts.agent, texts))]),
    ...(facts.unrunTasks.length === 0
      ? []
      : [check("tasks", ["warn", texts.tasksWithoutRunner(facts.unrunTasks)])]),
  ];
}

/** This terminal, beside a daemon that all other checks are about. */
export function terminalChecks({ terminal, config }: DoctorFacts, texts: Texts): readonly Check[] {
  return terminal === null ? [] : [check("terminal", checkTerminal(terminal, config, texts))];
}

function checkTerminal(
  { nodeVersion, config: own, unreported }: TerminalFacts,
  { file }: DoctorFacts["config"],
  texts: Texts,
): Finding {
  if (unreported !== null) return ["warn", texts.terminalInstead(unreported)];
  if (own.problem !== null) return ["warn", texts.terminalConfigBad(own.problem)];
  if (own.file !== null && own.file !== file) return ["warn", texts.terminalFile(own.file, file)];
  return ["ok", texts.terminalOk(nodeVersion)];
}

type Finding = readonly [level: Check["level"], text: string];

function check(name: string, [level, text]: Finding): Check {
  return { name, level, text };
}

const nodeMajorMin = 24;

function checkNode({ nodeVersion }: Pick<FirstFacts, "nodeVersion">, texts: Texts): Finding {
  const isOld = Number.parseInt(nodeVersion, 10) < nodeMajorMin;
  return isOld ? ["bad", texts.nodeOld(nodeVersion)] : ["ok", texts.nodeOk(nodeVersion)];
}

function checkConfig({ config }: Pick<FirstFacts, "config">, texts: Texts): Finding {
  const { problem, warnings, file } = config;
  if (problem !== null) return ["bad", texts.configBad(problem)];
  return warnings.length > 0
    ? ["warn", texts.configWarnings(warnings)]
    : ["ok", texts.configOk(file)];
}

function checkHome({ home: { path, problem } }: DoctorFacts, texts: Texts): Finding {
  return problem === null ? ["ok", texts.homeOk(path)] : ["bad", texts.homeBad(path, problem)];
}

function checkStore({ store }: DoctorFacts, texts: Texts): Finding {
  const { name, problem, isMemory } = store;
  if (problem !== null) return ["bad", texts.storeBad(name, problem)];
  return isMemory ? ["warn", texts.storeMemory] : ["ok", texts.storeOk(name)];
}

/** Servers often run in UTC whatever their user's zone is, so UTC counts only when it was set. */
function checkZone({ zone: { name, from } }: DoctorFacts, texts: Texts): Finding {
  const isGuess = from === "host" && /^(?:Etc\/)?(?:UTC|GMT|UCT|Universal|Zulu)$/.test(name);
  return isGuess ? ["warn", texts.zoneFromHost(name)] : ["ok", texts.zoneOk(name)];
}

/** No clock that is right shows an earlier time. */
const firstMoment = Temporal.Instant.from("2026-01-01T00:00Z").epochMilliseconds;
const skewMsMax = 2_000;

function checkClock({ now, store }: DoctorFacts, texts: Texts, language: Language): Finding {
  if (now < firstMoment) return ["bad", texts.clockWrong(`${inWords(now, "UTC", language)} UTC`)];
  const skewMs = store.now === null ? 0 : Math.abs(now - store.now);
  return skewMs > skewMsMax
    ? ["warn", texts.clockSkewed(span(skewMs, language))]
    : ["ok", texts.clockOk];
}

function checkDaemon({ daemon, version }: DoctorFacts, texts: Texts): Finding {
  if (daemon === null) return ["warn", texts.daemonNone];
  if (daemon.problem !== null) return ["bad", texts.daemonBad(daemon.url, daemon.problem)];
  if (daemon.version !== null && daemon.version !== version) {
    return ["warn", texts.daemonVersion(daemon.version, version)];
  }
  return ["ok", texts.daemonOk(daemon.url)];
}

const othersMask = 0o077;

function checkToken({ tokenFile }: DoctorFacts, texts: Texts): Finding {
  if (tokenFile === null) return ["ok", texts.tokenNone];
  const { path, mode } = tokenFile;
  if ((mode & othersMask) === 0) return ["ok", texts.tokenOk(path)];
  return ["bad", texts.tokenOpen(path, (mode & 0o777).toString(8).padStart(4, "0"))];
}

/** Channels that reach only a person at this machine. */
const localChannels = ["stdout", "inbox", "session", "desktop"];

function checkChannels({ channels }: DoctorFacts, texts: Texts): Finding {
  return channels.some((name) => !localChannels.includes(name))
    ? ["ok", texts.channelsOk(channels)]
    : ["warn", texts.channelsLocal(channels)];
}

function checkPlugin(
  { name, channels, problem }: DoctorFacts["plugins"][number],
  texts: Texts,
): Finding {
  if (problem !== null) return ["bad", texts.pluginOff(name, problem)];
  return ["ok", texts.pluginOk(name, channels)];
}

function checkChat(
  {
    missingPackages: missing,
    missingSettings: wants,
    hasPeople,
    problem,
    name,
  }: DoctorFacts["chats"][number],
  texts: Texts,
): Finding {
  if (missing.length > 0) return ["bad", texts.chatMissing(missing)];
  if (problem !== null) return ["bad", texts.chatRefused(problem)];
  if (wants.length > 0) return ["warn", texts.chatIncomplete(wants)];
  return hasPeople ? ["ok", texts.chatOk] : ["warn", texts.chatWithoutPeople(name)];
}

function checkAgent({ missing }: NonNullable<DoctorFacts["agent"]>, texts: Texts): Finding {
  return missing.length > 0 ? ["bad", texts.agentBad(missing)] : ["ok", texts.agentOk];
}

/** Names of this machine, and the metadata address of clouds, which serves secrets. */
const ownHosts = /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[?::1\]?|169\.254\.[\d.]+)(?::\d+)?$/i;

function checkWebhookHosts({ webhookAllow }: DoctorFacts, texts: Texts): Finding {
  const own = webhookAllow.filter((host) => ownHosts.test(host));
  return own.length > 0 ? ["warn", texts.allowOwn(own)] : ["ok", texts.allowOk(webhookAllow)];
}
