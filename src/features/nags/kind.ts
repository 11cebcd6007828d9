import * as z from "zod";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import type { LedgerRecord, Priority } from "../../kernel/record.ts";
import { count, moment } from "../../kernel/schemas.ts";
import { parseTarget, target } from "../../kernel/target.ts";
import type { DraftOf, Hold } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { zone } from "../../time/settings.ts";
import { checkZone } from "../../time/zone.ts";
import type { Quiet } from "../accounts/profile.ts";
import { messageCharsMax } from "../notifications/kind.ts";
import { routeReason } from "../notifications/routing.ts";
import { checkCurve, curve } from "./curve.ts";
import { nagPageHold, nagSlotHold } from "./holds.ts";
import { hasOpening } from "./open-hours.ts";
import { pageRecordId } from "./page.ts";

/** A message that is sent again and again, along a curve, until somebody says that it is done. */
export const nagKind = defineKind({
  name: "nag",
  body: z.strictObject({
    /** A page, by its client's id, whose text is read when it is sent; or a text. */
    about: z.union([z.strictObject({ page: z.string() }), z.strictObject({ text: z.string() })]),
    /** The curve's name, and the curve as it was at the time of the request. */
    curveName: z.string(),
    curve,
    target,
    because: routeReason.exactOptional(),
    origin: z.string().nullable(),
    /** The next time that a person asked for: first, snoozed, resumed. */
    at: moment,
    /** That time as it was typed. */
    atText: z.string(),
    /** Counts these requests: a plan in the outcome that belongs to an older one is void. */
    asked: count,
    /** Set when it was done during a lease: the holder ends it. */
    isDone: z.literal(true).exactOptional(),
    /** Absent: its owner's. */
    zone: zone.exactOptional(),
    /** The number of its slot under the owner's limit, if it was made under that limit. */
    place: z.int().exactOptional(),
    /** The id that a client which syncs gave it. */
    alarmId: z.string().exactOptional(),
  }),
  outcome: z.strictObject({
    /** The `asked` that this plan belongs to. */
    asked: count,
    /** The number of the next message, from 1. It never falls. */
    count,
    /** How many notifications were made: each has its own. */
    round: count,
    /** When the next message is due; null while one is being sent, or while paused. */
    nextAt: moment.nullable(),
    /** What the curve counted from, after which number, in which zone; null: a person asked for this time. */
    counted: z.strictObject({ from: moment, number: count, zone }).nullable(),
    /** The notification that is being sent. */
    saying: z.string().nullable(),
    /** The notification that was cancelled on its way by a request for another time: if it arrives, it counts. */
    takenBack: z.string().exactOptional(),
    /** The last notification that was delivered, and its channel's id of that message. */
    lastSaid: z.string().nullable(),
    lastReceiptId: z.string().nullable(),
    /** How many in a row were not delivered, and why the last one was not. */
    failures: count,
    reason: z.string().nullable(),
  }),
  states: { active: ["paused", "done"], paused: ["active", "done"] },
});
export interface NagKind extends KindOf<typeof nagKind> {}

type Body = NagKind["body"];
type Outcome = NagKind["outcome"];

/** What is asked when something is to be said until it is done. */
export type NagRequest = Omit<Body, "asked" | "isDone">;

/** Who asks, and when their day is open. */
export interface NagMaking {
  readonly owner: string;
  readonly quiet: Quiet | null;
  readonly priority?: Priority;
}

/** Every nag is made here, whoever asks for it. Where it goes need not be there yet. */
export function makeNag(
  request: NagRequest,
  { owner, quiet, priority }: NagMaking,
): DraftOf<NagKind> {
  checkNag(request, priority === "high" ? null : quiet);
  const { about, at } = request;
  return {
    kind: "nag",
    body: { ...request, asked: 1 },
    outcome: unsaid(at),
    state: "active",
    wakeAt: at,
    holds: lastingHolds(owner, request),
    ...("page" in about ? { parent: pageRecordId(owner, about.page) } : {}),
    ...(priority === undefined ? {} : { priority }),
  };
}

/** Refuses what could not be said, or never would be. */
export function checkNag(
  { about, curve, target, zone, at }: NagRequest,
  quiet: Quiet | null,
): void {
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
