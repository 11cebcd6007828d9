import { createHash } from "node:crypto";
import type { DraftOf, EditOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import {
  makeNotification,
  type NotificationKind,
  type RecordChange,
} from "../notifications/index.ts";
import {
  type SubscriptionKind,
  type SubscriptionOutcome,
  type Checkpoint,
  nothingSent,
  type Subscription,
} from "./subscription.ts";

const checkpointsMax = 100;

/** Changes between two checkpoints, at least. */
const checkpointEvery = 100;

/** Resumes a subscription: undelivered changes are sent again at once. */
export function resumeUnit(
  subscription: Subscription,
  now: number,
): { edit: EditOf<SubscriptionKind>; append: readonly DraftOf<NotificationKind>[] } {
  const { id, revision, outcome } = subscription;
  const before = outcome ?? nothingSent;
  const fresh = { ...before, failures: 0, reason: null, generation: before.generation + 1 };
  const { messages, append } = batchOf(subscription, fresh, before.inFlight?.messages ?? [], now);
  const inFlight = before.inFlight && { ...before.inFlight, messages };
  return {
    edit: {
      kind: "subscription",
      id,
      ifRevision: revision,
      state: "active",
      wakeAt: 0,
      outcome: { ...fresh, inFlight },
    },
    append,
  };
}

/** Sends all changes from this number on again, under the same numbers. */
export function replayFrom(subscription: Subscription, from: number): EditOf<SubscriptionKind> {
  const { checkpoints, generation, inFlight, seq: arrived } = subscription.outcome ?? nothingSent;
  const last = inFlight?.seq ?? arrived;
  const mark = checkpoints.findLast(({ seq }) => seq <= from);
  if (from > last) {
    const sentence = `There is no change ${from} yet: the last one is ${last}.`;
    throw new DaybookError("invalid", sentence);
  }
  if (mark === undefined) {
    const first = checkpoints[0]?.seq ?? 1;
    const sentence = `Changes before ${first} cannot be replayed any more: start at ${first} or later.`;
    throw new DaybookError("invalid", sentence);
  }
  return {
    kind: "subscription",
    id: subscription.id,
    ifRevision: subscription.revision,
    state: "active",
    wakeAt: 0,
    outcome: {
      ...nothingSent,
      cursor: mark.cursor,
      seq: mark.seq - 1,
      skipTo: from,
      checkpoints: checkpoints.filter(({ seq }) => seq <= mark.seq),
      generation: generation + 1,
    },
  };
}

/** The form of the id of a change's message; no other record has such an id. */
const messageShape = /^chg-[0-9a-f]{32}$/;

export function isChangeMessage(id: string): boolean {
  return messageShape.test(id);
}

type InFlight = NonNullable<SubscriptionOutcome["inFlight"]>["messages"];

/** New messages for these changes: as they are in flight, and as they are written. */
export function batchOf(
  { id, body }: Pick<Subscription, "id" | "body">,
  outcome: SubscriptionOutcome,
  changes: readonly Pick<InFlight[number], "change">[],
  at: number,
): { messages: InFlight; append: readonly DraftOf<NotificationKind>[] } {
  const messages = changes.map(({ change }) => ({
    id: messageId(id, outcome, change.seq),
    change,
  }));
  return { messages, append: messages.map((each) => changeMessage(body.webhook, each, at)) };
}

/** Another id in every generation and after every failure, so that the change is sent again. */
function messageId(
  subscription: string,
  { generation, failures }: Pick<SubscriptionOutcome, "generation" | "failures">,
  seq: number,
): string {
  const name = `${subscription}:${generation}:${failures}:${seq}`;
  return `chg-${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;
}

/** The message of one change. Its end wakes the subscription. */
export function changeMessage(
  webhook: string,
  { id, change }: { id: string; change: RecordChange },
  at: number,
): DraftOf<NotificationKind> {
  const message = `#${change.seq} ${change.kind} ${change.id}: ${change.state}`;
  const draft = makeNotification({
    message,
    at,
    atText: "now",
    target: `webhook:${webhook}`,
    origin: null,
    type: "notice",
    wakesParent: true,
    change,
  });
  return { ...draft, id };
}

export function withCheckpoint(
  checkpoints: readonly Checkpoint[],
  next: Checkpoint,
): readonly Checkpoint[] {
  const last = checkpoints.at(-1);
  if (last !== undefined && next.seq < last.seq + checkpointEvery) return checkpoints;
  return [...checkpoints, next].slice(-checkpointsMax);
}
