import * as z from "zod";
import { defineKind, isLive, type KindOf } from "../../kernel/kind.ts";
import type { Claimed, LedgerRecord, Priority } from "../../kernel/record.ts";
import { count, moment } from "../../kernel/schemas.ts";
import { parseTarget, target } from "../../kernel/target.ts";
import type { DraftOf, Hold } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { zone } from "../../time/settings.ts";
import { checkZone } from "../../time/zone.ts";
import type { Quiet } from "../accounts/index.ts";
import { messageCharsMax, routeReason } from "../notifications/index.ts";
import { checkCurve, curve } from "./curve.ts";
import { nagPageHold, nagSlotHold } from "./holds.ts";
import { hasOpenTime } from "./open-hours.ts";
import { pageRecordId } from "./page.ts";

/** A message that is sent again and again, along a curve, until it is marked done. */
export const nagKind = defineKind({
  name: "nag",
  body: z.strictObject({
    /** A page, by its client's id, whose text is read at each send; or a text. */
    about: z.union([z.strictObject({ page: z.string() }), z.strictObject({ text: z.string() })]),
    /** The curve's name, and the curve as it was at the time of the request. */
    curveName: z.string(),
    curve,
    target,
    targetReason: routeReason.optional(),
    origin: z.string().nullable(),
    /** The time that a person requested last: the first send, a snooze or a resume. */
    at: moment,
    /** That time as it was typed. */
    atText: z.string(),
    /** Counts the requests for a time: a plan in the outcome that belongs to an older one is void. */
    asked: count,
    /** Marked done during a lease: its holder ends it. */
    isDone: z.literal(true).optional(),
    /** Absent: the owner's zone. */
    zone: zone.optional(),
    /** The slot that it takes of the owner's limit; absent where no limit applied. */
    quotaSlot: z.int().optional(),
    /** The id that a syncing client gave it. */
    alarmId: z.string().optional(),
  }),
  outcome: z.strictObject({
    /** The `asked` that this plan belongs to. */
    asked: count,
    /** The number of the next message, from 1; it never falls. */
    count,
    /** The number of the last notification, whether it was delivered or not. */
    round: count,
    /** When the next message is due; null while one is being sent, and while paused. */
    nextAt: moment.nullable(),
    /** What the curve counted `nextAt` from: time, message number, zone; null: a person requested that time. */
    counted: z.strictObject({ from: moment, number: count, zone }).nullable(),
    /** The notification that is being sent. */
    saying: z.string().nullable(),
    /** The notification that a newer request cancelled in flight: it counts if it is delivered nevertheless. */
    recalled: z.string().optional(),
    /** The last notification that was delivered, and its channel's id of that message. */
    lastDelivered: z.string().nullable(),
    lastReceiptId: z.string().nullable(),
    /** How many sends in a row failed, and why the last one did. */
    failures: count,
    reason: z.string().nullable(),
  }),
  states: { active: ["paused", "done"], paused: ["active", "done"] },
});
export interface NagKind extends KindOf<typeof nagKind> {}

export type Nag = LedgerRecord<NagKind>;
export type ClaimedNag = Claimed<NagKind>;

type Body = NagKind["body"];
type Outcome = NagKind["outcome"];

/** What a caller gives for a new nag. */
export type NagRequest = Omit<Body, "asked" | "isDone">;

export interface NagOwner {
  readonly owner: string;
  readonly quiet: Quiet | null;
  readonly priority?: Priority | undefined;
}

/** The only way to make a nag. Its target need not be reachable yet. */
export function makeNag(
  request: NagRequest,
  { owner, quiet, priority }: NagOwner,
): DraftOf<NagKind> {
  checkNag(request, priority === "high" ? null : quiet);
  const { about, at } = request;
  return {
    kind: "nag",
    body: { ...request, asked: 1 },
    outcome: initialOutcome(at),
    state: "active",
    wakeAt: at,
    holds: lastingHolds(owner, request),
    parent: "page" in about ? pageRecordId(owner, about.page) : undefined,
    priority,
  };
}

/** Refuses a nag that could not be sent, or never would be. */
export function checkNag(
  { about, curve, target, zone, at }: NagRequest,
  quiet: Quiet | null,
): void {
  if ("text" in about && about.text.trim() === "") {
    throw new DaybookError("invalid", "The text is empty: give the text to send.");
  }
  if ("text" in about && about.text.length > messageCharsMax) {
    const sentence = `The text has ${about.text.length} characters, over the limit of ${messageCharsMax}: shorten it, or send a link.`;
    throw new DaybookError("too_large", sentence);
  }
  if (!Number.isSafeInteger(at))
    throw new DaybookError("invalid", `"at" is not a valid time: got ${at}.`);
  parseTarget(target);
  if (zone !== undefined) checkZone(zone);
  checkCurve(curve);
  if (hasOpenTime(curve.sleep, quiet)) return;
  throw new DaybookError(
    "invalid",
    "The curve's sleep and the quiet hours leave no time of day to send: shorten one of them.",
  );
}

function initialOutcome(nextAt: number): Outcome {
  return {
    asked: 1,
    count: 1,
    round: 0,
    nextAt,
    counted: null,
    saying: null,
    lastDelivered: null,
    lastReceiptId: null,
    failures: 0,
    reason: null,
  };
}

/** The outcome. A record that another program wrote may have none yet. */
export function nagOutcome({ body, outcome }: Nag): Outcome {
  return outcome ?? { ...initialOutcome(body.at), asked: body.asked };
}

/** A cancel or a "done" shows at once, though the holder of the lease has yet to end the record. */
export function stateOf({ state, body, endedAt, cancelling }: Nag): Nag["state"] {
  if (endedAt !== null) return state;
  if (cancelling) return "cancelled";
  return body.isDone === true ? "done" : state;
}

export function hasEnded(nag: Nag): boolean {
  return !isLive(nagKind, stateOf(nag));
}

/** When it is sent next; null while no time is planned. */
export function nextOf(nag: Nag): number | null {
  const { asked, nextAt } = nagOutcome(nag);
  if (stateOf(nag) !== "active") return null;
  // A plan for an older request is void.
  return asked === nag.body.asked ? nextAt : nag.body.at;
}

/** The holds of a nag for as long as it lives. */
export function lastingHolds(
  owner: string,
  { about, quotaSlot }: Pick<Body, "about" | "quotaSlot">,
): readonly Hold[] {
  return [
    ...("page" in about ? [nagPageHold(owner, about.page)] : []),
    ...(quotaSlot === undefined ? [] : [nagSlotHold(owner, quotaSlot)]),
  ];
}
