import { notificationKind } from "../../features/notifications/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { Shape } from "../../kernel/shape.ts";
import type { SettleOf } from "../../kernel/work-unit.ts";
import { isProof } from "./arrivals.ts";
import type { Watch } from "./calls.ts";
import { type Facts, type Outcome, type Works } from "./facts.ts";
import { quietLeftMs, settingsFor } from "./hours.ts";
import { demand } from "./notes.ts";

export interface Ending {
  facts: Facts;
  works: Works;
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
  const tell = (): string => `${JSON.stringify(unit)} ${JSON.stringify(facts.row)}`;
  demand(watch.notes, holds(watch, ending), invariant, tell);
}

type Reason = readonly [invariant: string, holds: (watch: Watch, ending: Ending) => boolean];

const reasons: Readonly<Record<string, Reason>> = {
  delivered: [
    "delivered has the receipt of an arrival",
    (watch, { facts }) => isMark(facts) || isProof(watch, facts, facts.outcome?.receipt ?? null),
  ],
  unconfirmed: [
    "unconfirmed needs an attempt whose fate is unknown, of what is said at most once",
    (_, { facts }) =>
      facts.versions.at(-1)?.atMostOnce === true && (facts.lapsed || facts.sends > facts.known),
  ],
  expired: [
    "nothing expires before its time is over",
    (watch, ending) => ending.facts.versions.at(-1)?.type === "digest" || isOver(watch, ending),
  ],
  failed: [
    "its owner hears of what failed",
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

function checkInTime({ notes, isCalm, storeNow }: Watch, { versions, sends, id }: Facts): void {
  const [only, second] = versions;
  if (!isCalm || sends > 0 || only === undefined || second !== undefined) return;
  if (!only.target.startsWith("inbox:")) return; // the lane of a dead destination rests
  const lateMs = storeNow() - Math.max(only.expiresAt, only.from);
  const tell = (): string => `${id} expired ${lateMs} ms late`;
  demand(notes, lateMs <= lateMsMax, "what expires does so in time", tell);
}

/** Its time has come by the furthest clock that anybody may have gone by, or quiet hours outlast it. */
function isOver({ notes, now }: Watch, { facts, works }: Ending): boolean {
  const { expiresAt = Infinity } = facts.versions.at(-1) ?? {};
  if (now() + notes.offsetMax >= expiresAt) return true;
  const at = works.claimedStoreAt;
  return settingsFor(notes, facts.owner, works).some(
    ({ quiet, zone }) => quiet !== null && at + quietLeftMs(at, quiet, zone) >= expiresAt,
  );
}

/** Nobody was there: that is no attempt. */
export function checkAbsence(
  { notes }: Watch,
  facts: Facts,
  works: Works,
  freshStart: boolean,
): void {
  if (works.heard !== "absent") return;
  demand(notes, freshStart, "nobody's absence counts as an attempt", () => facts.id);
}

/** What a settle says was seen. */
export function takeOutcome(watch: Watch, facts: Facts, outcome: Outcome, works: Works): void {
  const { digest } = outcome;
  if (digest !== undefined && !facts.digests.has(digest)) {
    watch.marks.reached("waits for a digest");
    facts.digests.add(digest);
    const urgent = works.priority === "high";
    demand(watch.notes, !urgent, "what is urgent does not wait for quiet hours", () => facts.id);
  }
  facts.outcome = outcome;
}
