import type { Written } from "../../kernel/controller.ts";
import type { Events } from "../../kernel/events.ts";
import { isoOr } from "../../platform/iso-time.ts";
import { type NagKind, nagOutcome } from "./kind.ts";
import type { NagObservation } from "./plan.ts";

type Step = Events["alarm"];

/** What a written verdict did to a nag, for the log. */
export function stepsOf({
  record,
  verdict,
  observed,
}: Written<NagKind, NagObservation>): readonly Step[] {
  const before = nagOutcome(record);
  const { outcome: after = before, consequences } = verdict;
  const nag = { id: record.id, count: before.count, nextAt: isoOr(after.nextAt) };
  const steps: Step[] = [];
  if (after.count > before.count) {
    steps.push({ ...nag, step: "sent", notificationId: after.lastReceiptId });
  }
  if (after.failures > before.failures)
    steps.push({ ...nag, step: "retried", error: after.reason });
  const tries = observed?.held.length ?? 0;
  if (tries > 0) steps.push({ ...nag, step: "conflict resolved", tries });
  const isSent = consequences?.append?.some(({ kind }) => kind === "notification") ?? false;
  if (isSent) steps.push({ ...nag, step: "due" });
  return steps;
}
