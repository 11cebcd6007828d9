import type { Message } from "../../channels/channel.ts";
import type { SendTap } from "../simulator/faulty-channel.ts";
import type { Life } from "../simulator/kernel.ts";
import type { Watch } from "./calls.ts";
import { demand, worksOf, type Facts } from "./notes.ts";

/** What was really sent and what really arrived. */
export function watchSends(watch: Watch): SendTap {
  const { notes, marks } = watch;
  return {
    started(message, life) {
      const facts = notes.byText.get(message.text);
      demand(notes, facts !== undefined, "only what was asked is said", () => message.text);
      if (facts === undefined) return;
      checkStart(watch, facts, message, life);
      checkFairness(watch, facts, message);
      if (facts.messageId === null) facts.messageId = message.id;
      worksOf(facts, life).sends += 1;
    },
    arrived(message, life, receipt) {
      const facts = notes.byText.get(message.text);
      if (facts === undefined) return;
      facts.arrivals.push(receipt);
      if (facts.arrivals.length > 1) marks.reached("arrived twice");
      if (facts.lease?.life !== life) marks.reached("lease lost mid-send");
      if (facts.end !== null) marks.reached("arrived after the end");
    },
  };
}

function checkStart(watch: Watch, facts: Facts, message: Message, life: Life): void {
  const { notes } = watch;
  const works = worksOf(facts, life);
  const must = (holds: boolean, invariant: string): void =>
    demand(notes, holds, invariant, () => `${life.name} sends ${JSON.stringify(message)}`);
  must(works.sends < works.claims - works.unstarted, "each attempt acts once, under its own claim");
  const version = works.versions.findLast(({ text }) => text === message.text);
  must(version !== undefined, "what is sent is what was claimed");
  must(version === undefined || version.at <= notes.storeNowMax, "never early");
  must(facts.messageId === null || facts.messageId === message.id, "a retry carries the same id");
  must(
    works.arrivals === 0 || message.maybeRepeat,
    "a message that may have arrived before says so",
  );
  // The node's own monotonic clock says so: a pause counts, a step of any wall does not.
  const elapsed = watch.now() - works.claimedAt;
  must(elapsed < works.leaseMs, "no attempt begins after its lease has run out");
}

/** When all is calm but one destination, nobody else waits because of it. */
const lateMsMax = 5_000;

function checkFairness({ notes, isCalm, storeNow }: Watch, facts: Facts, message: Message): void {
  const [only, second] = facts.versions;
  if (!isCalm || only === undefined || second !== undefined) return;
  if (facts.attempt > 1 || message.address === "a0") return;
  const lateMs = storeNow() - only.from;
  const tell = (): string => `${message.text} was ${lateMs} ms late`;
  demand(notes, lateMs <= lateMsMax, "one dead destination delays no other", tell);
}
