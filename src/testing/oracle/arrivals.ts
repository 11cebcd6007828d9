import type { Json } from "../../platform/json.ts";
import { slackStamp } from "../simulator/faulty-channel.ts";
import type { Watch } from "./calls.ts";
import { type Arrival, type Facts, type DigestArrival, type Version } from "./facts.ts";
import { checkInvariant, nextOrder, type Model } from "./model.ts";

/** How often the whole of a text has reached its reader. */
function wholeTimes({ arrivals }: Facts, text: string): number {
  const parts = arrivals.filter((each) => each.text === text);
  const [first] = parts;
  if (first === undefined) return 0;
  const times = Array.from({ length: first.of }, () => 0);
  for (const { part } of parts) times[part - 1] = (times[part - 1] ?? 0) + 1;
  return Math.min(...times);
}

/** How often its reader has heard it, or a part of it, in one way or another. */
export function timesArrived(facts: Facts): number {
  return times(facts, facts.digestArrivals, () => true);
}

/** The same for one text: other words are another message. */
export function timesTextArrived(facts: Facts, words: string): number {
  const version = facts.versions.findLast(({ text }) => text === words);
  const digestArrivals =
    version === undefined ? facts.digestArrivals : arrivalsInDigest(facts, version);
  return times(facts, digestArrivals, ({ text }) => text === words);
}

function times(
  facts: Facts,
  digestArrivals: readonly DigestArrival[],
  counts: (channelResult: { text: string }) => boolean,
): number {
  const arrivals = facts.arrivals.filter(counts);
  const others = [...facts.shows.values(), ...digestArrivals].filter(counts);
  const texts = [...new Set(arrivals.map(({ text }) => text))];
  const whole = texts.reduce((sum, text) => sum + wholeTimes(facts, text), 0);
  const parts = arrivals.map((each) => sameParts(facts, each).length);
  return Math.max(whole + others.length, ...parts.filter((count) => count > 1));
}

function sameParts({ arrivals }: Facts, { text, part }: Pick<Arrival, "text" | "part">): Arrival[] {
  return arrivals.filter((each) => each.text === text && each.part === part);
}

/** Whether an earlier attempt, before a claim, had brought this part to its reader. */
export function arrivedBefore(
  facts: Facts,
  part: Pick<Arrival, "text" | "part">,
  order: number,
): boolean {
  return sameParts(facts, part).some((each) => each.order < order);
}

export function recordArrival(watch: Watch, facts: Facts, arrival: Omit<Arrival, "order">): void {
  const { model, marks } = watch;
  const before = wholeTimes(facts, arrival.text);
  facts.arrivals.push({ ...arrival, order: nextOrder(model) });
  if (sameParts(facts, arrival).length > 1) marks.reached("a part arrived twice");
  if (wholeTimes(facts, arrival.text) > before) recordDigestArrival(model, facts, arrival.text);
  checkOnce(model, facts);
}

/** A digest has reached its reader: so has everything in it. */
export function recordDigestArrival(
  model: Model,
  { id, lines, versions }: Facts,
  text: string,
): void {
  const at = versions.at(-1)?.at ?? 0;
  for (const line of lines.get(text) ?? []) {
    const member = model.facts.get(line.id);
    if (member === undefined) continue;
    member.digestArrivals.push({ text: line.text, order: nextOrder(model), digest: id, at });
    checkOnce(model, member);
  }
}

/** What digests said of this version: whoever moved it to later than a digest wants to hear it again. */
export function arrivalsInDigest(
  { digestArrivals }: Facts,
  { text, at }: Version,
): readonly DigestArrival[] {
  return digestArrivals.filter((each) => each.text === text && at <= each.at);
}

/** Rather never than twice. */
export function checkOnce(model: Model, facts: Facts): void {
  if (facts.versions.at(-1)?.atMostOnce !== true) return;
  const detail = (): string => JSON.stringify([facts.id, facts.arrivals, facts.digestArrivals]);
  checkInvariant(
    model,
    timesArrived(facts) <= 1,
    "an at-most-once message arrives at most once",
    detail,
  );
}

/** Whether a receipt is of something that really reached its reader. */
export function isProof(watch: Watch, facts: Facts, receipt: Json): boolean {
  const { arrivals, versions, digestArrivals } = facts;
  if (typeof receipt === "number") {
    return arrivals.some((each) => each.of === 1 && each.receipt === receipt);
  }
  if (Array.isArray(receipt)) return areParts(facts, receipt as readonly Json[]);
  if (typeof receipt !== "object" || receipt === null) return false;
  if ("messages" in receipt)
    return isMessage(facts, (receipt as Readonly<Record<string, Json>>)["messages"] ?? null);
  const { session, digest, receipt: inner } = receipt as Readonly<Record<string, Json>>;
  if (typeof session === "string") {
    return watch.model.acks.has(`${versions.at(-1)?.target} ${session} ${facts.id}`);
  }
  const isMember = digestArrivals.some((each) => each.digest === digest);
  return isMember && typeof digest === "string" && isOfDigest(watch, facts, digest, inner ?? null);
}

/** The digest arrived, and has this receipt. */
function isOfDigest(watch: Watch, { owner }: Facts, digest: string, receipt: Json): boolean {
  watch.history.read(owner);
  const said = watch.model.facts.get(digest);
  const isSame = JSON.stringify(said?.outcome?.receipt) === JSON.stringify(receipt);
  return said?.end?.state === "delivered" && isSame;
}

/** One for each part, in order. */
function areParts({ arrivals }: Facts, receipts: readonly Json[]): boolean {
  const isOf = (each: Json, index: number): boolean =>
    arrivals.some(({ part, of, receipt }) => {
      return part === index + 1 && of === receipts.length && receipt === each;
    });
  return receipts.length > 1 && receipts.every(isOf);
}

/** Of a chat with threads: its own name for what arrived. */
function isMessage({ arrivals }: Facts, messages: Json): boolean {
  const [only, ...more] = Array.isArray(messages) ? (messages as readonly Json[]) : [];
  return (
    more.length === 0 && arrivals.some((each) => each.of === 1 && only === slackStamp(each.receipt))
  );
}
