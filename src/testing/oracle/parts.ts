import type { Part } from "../../adapters/channels/parts.ts";
import type { NotificationKind } from "../../features/notifications/kind.ts";
import type { Keep } from "../../kernel/work-unit.ts";
import type { Json } from "../../platform/json.ts";
import type { VirtualProcess } from "../simulator/kernel.ts";
import { arrivedBefore } from "./arrivals.ts";
import type { Watch } from "./calls.ts";
import { workOf, type Facts } from "./facts.ts";
import { checkInvariant, nextOrder } from "./model.ts";

interface Progress {
  members?: readonly string[];
  sent?: Progress | null;
  done?: readonly Json[];
}

/** What an attempt wrote down on its way: who is in a digest, and which parts are said. */
export function recordProgress(
  watch: Watch,
  facts: Facts,
  unit: Keep,
  process: VirtualProcess,
): void {
  const outcome = unit.outcome as Partial<NotificationKind["outcome"]> | undefined;
  if (outcome === undefined || !("progress" in outcome)) return;
  const { model, marks } = watch;
  const progress = (outcome.progress ?? {}) as Progress;
  const work = workOf(facts, process);
  if (progress.members !== undefined) {
    const { members } = progress;
    const first = (facts.members ??= members);
    const detail = (): string => `${facts.id}: ${members.join(", ")}; first ${first.join(", ")}`;
    const same = members.every((id) => first.includes(id));
    checkInvariant(model, same, "a digest that is sent again gains no members", detail);
    work.members = members;
    if (members.length < first.length) marks.reached("a digest lost a member");
  }
  const done = progress.done ?? progress.sent?.done;
  if (done === undefined || done.length === 0) return;
  marks.reached("progress was saved");
  facts.saved.clear(); // other words (a digest in another time zone) begin anew
  facts.saved.set(work.sentText, { count: done.length, order: nextOrder(model) });
}

/** One part sets out. */
export function checkPart(watch: Watch, facts: Facts, part: Part, process: VirtualProcess): void {
  const { model, marks } = watch;
  const { order } = workOf(facts, process);
  const { text } = part.fullMessage;
  const must = (holds: boolean, invariant: string): void =>
    checkInvariant(model, holds, invariant, () => `${process.name} sends ${JSON.stringify(part)}`);
  const saved = facts.saved.get(text);
  if (saved !== undefined && saved.order < order) {
    marks.reached("a send resumed after the parts that were sent");
    must(part.part > saved.count, "a part saved as sent is not sent again");
  }
  const repeats = arrivedBefore(facts, { text, part: part.part }, order);
  must(!repeats || part.maybeRepeat, "a message that may be a repeat is marked as one");
}
