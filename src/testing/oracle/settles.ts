import type { NotificationKind } from "../../features/notifications/kind.ts";
import type { Shape } from "../../kernel/shape.ts";
import type { Settle, Settled, SettleOf, Unstarted } from "../../kernel/work-unit.ts";
import type { VirtualProcess } from "../simulator/kernel.ts";
import type { Watch } from "./calls.ts";
import { checkFence } from "./claims.ts";
import { watchEvent } from "./event-settles.ts";
import { workOf, type Facts, type ProcessWork } from "./facts.ts";
import { watchWorkEnd } from "./handler-tasks.ts";
import { checkInvariant, factsOf, refuse } from "./model.ts";
import { checkNagWoken, watchNag } from "./nags.ts";
import { checkAbsence, checkEnding, recordOutcome } from "./notification-ends.ts";
import { recordConsequences } from "./requests.ts";
import { watchRunEnd } from "./runs.ts";
import { recordRefusal } from "./skips.ts";
import { watchSlots } from "./slots.ts";
import { watchWorkspace } from "./workspace-settles.ts";

interface Settling {
  unit: Settle;
  answer: Settled | undefined;
  process: VirtualProcess;
}

/** How leases ended. */
export function watchSettle(watch: Watch, { unit, answer, process }: Settling): void {
  if (answer === undefined) return;
  const { model, marks } = watch;
  const facts = factsOf(model, unit.id);
  checkFence(watch, facts, unit.fence, answer.result);
  marks.reached(`settle answered ${answer.result}`);
  if (answer.result === "refused" && !("unstarted" in unit)) {
    refuse(model, unit.consequences);
    recordRefusal(watch, facts, answer.error);
  }
  if (answer.result !== "settled" || facts.lease === null) return;
  if (watch.storeNow() >= facts.lease.until)
    marks.reached("a record was settled under a lapsed lease");
  facts.lease = null;
  if ("unstarted" in unit) {
    facts.attempt -= 1;
    if (unit.revision === undefined) {
      marks.reached("a record was released unstarted");
      workOf(facts, process).unstarted += 1;
    } else {
      recordRest(watch, facts, unit, answer.revision - unit.revision);
    }
    checkWoken(watch, facts, unit.wakeAt);
  } else {
    const named = answer.revision === unit.revision + 1;
    const detail = (): string => `${JSON.stringify(unit)} answered revision ${answer.revision}`;
    checkInvariant(model, named, "a settle applies only to the revision it read", detail);
    workOf(facts, process).settles += 1;
    watchWorkEnd(watch, { facts, unit, process, work: workOf(facts, process) });
    recordVerdict(watch, facts, unit, workOf(facts, process));
  }
}

/** A node says that it settled a record. */
export function watchSettleReport({ model }: Watch, process: VirtualProcess, id: string): void {
  const work = workOf(factsOf(model, id), process);
  work.settlesReported += 1;
  const so = work.settlesReported <= work.settles;
  checkInvariant(
    model,
    so,
    "a record reported as settled was settled",
    () => `${process.name}: ${id}`,
  );
}

/** It was acted on, and is left as it was; but one that is cancelling ends. */
function recordRest(watch: Watch, facts: Facts, unit: Unstarted, risen: number): void {
  watch.marks.reached("a record was left unchanged");
  const detail = (): string => `${JSON.stringify(unit)} raised the revision by ${risen}`;
  const so = risen === (facts.cancelling ? 1 : 0);
  checkInvariant(watch.model, so, "an unchanged record keeps its revision", detail);
  facts.readyAt = Math.max(watch.storeNow(), Math.min(unit.wakeAt, facts.wokenAt ?? Infinity));
}

function recordVerdict(watch: Watch, facts: Facts, unit: SettleOf<Shape>, work: ProcessWork): void {
  const { marks } = watch;
  const outcome = unit.outcome as NotificationKind["outcome"] | undefined;
  if (outcome && "receipt" in outcome) recordOutcome(watch, facts, outcome, work);
  if ("ends" in unit) {
    if (facts.cancelling) marks.reached("a cancel came too late");
    checkEnding(watch, { facts, work, unit, state: unit.ends });
  } else {
    checkAbsence(watch, facts, work, unit.freshStart === true);
    if (unit.freshStart === true) facts.attempt = 0;
    const asked = Math.min(unit.wakeAt ?? Infinity, facts.wokenAt ?? Infinity);
    facts.readyAt = Math.max(watch.storeNow(), asked === Infinity ? 0 : asked);
    checkWoken(watch, facts, unit.wakeAt);
  }
  watchSlots(watch, facts, unit, work);
  watchRunEnd(watch, facts, unit);
  watchEvent(watch, facts, unit);
  watchWorkspace(watch, facts, unit);
  watchNag(watch, facts, unit, work);
  if ("ends" in unit) checkNagWoken(watch, facts);
  recordConsequences(watch, facts.owner, unit.consequences, facts);
}

/** A wake that came while somebody was at work brings the record back at once. */
function checkWoken(watch: Watch, facts: Facts, asked: number | undefined): void {
  const { wokenAt, owner, id } = facts;
  facts.wokenAt = null;
  if (wokenAt === null) return;
  watch.history.read(owner);
  if (facts.end !== null) return;
  watch.marks.reached("woken under a lease");
  const latest = Math.max(watch.storeNow(), Math.min(asked ?? Infinity, wokenAt));
  const wakeAt = watch.engine.get({ who: { owner, by: "oracle" }, id })?.wakeAt ?? Infinity;
  const detail = (): string => `${id} wakes at ${wakeAt}, not at ${latest}`;
  checkInvariant(watch.model, wakeAt <= latest, "a wake under a lease is not lost", detail);
}
