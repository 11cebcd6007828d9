import type { Message } from "../../features/notifications/channel.ts";
import type { SendObserver } from "../simulator/faulty-channel.ts";
import type { VirtualProcess } from "../simulator/kernel.ts";
import { checkOnce, arrivalsInDigest, recordArrival, recordDigestArrival } from "./arrivals.ts";
import type { Watch } from "./calls.ts";
import { checkDigest } from "./digests.ts";
import { workOf, type Facts, type Version } from "./facts.ts";
import { checkInvariant, nextOrder } from "./model.ts";
import { checkPart } from "./parts.ts";
import { quietLeftMs, settingsFor } from "./quiet-hours.ts";
import { isAtTarget } from "./threads.ts";

/** What was really sent and what really arrived. */
export function watchSends(watch: Watch): SendObserver {
  const { model, marks } = watch;
  return {
    started(message, channel, process) {
      const facts = model.facts.get(message.id);
      const version = facts && versionFor(facts, message, process);
      checkInvariant(
        model,
        version !== undefined,
        "only a requested message is sent",
        () => message.text,
      );
      if (facts === undefined || version === undefined) return 0;
      checkStart(watch, { facts, version, message, process, channel });
      checkFairness(watch, facts, message);
      const work = workOf(facts, process);
      checkInvariant(
        model,
        version.type !== "mark",
        "a mark is not sent as a message",
        () => message.text,
      );
      if (version.type === "digest") checkDigest(watch, facts, message, work);
      facts.sends += 1;
      work.sends += 1;
      work.sentText = message.text;
      return work.order;
    },
    part(part, process) {
      const facts = model.facts.get(part.fullMessage.id);
      if (facts !== undefined) checkPart(watch, facts, part, process);
    },
    arrived({ fullMessage, part, of }, process, receipt) {
      const facts = model.facts.get(fullMessage.id);
      if (facts === undefined) return;
      recordArrival(watch, facts, { text: fullMessage.text, part, of, receipt });
      if (facts.lease?.process !== process) marks.reached("a lease was lost during a send");
      if (facts.end !== null) marks.reached("a message arrived after its record had ended");
    },
    shown(message, listener) {
      const isOwn = message.owner === listener.owner && message.address === listener.owner;
      checkInvariant(model, isOwn, "an inbox shows only messages to its owner", () =>
        JSON.stringify([listener, message]),
      );
      const facts = model.facts.get(message.id);
      if (facts === undefined || facts.shows.has(facts.sends)) return;
      facts.shows.set(facts.sends, { text: message.text, order: nextOrder(model) });
      if (facts.shows.size > 1) marks.reached("a message was shown twice");
      recordDigestArrival(model, facts, message.text);
      checkOnce(model, facts);
    },
    acked: (target, name, id) => void model.acks.add(`${target} ${name} ${id}`),
    answered(message, process, { result, ...sent }, claim) {
      const facts = model.facts.get(message.id);
      if (facts === undefined) return;
      marks.reached(`channel answered ${result}`);
      const work = workOf(facts, process);
      if (work.order === claim) work.channelResult = result;
      if (result !== "unknown" && !("maybe" in sent && sent.maybe)) facts.known += 1;
    },
  };
}

/** What was claimed, and is now said; a digest finds its words when it is said. */
function versionFor(facts: Facts, message: Message, process: VirtualProcess): Version | undefined {
  const { versions } = workOf(facts, process);
  const last = versions.at(-1);
  if (last?.type === "digest") return last;
  return versions.findLast(({ text }) => text === message.text);
}

interface Start {
  facts: Facts;
  version: Version;
  message: Message;
  process: VirtualProcess;
  channel: string;
}

function checkStart(watch: Watch, { facts, version, message, process, channel }: Start): void {
  const { model } = watch;
  const work = workOf(facts, process);
  const must = (holds: boolean, invariant: string): void =>
    checkInvariant(
      model,
      holds,
      invariant,
      () => `${process.name} sends ${JSON.stringify(message)}`,
    );
  must(work.sends < work.claims - work.unstarted, "an attempt acts once, under its own claim");
  must(version.at <= model.storeNowMax, "nothing is sent or run before its time");
  const arrivesAtTarget = isAtTarget(watch, version, `${channel}:${message.address}`);
  must(
    arrivesAtTarget && message.owner === facts.owner,
    "content goes to its target and nowhere else",
  );
  must(version.expiresAt > work.claimedStoreAt, "nothing is sent after its expiry time");
  checkLease(watch, facts, process);
  const channelResult = [...facts.shows.values(), ...arrivalsInDigest(facts, version)];
  const repeats = channelResult.some(({ order }) => order < work.order);
  must(!repeats || message.maybeRepeat, "a message that may be a repeat is marked as one");
  must(
    !isDeliveredInDigest(watch, facts, version),
    "a message delivered in a digest is not sent alone",
  );
  must(
    work.priority === "high" || !isQuiet(watch, facts, process),
    "nothing is sent in quiet hours",
  );
}

/** The node's own monotonic clock says so: a pause counts, a step of any wall does not. */
export function checkLease({ model, now }: Watch, facts: Facts, process: VirtualProcess): void {
  const { claimedAt, leaseMs } = workOf(facts, process);
  const detail = (): string =>
    `${process.name} acts on ${facts.id}, claimed ${now() - claimedAt} ms ago`;
  const isHeld = now() - claimedAt < leaseMs;
  checkInvariant(model, isHeld, "no attempt starts after its lease has expired", detail);
}

/** Its digest was said before this attempt began, and can still be read. */
function isDeliveredInDigest({ model, engine }: Watch, facts: Facts, version: Version): boolean {
  const [said] = arrivalsInDigest(facts, version);
  if (said === undefined || model.facts.get(said.digest)?.end?.state !== "delivered") return false;
  return engine.get({ who: { owner: facts.owner, by: "oracle" }, id: said.digest }) !== undefined;
}

/** By every setting that the node may have gone by. */
function isQuiet({ model }: Watch, facts: Facts, process: VirtualProcess): boolean {
  const work = workOf(facts, process);
  const settings = settingsFor(model, facts.owner, work);
  // Which of two claims a send belongs to is not seen from here.
  const moments = [work.claimedStoreAt, work.earlierStoreAt ?? work.claimedStoreAt];
  const isQuietAt = (at: number): boolean =>
    settings.every(({ quiet, zone }) => quiet !== null && quietLeftMs(at, quiet, zone) > 0);
  return settings.length > 0 && moments.every(isQuietAt);
}

/** When all is calm but one destination, nobody else waits because of it. */
const lateMsMax = 5_000;

function checkFairness({ model, isCalm, storeNow }: Watch, facts: Facts, message: Message): void {
  const [only, second] = facts.versions;
  if (!isCalm || only === undefined || second !== undefined) return;
  if (only.type === "notice") return; // two may have the same words
  if (facts.attempt > 1 || message.address === "a0" || only.target.startsWith("inbox:")) return;
  const lateMs = storeNow() - only.from;
  const detail = (): string => `${message.text} was ${lateMs} ms late`;
  checkInvariant(model, lateMs <= lateMsMax, "an unreachable destination delays no other", detail);
}
