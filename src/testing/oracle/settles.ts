import type { NotificationKind } from "../../features/notifications/kind.ts";
import type { Shape } from "../../kernel/shape.ts";
import type { Settle, Settled, SettleOf, Unstarted } from "../../kernel/work-unit.ts";
import type { Life } from "../simulator/kernel.ts";
import { watchKept } from "./always-settles.ts";
import { takeFollows } from "./asks.ts";
import type { Watch } from "./calls.ts";
import { checkFence } from "./claims.ts";
import { checkAbsence, checkEnding, takeOutcome } from "./endings.ts";
import { worksOf, type Facts, type Works } from "./facts.ts";
import { checkNagWoken, watchNag } from "./nags.ts";
import { demand, factsOf, refuse } from "./notes.ts";
import { watchRunEnd } from "./runs.ts";
import { takeRefusal } from "./skips.ts";
import { watchSlots } from "./slots.ts";
import { watchEvent } from "./when-events.ts";
import { watchWorkEnd } from "./when-works.ts";

interface Settling {
  unit: Settle;
  answer: Settled | undefined;
  life: Life;
}

/** How leases ended. */
export function watchSettle(watch: Watch, { unit, answer, life }: Settling): void {
  if (answer === undefined) return;
  const { notes, marks } = watch;
  const facts = factsOf(notes, unit.id);
  checkFence(watch, facts, unit.fence, answer.result);
  marks.reached(`settle answered ${answer.result}`);
  if (answer.result === "refused" && !("unstarted" in unit)) {
    refuse(notes, unit.consequences);
    takeRefusal(watch, facts, answer.error);
  }
  if (answer.result !== "settled" || facts.lease === null) return;
  if (watch.storeNow() >= facts.lease.until) marks.reached("settled after the lease had lapsed");
  facts.lease = null;
  if ("unstarted" in unit) {
    facts.attempt -= 1;
    if (unit.revision === undefined) {
      marks.reached("given back unstarted");
      worksOf(facts, life).unstarted += 1;
    } else {
      takeRest(watch, facts, unit, answer.revision - unit.revision);
    }
    checkWoken(watch, facts, unit.wakeAt);
  } else {
    const named = answer.revision === unit.revision + 1;
    const tell = (): string => `${JSON.stringify(unit)} answered revision ${answer.revision}`;
    demand(notes, named, "a settle stands only on the revision it saw", tell);
    worksOf(facts, life).settles += 1;
    watchWorkEnd(watch, { facts, unit, life, works: worksOf(facts, life) });
    takeVerdict(watch, facts, unit, worksOf(facts, life));
  }
}

/** A node says that it settled a record. */
export function watchSaid({ notes }: Watch, life: Life, id: string): void {
  const works = worksOf(factsOf(notes, id), life);
  works.settlesSaid += 1;
  const so = works.settlesSaid <= works.settles;
  demand(notes, so, "what a node says it settled, it settled", () => `${life.name}: ${id}`);
}

/** It was acted on, and is left as it was; but one that is cancelling ends. */
function takeRest(watch: Watch, facts: Facts, unit: Unstarted, risen: number): void {
  watch.marks.reached("rested");
  const tell = (): string => `${JSON.stringify(unit)} raised the revision by ${risen}`;
  const so = risen === (facts.cancelling ? 1 : 0);
  demand(watch.notes, so, "a rest stands only on the revision it saw, and leaves it", tell);
  facts.readyAt = Math.max(watch.storeNow(), Math.min(unit.wakeAt, facts.wokenAt ?? Infinity));
}

function takeVerdict(watch: Watch, facts: Facts, unit: SettleOf<Shape>, works: Works): void {
  const { marks } = watch;
  const outcome = unit.outcome as NotificationKind["outcome"] | undefined;
  if (outcome && "receipt" in outcome) takeOutcome(watch, facts, outcome, works);
  if ("ends" in unit) {
    if (facts.cancelling) marks.reached("the cancel came late");
    checkEnding(watch, { facts, works, unit, state: unit.ends });
  } else {
    checkAbsence(watch, facts, works, unit.freshStart === true);
    if (unit.freshStart === true) facts.attempt = 0;
    const asked = Math.min(unit.wakeAt ?? Infinity, facts.wokenAt ?? Infinity);
    facts.readyAt = Math.max(watch.storeNow(), asked === Infinity ? 0 : asked);
    checkWoken(watch, facts, unit.wakeAt);
  }
  watchSlots(watch, facts, unit, works);
  watchRunEnd(watch, facts, unit);
  watchEvent(watch, facts, unit);
  watchKept(watch, facts, unit);
  watchNag(watch, facts, unit, works);
  if ("ends" in unit) checkNagWoken(watch, facts);
  takeFollows(watch, facts.owner, unit.consequences, facts);
}

/** A wake that came while somebody was at work brings the record back at once. */
function checkWoken(watch: Watch, facts: Facts, asked: number | undefined): void {
  const { wokenAt, owner, id } = facts;
  facts.wokenAt = null;
  if (wokenAt === null) return;
  watch.history.read(owner);
  if (facts.end !== null) return;
  watch.marks.reached("woken while at work");
  const latest = Math.max(watch.storeNow(), Math.min(asked ?? Infinity, wokenAt));
  const wakeAt = watch.engine.get({ who: { owner, by: "oracle" }, id })?.wakeAt ?? Infinity;
  const tell = (): string => `${id} wakes at ${wakeAt}, not at ${latest}`;
  demand(watch.notes, wakeAt <= latest, "a wake under a lease is not lost", tell);
}
