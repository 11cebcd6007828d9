import { defineKind, type Kind } from "../../kernel/kind.ts";
import type { LedgerRecord, Priority } from "../../kernel/record.ts";
import { parseTarget } from "../../kernel/target.ts";
import type { DraftOf, Hold } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { checkZone } from "../../time/zone.ts";
import type { Quiet } from "../accounts/profile.ts";
import { messageCharsMax } from "../notifications/kind.ts";
import type { Route } from "../notifications/routing.ts";
import { checkCurve, type Curve } from "./curve.ts";
import { nagPageHold, nagSlotHold } from "./holds.ts";
import { hasOpening } from "./open-hours.ts";
import { pageRecordId } from "./page.ts";

/** Something that is said again and again, further and further apart, until it is done. */
export interface NagKind {
  name: "nag";
  body: {
    /** A page, by its client's id, whose words are read when they are said; or words. */
    about: { page: string } | { text: string };
    /** What the curve is called, and what it was when this was asked. */
    curveName: string;
    curve: Curve;
    target: string;
    because?: Route["because"];
    origin: string | null;
    /** When it was asked for next, by a person: first, put off, taken up again. */
    at: number;
    atText: string;
    /** Rises each time: the plan in the outcome that belongs to an older one is not followed any more. */
    asked: number;
    /** Somebody said so while it was leased: whoever has it ends it. */
    isDone?: true;
    /** Absent: its owner's. */
    zone?: string;
    /** Which of its owner's places it has, if it was made under that limit. */
    place?: number;
    /** The id that a client which syncs gave it. */
    alarmId?: string;
  };
  outcome: {
    /** The `asked` that this plan belongs to. */
    asked: number;
    /** The number of the one that is said next, from 1. It never falls. */
    count: number;
    /** How many notifications were made: each has its own. */
    round: number;
    /** When it is said next; null while it is being said, or rests. */
    nextAt: number | null;
    /** What the curve counted from, after which number, in which zone; null: a person asked for this time. */
    counted: { from: number; number: number; zone: string } | null;
    /** The notification that says it now. */
    saying: string | null;
    /** The one that was taken back on its way, when another time was asked for: if it arrives all the same, it counts. */
    takenBack?: string;
    /** The last notification that arrived, and what its channel calls it. */
    lastSaid: string | null;
    lastReceiptId: string | null;
    /** How many in a row came to nothing, and why the last one did. */
    failures: number;
    reason: string | null;
  };
  live: "active" | "paused";
  end: "done" | "cancelled";
}

export const nagKind: Kind<NagKind> = defineKind({
  name: "nag",
  states: { active: ["paused", "done"], paused: ["active", "done"] },
});

type Body = NagKind["body"];
type Outcome = NagKind["outcome"];

/** What is asked when something is to be said until it is done. */
export type NagAsked = Omit<Body, "asked" | "isDone">;

/** Who asks, and when their day is open. */
export interface NagMaking {
  readonly owner: string;
  readonly quiet: Quiet | null;
  readonly priority?: Priority;
}

/** Every nag is made here, whoever asks for it. Where it goes need not be there yet. */
export function makeNag(asked: NagAsked, { owner, quiet, priority }: NagMaking): DraftOf<NagKind> {
  checkNag(asked, priority === "high" ? null : quiet);
  const { about, at } = asked;
  return {
    kind: "nag",
    body: { ...asked, asked: 1 },
    outcome: unsaid(at),
    state: "active",
    wakeAt: at,
    holds: lastingHolds(owner, asked),
    ...("page" in about ? { parent: pageRecordId(owner, about.page) } : {}),
    ...(priority === undefined ? {} : { priority }),
  };
}

/** Refuses what could not be said, or never would be. */
export function checkNag({ about, curve, target, zone, at }: NagAsked, quiet: Quiet | null): void {
  if ("text" in about && about.text.trim() === "") {
    throw new DaybookError("invalid", "It is about nothing: say what should be said.");
  }
  if ("text" in about && about.text.length > messageCharsMax) {
    const sentence = `The text is over ${messageCharsMax} characters: shorten it, or send a link.`;
    throw new DaybookError("too_large", sentence);
  }
  if (!Number.isSafeInteger(at)) throw new DaybookError("invalid", "Its time is no moment.");
  parseTarget(target);
  if (zone !== undefined) checkZone(zone);
  checkCurve(curve);
  if (hasOpening(curve.sleep, quiet)) return;
  throw new DaybookError(
    "invalid",
    "The curve's sleep and the quiet hours leave no time of day: shorten one of them.",
  );
}

function unsaid(nextAt: number): Outcome {
  return {
    asked: 1,
    count: 1,
    round: 0,
    nextAt,
    counted: null,
    saying: null,
    lastSaid: null,
    lastReceiptId: null,
    failures: 0,
    reason: null,
  };
}

/** What is seen of it. A record that another program wrote may have none yet. */
export function seenOf({
  body,
  outcome,
}: Pick<LedgerRecord<NagKind>, "body" | "outcome">): Outcome {
  return outcome ?? { ...unsaid(body.at), asked: body.asked };
}

/** Names that it has for as long as it lives. */
export function lastingHolds(
  owner: string,
  { about, place }: Pick<Body, "about" | "place">,
): readonly Hold[] {
  return [
    ...("page" in about ? [nagPageHold(owner, about.page)] : []),
    ...(place === undefined ? [] : [nagSlotHold(owner, place)]),
  ];
}
