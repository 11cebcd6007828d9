import { notificationKind } from "../../features/notifications/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { Shape } from "../../kernel/shape.ts";
import type { SettleOf } from "../../kernel/work-unit.ts";
import { isProof } from "./arrivals.ts";
import type { Watch } from "./calls.ts";
import { type Facts, type Outcome, type ProcessWork } from "./facts.ts";
import { checkInvariant } from "./model.ts";
import { quietLeftMs, settingsFor } from "./quiet-hours.ts";

export interface Ending {
  facts: Facts;
  work: ProcessWork;
  unit: SettleOf<Shape>;
  state: string;
}

/** Every end of a notification needs its reason. */
export function checkEnding(watch: Watch, ending: Ending): void {
  const { facts, unit, state } = ending;
  if (!is(notificationKind, facts.row)) return;
  watch.marks.reached(`ended ${state}`);
  if (state === "expired") checkInTime(watch, facts);
  const reason = reasons[state];
  if (reason === undefined) return;
  const [invariant, holds] = reason;
  const detail = (): string => `${JSON.stringify(unit)} ${JSON.stringify(facts.row)}`;
  checkInvariant(watch.model, holds(watch, ending), invariant, detail);
}

type Reason = readonly [invariant: string, holds: (watch: Watch, ending: Ending) => boolean];

const reasons: Readonly<Record<string, Reason>> = {
  delivered: [
    "a delivered message has the receipt of an arrival",
    (watch, { facts }) => isMark(facts) || isProof(watch, facts, facts.outcome?.receipt ?? null),
  ],
  unconfirmed: [
    "only an at-most-once message with an unknown outcome ends unconfirmed",
    (_, { facts }) =>
      facts.versions.at(-1)?.atMostOnce === true && (facts.lapsed || facts.sends > facts.known),
  ],
  expired: [
    "nothing expires before its expiry time",
    (watch, ending) => ending.facts.versions.at(-1)?.type === "digest" || isOver(watch, ending),
  ],
  failed: [
    "the owner of a failed notification gets a notice",
    (_, { facts, unit }) =>
      isMark(facts) ||
      facts.versions.at(-1)?.target === `inbox:${facts.owner}` ||
      (unit.consequences?.append ?? []).some(({ kind, key }) => kind === "notification" && key),
  ],
};

/** It is shown on a message, and is none. */
function isMark({ versions }: Facts): boolean {
  return versions.at(-1)?.type === "mark";
}

/** When all is calm, what nobody was told of is known to have run out, whether or not somebody listens. */
const lateMsMax = 5_000;

function checkInTime({ model, isCalm, storeNow }: Watch, { versions, sends, id }: Facts): void {
  const [only, second] = versions;
  if (!isCalm || sends > 0 || only === undefined || second !== undefined) return;
  if (!only.target.startsWith("inbox:")) return; // the lane of a dead destination rests
  const lateMs = storeNow() - Math.max(only.expiresAt, only.from);
  const detail = (): string => `${id} expired ${lateMs} ms late`;
  checkInvariant(model, lateMs <= lateMsMax, "an expired notification ends in time", detail);
}

/** Its time has come by the furthest clock that anybody may have gone by, or quiet hours outlast it. */
function isOver({ model, now }: Watch, { facts, work }: Ending): boolean {
  const { expiresAt = Infinity } = facts.versions.at(-1) ?? {};
  if (now() + model.offsetMax >= expiresAt) return true;
  const at = work.claimedStoreAt;
  return settingsFor(model, facts.owner, work).some(
    ({ quiet, zone }) => quiet !== null && at + quietLeftMs(at, quiet, zone) >= expiresAt,
  );
}

/** Nobody was there: that is no attempt. */
export function checkAbsence(
  { model }: Watch,
  facts: Facts,
  work: ProcessWork,
  freshStart: boolean,
): void {
  if (work.channelResult !== "absent") return;
  checkInvariant(
    model,
    freshStart,
    "an absent listener does not count as an attempt",
    () => facts.id,
  );
}

/** What a settle says was seen. */
export function recordOutcome(
  watch: Watch,
  facts: Facts,
  outcome: Outcome,
  work: ProcessWork,
): void {
  const { digest } = outcome;
  if (digest !== undefined && !facts.digests.has(digest)) {
    watch.marks.reached("a notification waits for a digest");
    facts.digests.add(digest);
    const urgent = work.priority === "high";
    checkInvariant(
      watch.model,
      !urgent,
      "a high-priority notification does not wait for quiet hours",
      () => facts.id,
    );
  }
  facts.outcome = outcome;
}
