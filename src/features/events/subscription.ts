import { createHash } from "node:crypto";
import type { Kind } from "../../kernel/kinds.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { isEnd, isLive } from "../../kernel/states.ts";
import type { DraftOf, EditOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { makeNotification } from "../notifications/kind.ts";

/** Somebody who hears of changes, by a webhook. */
export interface SubscriptionKind {
  body: {
    webhook: string;
    kinds: readonly SubscribedKind[];
    /** Empty: all. */
    states: readonly string[];
  };
  outcome: SubscriptionOutcome;
  live: "active" | "paused";
  end: "cancelled";
}

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
export const subscribedKinds = [
  "event",
  "task",
  "question",
  "notification",
  "schedule",
  "nag",
  "page",
] as const satisfies readonly Kind[];
export type SubscribedKind = (typeof subscribedKinds)[number];

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

type Subscription = Pick<LedgerRecord<"subscription">, "id" | "revision" | "body" | "outcome">;

export function makeSubscription(body: SubscriptionKind["body"]): DraftOf<"subscription"> {
  if (body.kinds.length === 0) {
    throw new DaybookError("invalid", `Name one kind at least: ${subscribedKinds.join(", ")}.`);
  }
  for (const state of body.states) {
    if (body.kinds.some((kind) => isLive(kind, state) || isEnd(kind, state))) continue;
    const sentence = `No ${body.kinds.join(" or ")} is ever ${quote(state)}: name states that they have.`;
    throw new DaybookError("invalid", sentence);
  }
  return { kind: "subscription", body, state: "active", wakeAt: 0 };
}

/** It goes on from where it was told: what did not arrive is told at once. */
export function resumes(
  { id, revision, outcome, body }: Subscription,
  now: number,
): { edit: EditOf<"subscription">; append: readonly DraftOf<"notification">[] } {
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
export function replays(subscription: Subscription, from: number): EditOf<"subscription"> {
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
): DraftOf<"notification"> {
  const message = `#${change.seq} ${change.kind} ${change.id}: ${change.state}`;
  const said = { message, at, atText: "now", target: `webhook:${webhook}`, origin: null } as const;
  return { ...makeNotification({ ...said, type: "notice", wakes: true, change }), id };
}

export function marked(marks: readonly Mark[], next: Mark): readonly Mark[] {
  const last = marks.at(-1);
  if (last !== undefined && next.seq < last.seq + marksApart) return marks;
  return [...marks, next].slice(-marksMax);
}
