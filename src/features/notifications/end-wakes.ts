import type { Claimed } from "../../kernel/record.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import { endWakes, type NotificationKind } from "./kind.ts";

/** What it follows from hears of its end in the unit that writes it. One that is cancelled ends either way. */
export function wakingCause(
  verdict: Verdict<NotificationKind>,
  record: Claimed<NotificationKind>,
): Verdict<NotificationKind> {
  const { wake } = endWakes(record);
  if (wake === undefined || !("ends" in verdict || record.cancelling)) return verdict;
  const { consequences } = verdict;
  return {
    ...verdict,
    consequences: { ...consequences, wake: [...(consequences?.wake ?? []), ...wake] },
  };
}
