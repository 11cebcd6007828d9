import * as z from "zod";
import type { OwnerLimit } from "../../kernel/holds.ts";
import { defineKind, type Kind, type KindOf, statesOf } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { count } from "../../kernel/schemas.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { nagKind, pageKind } from "../nags/index.ts";
import { notificationKind, recordChange } from "../notifications/index.ts";
import { scheduleKind } from "../schedules/index.ts";
import { taskKind } from "../tasks/index.ts";
import { eventKind } from "./kind.ts";
import { questionKind } from "./question.ts";

/** The kinds of records whose changes can be sent. */
export const subscribedNames = [
  "event",
  "task",
  "question",
  "notification",
  "schedule",
  "nag",
  "page",
] as const;
export type SubscribedName = (typeof subscribedNames)[number];
const mark = z
  .strictObject({
    /** The number of the first change after the cursor. */
    seq: count,
    cursor: z.string(),
  })
  .readonly();
export type Checkpoint = z.output<typeof mark>;

/** A webhook that is called for changes in the book. */
export const subscriptionKind = defineKind({
  name: "subscription",
  body: z.strictObject({
    webhook: z.string(),
    kinds: z.array(z.enum(subscribedNames)).readonly(),
    /** Empty: all states. */
    states: z.array(z.string()).readonly(),
  }),
  outcome: z.strictObject({
    /** The cursor of the feed: all changes before it were delivered. Null: the feed was not read yet. */
    cursor: z.string().nullable(),
    /** The number of the last change that was delivered. Numbers rise by one. */
    seq: count,
    /** Changes before this number are counted, and not sent again. */
    skipTo: count.exactOptional(),
    /** The batch that is being sent. */
    inFlight: z
      .strictObject({
        /** The cursor of the feed when all of the batch was delivered. */
        to: z.string(),
        seq: count,
        messages: z.array(z.strictObject({ id: z.string(), change: recordChange })).readonly(),
      })
      .readonly()
      .nullable(),
    /** Cursors of some numbers, from which the feed can be replayed. */
    checkpoints: z.array(mark).readonly(),
    /** Rises with every replay and resume: changes read for an older one are not sent. */
    generation: count,
    /** Rounds in a row in which a message was not delivered. */
    failures: count,
    reason: z.string().nullable(),
  }),
  states: { active: ["paused"], paused: ["active"] },
});
export interface SubscriptionKind extends KindOf<typeof subscriptionKind> {}
export type SubscriptionOutcome = SubscriptionKind["outcome"];

export const subscribedKinds: Readonly<Record<string, Kind>> = {
  event: eventKind,
  task: taskKind,
  question: questionKind,
  notification: notificationKind,
  schedule: scheduleKind,
  nag: nagKind,
  page: pageKind,
} satisfies Record<SubscribedName, Kind>;
export const nothingSent: SubscriptionOutcome = {
  cursor: null,
  seq: 0,
  inFlight: null,
  checkpoints: [],
  generation: 0,
  failures: 0,
  reason: null,
};

export type Subscription = Pick<
  LedgerRecord<SubscriptionKind>,
  "id" | "revision" | "body" | "outcome"
>;

export function makeSubscription(body: SubscriptionKind["body"]): DraftOf<SubscriptionKind> {
  if (body.kinds.length === 0) {
    throw new DaybookError(
      "invalid",
      `"kinds" is empty: choose from ${subscribedNames.join(", ")}.`,
    );
  }
  for (const state of body.states) {
    if (body.kinds.some((name) => hasState(name, state))) continue;
    const sentence = `${quote(state)} is not a state of any ${body.kinds.join(" or ")}: give states that they have.`;
    throw new DaybookError("invalid", sentence);
  }
  return { kind: "subscription", body, state: "active", wakeAt: 0 };
}

function hasState(name: string, state: string): boolean {
  const kind = subscribedKinds[name];
  return kind !== undefined && statesOf(kind).includes(state);
}

export const subscriptionLimit: OwnerLimit = {
  kind: "subscription",
  max: 20,
  plural: "subscriptions",
  advice: "delete one first",
};
