import type { Claimed } from "../../kernel/record.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import { endWakes } from "./kind.ts";

/** What it follows from hears of its end in the unit that writes it. One that is cancelled ends either way. */
export function wakingCause(
  verdict: Verdict<"notification">,
  record: Claimed<"notification">,
): Verdict<"notification"> {
  const { wake } = endWakes(record);
  if (wake === undefined || !("ends" in verdict || record.cancelling)) return verdict;
  const { follows } = verdict;
  return { ...verdict, follows: { ...follows, wake: [...(follows?.wake ?? []), ...wake] } };
}
