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

/** It goes on from where it was told: what did not arrive is told at once. */
export function resumes(
  { id, revision, outcome, body }: Subscription,
  now: number,
): { edit: EditOf<SubscriptionKind>; append: readonly DraftOf<NotificationKind>[] } {
  const before = outcome ?? nothingSent;
  const fresh = { ...before, failures: 0, reason: null, generation: before.generation + 1 };
  const changes = before.inFlight?.messages.map(({ change }) => change) ?? [];
  const messages = changes.map((change) => ({ id: messageId(id, fresh, change.seq), change }));
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
    append: messages.map((each) => changeMessage(body.webhook, each, now)),
  };
}

/** All from this number on is told again, under the same numbers. */
export function replays(subscription: Subscription, from: number): EditOf<SubscriptionKind> {
  const seen = subscription.outcome ?? nothingSent;
  const { checkpoints, generation } = seen;
  const told = seen.inFlight?.seq ?? seen.seq;
  const mark = checkpoints.findLast(({ seq }) => seq <= from);
  if (from > told) {
    throw new DaybookError("invalid", `Only ${told} changes were told so far: name one of those.`);
  }
  if (mark === undefined) {
    const first = checkpoints[0]?.seq ?? 1;
    throw new DaybookError("invalid", `It is not known any more what was told before ${first}.`);
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

/** Of a message that tells a change: no other has such a name. */
const messageShape = /^chg-[0-9a-f]{32}$/;

export function isChangeMessage(id: string): boolean {
  return messageShape.test(id);
}

/** Another one in every generation and after every failure, so that it is told anew. */
export function messageId(
  subscription: string,
  { generation, failures }: Pick<SubscriptionOutcome, "generation" | "failures">,
  seq: number,
): string {
  const name = `${subscription}:${generation}:${failures}:${seq}`;
  return `chg-${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;
}

/** Its end wakes the subscription. */
export function changeMessage(
  webhook: string,
  { id, change }: { id: string; change: RecordChange },
  at: number,
): DraftOf<NotificationKind> {
  const message = `#${change.seq} ${change.kind} ${change.id}: ${change.state}`;
  const said = { message, at, atText: "now", target: `webhook:${webhook}`, origin: null } as const;
  return { ...makeNotification({ ...said, type: "notice", wakesParent: true, change }), id };
}

export function withCheckpoint(
  checkpoints: readonly Checkpoint[],
  next: Checkpoint,
): readonly Checkpoint[] {
  const last = checkpoints.at(-1);
  if (last !== undefined && next.seq < last.seq + checkpointEvery) return checkpoints;
  return [...checkpoints, next].slice(-checkpointsMax);
}
