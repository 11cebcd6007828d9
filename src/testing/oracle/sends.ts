import type { Message } from "../../features/notifications/channel.ts";
import type { SendTap } from "../simulator/faulty-channel.ts";
import type { Life } from "../simulator/kernel.ts";
import { checkOnce, saidTogether, takeArrival, takeTogether } from "./arrivals.ts";
import type { Watch } from "./calls.ts";
import { checkDigest } from "./digests.ts";
import { worksOf, type Facts, type Version } from "./facts.ts";
import { quietLeftMs, settingsFor } from "./hours.ts";
import { demand, nextOrder } from "./notes.ts";
import { checkPart } from "./parts.ts";
import { isThere } from "./threads.ts";

/** What was really sent and what really arrived. */
export function watchSends(watch: Watch): SendTap {
  const { notes, marks } = watch;
  return {
    started(message, channel, life) {
      const facts = notes.facts.get(message.id);
      const version = facts && versionFor(facts, message, life);
      demand(notes, version !== undefined, "only what was asked is said", () => message.text);
      if (facts === undefined || version === undefined) return 0;
      checkStart(watch, { facts, version, message, life, channel });
      checkFairness(watch, facts, message);
      const works = worksOf(facts, life);
      demand(notes, version.type !== "mark", "a mark is no message", () => message.text);
      if (version.type === "digest") checkDigest(watch, facts, message, works);
      facts.sends += 1;
      works.sends += 1;
      works.saying = message.text;
      return works.order;
    },
    part(part, life) {
      const facts = notes.facts.get(part.whole.id);
      if (facts !== undefined) checkPart(watch, facts, part, life);
    },
    arrived({ whole, part, of }, life, receipt) {
      const facts = notes.facts.get(whole.id);
      if (facts === undefined) return;
      takeArrival(watch, facts, { text: whole.text, part, of, receipt });
      if (facts.lease?.life !== life) marks.reached("lease lost mid-send");
      if (facts.end !== null) marks.reached("arrived after the end");
    },
    shown(message, ear) {
      const mine = message.owner === ear.owner && message.address === ear.owner;
      demand(notes, mine, "an inbox shows only its owner's", () => JSON.stringify([ear, message]));
      const facts = notes.facts.get(message.id);
      if (facts === undefined || facts.shows.has(facts.sends)) return;
      facts.shows.set(facts.sends, { text: message.text, order: nextOrder(notes) });
      if (facts.shows.size > 1) marks.reached("shown twice");
      takeTogether(notes, facts, message.text);
      checkOnce(notes, facts);
    },
    acked: (target, name, id) => void notes.acks.add(`${target} ${name} ${id}`),
    answered(message, life, { result, ...sent }, claim) {
      const facts = notes.facts.get(message.id);
      if (facts === undefined) return;
      marks.reached(`channel answered ${result}`);
      const works = worksOf(facts, life);
      if (works.order === claim) works.heard = result;
      if (result !== "unknown" && !("maybe" in sent && sent.maybe)) facts.known += 1;
    },
  };
}

/** What was claimed, and is now said; a digest finds its words when it is said. */
function versionFor(facts: Facts, message: Message, life: Life): Version | undefined {
  const { versions } = worksOf(facts, life);
  const last = versions.at(-1);
  if (last?.type === "digest") return last;
  return versions.findLast(({ text }) => text === message.text);
}

interface Start {
  facts: Facts;
  version: Version;
  message: Message;
  life: Life;
  channel: string;
}

function checkStart(watch: Watch, { facts, version, message, life, channel }: Start): void {
  const { notes } = watch;
  const works = worksOf(facts, life);
  const must = (holds: boolean, invariant: string): void =>
    demand(notes, holds, invariant, () => `${life.name} sends ${JSON.stringify(message)}`);
  must(works.sends < works.claims - works.unstarted, "each attempt acts once, under its own claim");
  must(version.at <= notes.storeNowMax, "never early");
  const there = isThere(watch, version, `${channel}:${message.address}`);
  must(there && message.owner === facts.owner, "content goes to its target and nowhere else");
  must(version.expiresAt > works.claimedStoreAt, "nothing is said after its time is over");
  checkLease(watch, facts, life);
  const heard = [...facts.shows.values(), ...saidTogether(facts, version)];
  const repeats = heard.some(({ order }) => order < works.order);
  must(!repeats || message.maybeRepeat, "a message that may have arrived before says so");
  must(!isSaidTogether(watch, facts, version), "what a digest has said is not said again");
  must(works.priority === "high" || !isQuiet(watch, facts, life), "quiet hours are quiet");
}

/** The node's own monotonic clock says so: a pause counts, a step of any wall does not. */
export function checkLease({ notes, now }: Watch, facts: Facts, life: Life): void {
  const { claimedAt, leaseMs } = worksOf(facts, life);
  const tell = (): string =>
    `${life.name} acts on ${facts.id}, claimed ${now() - claimedAt} ms ago`;
  const own = now() - claimedAt < leaseMs;
  demand(notes, own, "no attempt begins after its lease has run out", tell);
}

/** Its digest was said before this attempt began, and can still be read. */
function isSaidTogether({ notes, engine }: Watch, facts: Facts, version: Version): boolean {
  const [said] = saidTogether(facts, version);
  if (said === undefined || notes.facts.get(said.digest)?.end?.state !== "delivered") return false;
  return engine.get({ who: { owner: facts.owner, by: "oracle" }, id: said.digest }) !== undefined;
}

/** By every setting that the node may have gone by. */
function isQuiet({ notes }: Watch, facts: Facts, life: Life): boolean {
  const works = worksOf(facts, life);
  const settings = settingsFor(notes, facts.owner, works);
  // Which of two claims a send belongs to is not seen from here.
  const moments = [works.claimedStoreAt, works.earlierStoreAt ?? works.claimedStoreAt];
  const isQuietAt = (at: number): boolean =>
    settings.every(({ quiet, zone }) => quiet !== null && quietLeftMs(at, quiet, zone) > 0);
  return settings.length > 0 && moments.every(isQuietAt);
}

/** When all is calm but one destination, nobody else waits because of it. */
const lateMsMax = 5_000;

function checkFairness({ notes, isCalm, storeNow }: Watch, facts: Facts, message: Message): void {
  const [only, second] = facts.versions;
  if (!isCalm || only === undefined || second !== undefined) return;
  if (only.type === "notice") return; // two may have the same words
  if (facts.attempt > 1 || message.address === "a0" || only.target.startsWith("inbox:")) return;
  const lateMs = storeNow() - only.from;
  const tell = (): string => `${message.text} was ${lateMs} ms late`;
  demand(notes, lateMs <= lateMsMax, "one dead destination delays no other", tell);
}
