import * as z from "zod";
import type { OwnerLimit } from "../../kernel/holds.ts";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";

/** A URL that messages are posted to: the target `webhook:{id}`. */
export const webhookKind = defineKind({
  name: "webhook",
  body: z.strictObject({
    url: z.string(),
    /** Signs every request: `whsec_` and base64. Shown once. */
    secret: z.string(),
    name: z.string().exactOptional(),
  }),
  outcome: z.null(),
  states: { active: [] },
});
export interface WebhookKind extends KindOf<typeof webhookKind> {}

const urlCharsMax = 2_000;
export const secretBytes = 24;

export function secretFrom(bytes: Uint8Array): string {
  if (bytes.length !== secretBytes) throw new Error(`A secret has ${secretBytes} random bytes.`);
  return `whsec_${Buffer.from(bytes).toString("base64")}`;
}

export function makeWebhook(body: WebhookKind["body"]): DraftOf<WebhookKind> {
  const url = URL.canParse(body.url) ? new URL(body.url) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || body.url.length > urlCharsMax) {
    throw new DaybookError(
      "invalid",
      "The webhook's URL must be a full http or https URL, such as https://example.org/hook.",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new DaybookError(
      "invalid",
      "The webhook's URL has a user name or a password: remove them; messages are signed instead.",
    );
  }
  return { kind: "webhook", body, state: "active" };
}

export const webhookLimit: OwnerLimit = {
  kind: "webhook",
  max: 50,
  plural: "webhooks",
  advice: "remove one first",
};
