import type { Context } from "../../kernel/operation.ts";
import { type Transferred, transferPart } from "../../kernel/transfer.ts";
import { DaybookError } from "../../platform/errors.ts";
import { minuteOf } from "./free-minute.ts";
import { minuteHold } from "./holds.ts";
import { checkNag, lastingHolds, type NagKind, nagKind } from "./kind.ts";
import { pageKind, pageRecordId } from "./page.ts";
import { isComputed } from "./plan.ts";
import { slotsLike } from "./quota.ts";

export const transferNag = transferPart({
  kind: nagKind,
  check: ({ body }) => checkNag(body, null),
  prepare: inFreeSlots,
  holds(record, { owner }) {
    const { id, body, state, outcome } = record;
    const names = lastingHolds(owner, body);
    if (state !== "active" || outcome === null || outcome.nextAt === null) return names;
    if (!isComputed(outcome)) return names;
    // A minute that another nag has here is no reason to refuse this one: its next time has a minute of its own again.
    const minute = minuteHold(owner, minuteOf(outcome.nextAt));
    return [...names, { oneOf: [minute, `${minute}#${id}`] }];
  },
});

export const transferPage = transferPart({
  kind: pageKind,
  check({ id, body: { pageId } }, { owner }) {
    if (id === pageRecordId(owner, pageId)) return;
    throw new DaybookError(
      "invalid",
      `The id of the page "${pageId}" is not this one: export it again.`,
    );
  },
});

/** The slots of their first book may be taken here. */
async function inFreeSlots(
  records: readonly Transferred<NagKind>[],
  context: Context,
): Promise<readonly Transferred<NagKind>[]> {
  const live = records.filter(({ endedAt }) => endedAt === null);
  const slots = (
    await slotsLike(
      live.flatMap(({ body }) => body.quotaSlot ?? []),
      context,
    )
  ).values();
  return records.map((record) => {
    const { body, endedAt } = record;
    if (endedAt !== null || body.quotaSlot === undefined) return record;
    return { ...record, body: { ...body, quotaSlot: slots.next().value ?? body.quotaSlot } };
  });
}
