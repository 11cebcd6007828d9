import * as z from "zod";
import { bookOf, recordOf } from "../../../kernel/book.ts";
import type { Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { quote } from "../../../platform/text.ts";
import { webhookKind } from "../../notifications/index.ts";
import {
  subscribedNames,
  nothingSent,
  type SubscribedName,
  type SubscriptionKind,
} from "../subscription.ts";

export const subscriptionView = z.object({
  id: z.string(),
  url: z.string(),
  kinds: z.array(z.enum(subscribedNames)),
  states: z.array(z.string()).describe("empty: all states"),
  state: z.enum(["active", "paused", "cancelled"]),
  seq: z.number().describe("the number of the last change that was delivered"),
  reason: z.string().nullable().describe("why the last change was not delivered"),
  created_at: z.string(),
});

export async function shownSubscription(
  { id, body, state, outcome, createdAt }: LedgerRecord<SubscriptionKind>,
  context: Context,
): Promise<z.infer<typeof subscriptionView>> {
  const webhook = await recordOf(bookOf(context), webhookKind, body.webhook);
  const { seq, reason } = outcome ?? nothingSent;
  return {
    id,
    url: webhook?.body.url ?? "",
    kinds: [...body.kinds],
    states: [...body.states],
    state,
    seq,
    reason,
    created_at: isoOf(createdAt),
  };
}

/** A list, or one text with commas. */
export const textList = z.union([z.array(z.string()), z.string()]);

export function readList(given: z.infer<typeof textList> | undefined): readonly string[] {
  const parts = typeof given === "string" ? given.split(",") : (given ?? []);
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ""))];
}

export function readKinds(given: z.infer<typeof textList> | undefined): readonly SubscribedName[] {
  return readList(given).map((name) => {
    const kind = subscribedNames.find((each) => each === name);
    if (kind !== undefined) return kind;
    const sentence = `${quote(name)} is not a kind of record that can be subscribed to. Choose from: ${subscribedNames.join(", ")}.`;
    throw new DaybookError("invalid", sentence);
  });
}
