import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
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
  states: z.array(z.string()).describe("empty: all"),
  state: z.enum(["active", "paused", "cancelled"]),
  seq: z.number().describe("the number of the last change that arrived"),
  reason: z.string().nullable().describe("why the last one did not arrive"),
  created_at: z.string(),
});
export type SubscriptionView = z.infer<typeof subscriptionView>;

export async function shownSubscription(
  book: Book,
  { id, body, state, outcome, createdAt }: LedgerRecord<SubscriptionKind>,
): Promise<SubscriptionView> {
  const webhook = await book.get(body.webhook);
  const { seq, reason } = outcome ?? nothingSent;
  return {
    id,
    url: is(webhookKind, webhook) ? webhook.body.url : "",
    kinds: [...body.kinds],
    states: [...body.states],
    state,
    seq,
    reason,
    created_at: isoOf(createdAt),
  };
}

/** A list, or the same in one text. */
export const listed = z.union([z.array(z.string()), z.string()]);

export function readList(given: z.infer<typeof listed> | undefined): readonly string[] {
  const parts = typeof given === "string" ? given.split(",") : (given ?? []);
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ""))];
}

export function readKinds(given: z.infer<typeof listed> | undefined): readonly SubscribedName[] {
  return readList(given).map((kind) => {
    const known = subscribedNames.find((each) => each === kind);
    if (known !== undefined) return known;
    const choices = subscribedNames.join(", ");
    throw new DaybookError(
      "invalid",
      `Nobody can hear of ${quote(kind)}: name some of ${choices}.`,
    );
  });
}
