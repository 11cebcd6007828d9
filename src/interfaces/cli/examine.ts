import type { Language } from "../../platform/language.ts";
import { harmless } from "../../platform/text.ts";
import { inWords, span } from "../../time/times.ts";
import type { DoctorFacts, FirstFacts } from "./doctor.ts";
import { examineAlways } from "./examine-always.ts";
import { examineWhen } from "./examine-when.ts";
import type { Texts } from "./texts-en.ts";
import { textsOf } from "./texts.ts";

export interface Check {
  readonly name: string;
  readonly level: "ok" | "warn" | "bad";
  /** What was seen, and what to do about it. */
  readonly text: string;
}

/** What is well with an installation and what is not. */
export function examine(facts: DoctorFacts | FirstFacts, language: Language): readonly Check[] {
  const texts = textsOf(language);
  const first = [
    check("node", examineNode(facts, texts)),
    check("config", examineConfig(facts, texts)),
  ];
  if (!("home" in facts)) return first;
  return [
    ...first,
    check("home", examineHome(facts, texts)),
    check("store", examineStore(facts, texts)),
    check("timezone", examineZone(facts, texts)),
    check("clock", examineClock(facts, texts, language)),
    // In a home that is not ours there is nothing to be seen.
    ...(facts.home.problem === null
      ? [check("daemon", examineDaemon(facts, texts)), check("token", examineToken(facts, texts))]
      : []),
    check("channels", examineChannels(facts, texts)),
    ...facts.plugins.map((plugin) => check("plugin", examinePlugin(plugin, texts))),
    ...facts.chats.map((chat) => check(chat.name, examineChat(chat, texts))),
    check("webhooks", examineAllowed(facts, texts)),
    ...(facts.agent === null ? [] : [check("agent", examineAgent(facts.agent, texts))]),
    ...(facts.unrun.length === 0 ? [] : [check("tasks", ["warn", texts.tasksUnrun(facts.unrun)])]),
    ...[...examineWhen(facts.when, texts), ...examineAlways(facts.always, texts)].map(
      ({ name, level, text }) => check(name, [level, text]),
    ),
  ];
}

type Finding = readonly [level: Check["level"], text: string];

function check(name: string, [level, text]: Finding): Check {
  return { name, level, text: harmless(text) };
}

const nodeMajorMin = 24;

function examineNode({ nodeVersion }: FirstFacts, texts: Texts): Finding {
  const isOld = Number.parseInt(nodeVersion, 10) < nodeMajorMin;
  return isOld ? ["bad", texts.nodeOld(nodeVersion)] : ["ok", texts.nodeOk(nodeVersion)];
}

function examineConfig({ config }: FirstFacts, texts: Texts): Finding {
  const { problem, warnings, file } = config;
  if (problem !== null) return ["bad", texts.configBad(problem)];
  return warnings.length > 0
    ? ["warn", texts.configWarnings(warnings)]
    : ["ok", texts.configOk(file)];
}

function examineHome({ home: { path, problem } }: DoctorFacts, texts: Texts): Finding {
  return problem === null ? ["ok", texts.homeOk(path)] : ["bad", texts.homeBad(path, problem)];
}

function examineStore({ store }: DoctorFacts, texts: Texts): Finding {
  const { name, problem, isMemory } = store;
  if (problem !== null) return ["bad", texts.storeBad(name, problem)];
  return isMemory ? ["warn", texts.storeMemory] : ["ok", texts.storeOk(name)];
}

/** A server's clock is often set to UTC whoever uses it: a person who chose UTC said so. */
function examineZone({ zone: { name, from } }: DoctorFacts, texts: Texts): Finding {
  const isGuess = from === "host" && /^(?:Etc\/)?(?:UTC|GMT|UCT|Universal|Zulu)$/.test(name);
  return isGuess ? ["warn", texts.zoneFromHost(name)] : ["ok", texts.zoneOk(name)];
}

/** Nobody has run this before then. */
const firstMoment = Temporal.Instant.from("2026-01-01T00:00Z").epochMilliseconds;
const skewMsMax = 2_000;

function examineClock({ now, store }: DoctorFacts, texts: Texts, language: Language): Finding {
  if (now < firstMoment) return ["bad", texts.clockWrong(`${inWords(now, "UTC", language)} UTC`)];
  const skewMs = store.now === null ? 0 : Math.abs(now - store.now);
  return skewMs > skewMsMax
    ? ["warn", texts.clockAway(span(skewMs, language))]
    : ["ok", texts.clockOk];
}

function examineDaemon({ daemon, version }: DoctorFacts, texts: Texts): Finding {
  if (daemon === null) return ["warn", texts.daemonNone];
  if (daemon.problem !== null) return ["bad", texts.daemonBad(daemon.url, daemon.problem)];
  if (daemon.version !== null && daemon.version !== version) {
    return ["warn", texts.daemonOther(daemon.version, version)];
  }
  return ["ok", texts.daemonOk(daemon.url)];
}

const othersMask = 0o077;

function examineToken({ tokenFile }: DoctorFacts, texts: Texts): Finding {
  if (tokenFile === null) return ["ok", texts.tokenNone];
  const { path, mode } = tokenFile;
  if ((mode & othersMask) === 0) return ["ok", texts.tokenOk(path)];
  return ["bad", texts.tokenOpen(path, (mode & 0o777).toString(8).padStart(4, "0"))];
}

/** These are heard only by whoever sits before a terminal. */
const near = ["stdout", "inbox", "session", "desktop"];

function examineChannels({ channels }: DoctorFacts, texts: Texts): Finding {
  return channels.some((name) => !near.includes(name))
    ? ["ok", texts.channelsOk(channels)]
    : ["warn", texts.channelsNear(channels)];
}

function examinePlugin(
  { name, channels, problem }: DoctorFacts["plugins"][number],
  texts: Texts,
): Finding {
  if (problem !== null) return ["bad", texts.pluginOff(name, problem)];
  return ["ok", texts.pluginOk(name, channels)];
}

function examineChat(
  { missing, wants, hasPeople, problem, name }: DoctorFacts["chats"][number],
  texts: Texts,
): Finding {
  if (missing.length > 0) return ["bad", texts.chatMissing(missing)];
  if (problem !== null) return ["bad", texts.chatRefused(problem)];
  if (wants.length > 0) return ["warn", texts.chatWants(wants)];
  return hasPeople ? ["ok", texts.chatOk] : ["warn", texts.chatNobody(name)];
}

function examineAgent({ missing }: NonNullable<DoctorFacts["agent"]>, texts: Texts): Finding {
  return missing.length > 0 ? ["bad", texts.agentBad(missing)] : ["ok", texts.agentOk];
}

/** Names of this machine, and the address where clouds keep their secrets. */
const ownHosts = /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[?::1\]?|169\.254\.[\d.]+)(?::\d+)?$/i;

function examineAllowed({ webhookAllow }: DoctorFacts, texts: Texts): Finding {
  const own = webhookAllow.filter((host) => ownHosts.test(host));
  return own.length > 0 ? ["warn", texts.allowNear(own)] : ["ok", texts.allowOk(webhookAllow)];
}
