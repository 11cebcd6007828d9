import { createHash } from "node:crypto";
import type { OwnerLimit } from "../../kernel/holds.ts";
import { defineKind, type Kind, statesOf } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf, EditOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { nagKind } from "../nags/kind.ts";
import { pageKind } from "../nags/page.ts";
import {
  makeNotification,
  type NotificationKind,
  notificationKind,
} from "../notifications/kind.ts";
import { scheduleKind } from "../schedules/kind.ts";
import { taskKind } from "../tasks/kind.ts";
import { eventKind } from "./kind.ts";
import { questionKind } from "./question.ts";

/** Somebody who hears of changes, by a webhook. */
export interface SubscriptionKind {
  name: "subscription";
  body: {
    webhook: string;
    kinds: readonly SubscribedName[];
    /** Empty: all. */
    states: readonly string[];
  };
  outcome: SubscriptionOutcome;
  live: "active" | "paused";
  end: "cancelled";
}

export const subscriptionKind: Kind<SubscriptionKind> = defineKind({
  name: "subscription",
  states: { active: ["paused"], paused: ["active"] },
});

export interface SubscriptionOutcome {
  /** Up to where the feed was told: all before it has arrived. Null: nothing was looked at yet. */
  toldTo: string | null;
  /** The number of the last change that was told. They rise by one. */
  seq: number;
  /** Changes before this number are counted, and not told again. */
  skipTo?: number;
  /** What is being told now. */
  telling: Telling | null;
  /** Where some numbers stand in the feed, so that it can be told again from there. */
  marks: readonly Mark[];
  /** Rises with every asking to tell again: what was read for an older one is not told. */
  asking: number;
  /** Rounds in a row in which something did not arrive. */
  failures: number;
  reason: string | null;
}

interface Telling {
  /** Up to where the feed is told when all of it has arrived. */
  readonly to: string;
  readonly seq: number;
  /** The messages that tell it, and what each tells. */
  readonly messages: readonly { readonly id: string; readonly change: ToldChange }[];
}

export interface Mark {
  /** The number of the first change after the place. */
  readonly seq: number;
  readonly place: string;
}

/** A change as a program is told of it. */
export interface ToldChange {
  kind: string;
  /** Of the record. */
  id: string;
  state: string;
  seq: number;
  /** UTC epoch milliseconds. */
  at: number;
}

/** What can be heard of: what people ask for, and what comes of it. */
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
export const subscribedKinds: Readonly<Record<string, Kind>> = {
  event: eventKind,
  task: taskKind,
  question: questionKind,
  notification: notificationKind,
  schedule: scheduleKind,
  nag: nagKind,
  page: pageKind,
} satisfies Record<SubscribedName, Kind>;

const marksMax = 100;
/** Changes between two marks, at least. */
const marksApart = 100;

export const untold: SubscriptionOutcome = {
  toldTo: null,
  seq: 0,
  telling: null,
  marks: [],
  asking: 0,
  failures: 0,
  reason: null,
};

type Subscription = Pick<LedgerRecord<SubscriptionKind>, "id" | "revision" | "body" | "outcome">;

export function makeSubscription(body: SubscriptionKind["body"]): DraftOf<SubscriptionKind> {
  if (body.kinds.length === 0) {
    throw new DaybookError("invalid", `Name one kind at least: ${subscribedNames.join(", ")}.`);
  }
  for (const state of body.states) {
    if (body.kinds.some((name) => hasState(name, state))) continue;
    const sentence = `No ${body.kinds.join(" or ")} is ever ${quote(state)}: name states that they have.`;
    throw new DaybookError("invalid", sentence);
  }
  return { kind: "subscription", body, state: "active", wakeAt: 0 };
}

function hasState(name: string, state: string): boolean {
  const kind = subscribedKinds[name];
  return kind !== undefined && statesOf(kind).includes(state);
}

/** It goes on from where it was told: what did not arrive is told at once. */
export function resumes(
  { id, revision, outcome, body }: Subscription,
  now: number,
): { edit: EditOf<SubscriptionKind>; append: readonly DraftOf<NotificationKind>[] } {
  const before = outcome ?? untold;
  const fresh = { ...before, failures: 0, reason: null, asking: before.asking + 1 };
  const changes = before.telling?.messages.map(({ change }) => change) ?? [];
  const messages = changes.map((change) => ({ id: messageId(id, fresh, change.seq), change }));
  const telling = before.telling && { ...before.telling, messages };
  return {
    edit: {
      kind: "subscription",
      id,
      ifRevision: revision,
      state: "active",
      wakeAt: 0,
      outcome: { ...fresh, telling },
    },
    append: messages.map((each) => changeMessage(body.webhook, each, now)),
  };
}

/** All from this number on is told again, under the same numbers. */
export function replays(subscription: Subscription, from: number): EditOf<SubscriptionKind> {
  const seen = subscription.outcome ?? untold;
  const { marks, asking } = seen;
  const told = seen.telling?.seq ?? seen.seq;
  const mark = marks.findLast(({ seq }) => seq <= from);
  if (from > told) {
    throw new DaybookError("invalid", `Only ${told} changes were told so far: name one of those.`);
  }
  if (mark === undefined) {
    const first = marks[0]?.seq ?? 1;
    throw new DaybookError("invalid", `It is not known any more what was told before ${first}.`);
  }
  return {
    kind: "subscription",
    id: subscription.id,
    ifRevision: subscription.revision,
    state: "active",
    wakeAt: 0,
    outcome: {
      ...untold,
      toldTo: mark.place,
      seq: mark.seq - 1,
      skipTo: from,
      marks: marks.filter(({ seq }) => seq <= mark.seq),
      asking: asking + 1,
    },
  };
}

/** Of a message that tells a change: no other has such a name. */
const messageShape = /^chg-[0-9a-f]{32}$/;

export function isChangeMessage(id: string): boolean {
  return messageShape.test(id);
}

/** Another one in every asking and after every failure, so that it is told anew. */
export function messageId(
  subscription: string,
  { asking, failures }: Pick<SubscriptionOutcome, "asking" | "failures">,
  seq: number,
): string {
  const name = `${subscription}:${asking}:${failures}:${seq}`;
  return `chg-${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;
}

/** Its end wakes the subscription. */
export function changeMessage(
  webhook: string,
  { id, change }: { id: string; change: ToldChange },
  at: number,
): DraftOf<NotificationKind> {
  const message = `#${change.seq} ${change.kind} ${change.id}: ${change.state}`;
  const said = { message, at, atText: "now", target: `webhook:${webhook}`, origin: null } as const;
  return { ...makeNotification({ ...said, type: "notice", wakesParent: true, change }), id };
}

export function marked(marks: readonly Mark[], next: Mark): readonly Mark[] {
  const last = marks.at(-1);
  if (last !== undefined && next.seq < last.seq + marksApart) return marks;
  return [...marks, next].slice(-marksMax);
}

export const subscriptionLimit: OwnerLimit = {
  kind: "subscription",
  max: 20,
  plural: "subscriptions",
  advice: "delete one first",
};
