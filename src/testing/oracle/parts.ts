import type { Part } from "../../adapters/channels/parts.ts";
import type { NotificationKind } from "../../features/notifications/kind.ts";
import type { Keep } from "../../kernel/work-unit.ts";
import type { Json } from "../../platform/json.ts";
import type { Life } from "../simulator/kernel.ts";
import { arrivedBefore } from "./arrivals.ts";
import type { Watch } from "./calls.ts";
import { worksOf, type Facts } from "./facts.ts";
import { demand, nextOrder } from "./notes.ts";

interface Progress {
  members?: readonly string[];
  sent?: Progress | null;
  done?: readonly Json[];
}

/** What an attempt wrote down on its way: who is in a digest, and which parts are said. */
export function takeProgress(watch: Watch, facts: Facts, unit: Keep, life: Life): void {
  const outcome = unit.outcome as Partial<NotificationKind["outcome"]> | undefined;
  if (outcome === undefined || !("progress" in outcome)) return;
  const { notes, marks } = watch;
  const progress = (outcome.progress ?? {}) as Progress;
  const works = worksOf(facts, life);
  if (progress.members !== undefined) {
    const { members } = progress;
    const first = (facts.members ??= members);
    const tell = (): string => `${facts.id}: ${members.join(", ")}; first ${first.join(", ")}`;
    const same = members.every((id) => first.includes(id));
    demand(notes, same, "a digest that is said again has nothing new in it", tell);
    works.members = members;
    if (members.length < first.length) marks.reached("a digest lost a member");
  }
  const done = progress.done ?? progress.sent?.done;
  if (done === undefined || done.length === 0) return;
  marks.reached("progress saved");
  facts.saved.clear(); // other words (a digest in another time zone) begin anew
  facts.saved.set(works.saying, { count: done.length, order: nextOrder(notes) });
}

/** One part sets out. */
export function checkPart(watch: Watch, facts: Facts, part: Part, life: Life): void {
  const { notes, marks } = watch;
  const { order } = worksOf(facts, life);
  const { text } = part.whole;
  const must = (holds: boolean, invariant: string): void =>
    demand(notes, holds, invariant, () => `${life.name} sends ${JSON.stringify(part)}`);
  const saved = facts.saved.get(text);
  if (saved !== undefined && saved.order < order) {
    marks.reached("went on where an attempt had stopped");
    must(part.part > saved.count, "what is written down as said is not said again");
  }
  const repeats = arrivedBefore(facts, { text, part: part.part }, order);
  must(!repeats || part.maybeRepeat, "a message that may have arrived before says so");
}
