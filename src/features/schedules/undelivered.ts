import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { Consequences, EditOf } from "../../kernel/unit.ts";
import { oneLine } from "../../platform/text.ts";
import {
  type DeliveryEnd,
  type DeliveryHook,
  deliveryHook,
  inboxOf,
  makeNotification,
} from "../notifications/index.ts";
import { taskKind } from "../tasks/index.ts";
import { type ScheduleKind, scheduleKind } from "./kind.ts";
import { outcomeOf, rescheduled } from "./next-fire.ts";
import { textsOf } from "./texts.ts";

/** Runs in a row whose output cannot be delivered, until the schedule is paused. */
export const undeliverableDefault = 5;

type Read = { readonly schedule: LedgerRecord<ScheduleKind> | undefined };

const reasonCharsMax = 300;

/** Counts the runs whose output could not be delivered in their schedule, and pauses it when there are too many. */
export function scheduleDelivery(ledger: Ledger, undeliverableMax: () => number): DeliveryHook {
  return deliveryHook<Read>({
    applies: ({ body, parent }) => body.type === "run" && parent !== null,
    async read({ owner, by, parent, body }) {
      const book = ledger.of(owner, by);
      const run = await book.get(parent ?? "");
      const id = is(taskKind, run) ? run.body.slot?.schedule : undefined;
      const found = id === undefined ? undefined : await book.get(id);
      const isLive = is(scheduleKind, found) && found.endedAt === null;
      // A message to an earlier target says nothing of the current one.
      return { schedule: isLive && found.body.target === body.target ? found : undefined };
    },
    finish: ({ read, ...end }) =>
      read.schedule === undefined ? {} : countDelivery(read.schedule, undeliverableMax(), end),
  });
}

/** The edit of a schedule after the output of one of its runs was sent, or could not be. */
function countDelivery(
  schedule: LedgerRecord<ScheduleKind>,
  most: number,
  end: Omit<DeliveryEnd<unknown>, "read">,
): Consequences {
  const before = outcomeOf(schedule);
  const { undelivered } = before;
  const edit = { kind: "schedule", id: schedule.id, ifRevision: schedule.revision } as const;
  if (end.state === "delivered") {
    if (undelivered === undefined) return {};
    return { edit: [{ ...edit, outcome: { ...before, undelivered: undefined } }] };
  }
  if (end.state !== "failed") return {};
  const reason = oneLine(end.reason ?? "", reasonCharsMax);
  const count = (undelivered?.count ?? 0) + 1;
  const outcome = { ...before, undelivered: { count, reason } };
  if (most === 0 || count < most || schedule.state !== "active") {
    return { edit: [{ ...edit, outcome }] };
  }
  return paused(schedule, { ...edit, outcome }, { ...end, count, reason });
}

function paused(
  schedule: LedgerRecord<ScheduleKind>,
  edit: EditOf<ScheduleKind> & { outcome: ReturnType<typeof outcomeOf> },
  { count, reason, reader, now }: Pick<DeliveryEnd<unknown>, "reader" | "now"> & Count,
): Consequences {
  const { owner, body } = schedule;
  const outcome = { ...edit.outcome, reason: `the output of ${count} runs was not delivered` };
  const { name, target } = body;
  const message = textsOf(reader.language).wasPaused({ name, count, target, reason });
  const notice = makeNotification({
    message,
    at: now,
    atText: "now",
    target: inboxOf(owner),
    origin: null,
    type: "notice",
  });
  const pause = rescheduled({ state: "paused", outcome }, body.cadence);
  return { append: [notice], edit: [{ ...edit, ...pause }] };
}

interface Count {
  readonly count: number;
  readonly reason: string;
}
