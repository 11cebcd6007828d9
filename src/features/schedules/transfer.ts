import { slotsMax } from "../../kernel/holds.ts";
import { transferPart } from "../../kernel/transfer.ts";
import type { Hold } from "../../kernel/unit.ts";
import type { Slot } from "../tasks/index.ts";
import { checkSchedule } from "./draft.ts";
import { nameHold, queuedHold, scheduleSlot } from "./holds.ts";
import { scheduleKind } from "./kind.ts";
import { madeHolds } from "./made-by-run.ts";
import { factsIn, limitRefusal } from "./operations/limits.ts";

export const transferSchedule = transferPart({
  kind: scheduleKind,
  withoutSecrets(body) {
    if (!("http" in body.run)) return body;
    const { secret: _, ...run } = body.run;
    return { ...body, run };
  },
  withSecret(body, secret) {
    const { run } = (body ?? {}) as { readonly run?: unknown };
    if (typeof run !== "object" || run === null || !("http" in run)) return body;
    return { ...(body as object), run: { ...run, secret } };
  },
  check: ({ body }) => checkSchedule(body),
  holds({ body }, context) {
    const { owner, limit } = factsIn(context, context.now());
    const made = madeHolds(owner, body, true);
    return [...made, scheduleSlot(owner, Math.min(limit, slotsMax)), nameHold(owner, body.name)];
  },
  refusal(error, { body: { name } }, context) {
    const { limit } = factsIn(context, context.now());
    return limitRefusal(error, { name, limit });
  },
});

/** A run that waits behind another one holds the place for it. One that was queued elsewhere is not refused here. */
export function queuedHolds(task: {
  readonly id: string;
  readonly body: { readonly slot?: Slot };
}): readonly Hold[] {
  const { slot } = task.body;
  if (slot === undefined || slot.because !== "cadence") return [];
  const queued = queuedHold(slot.schedule);
  return [{ oneOf: [queued, `${queued}#${task.id}`] }];
}
