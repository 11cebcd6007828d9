import * as z from "zod";
import { bookOf, findRecord } from "../../../kernel/book.ts";
import { appendLimited } from "../../../kernel/holds.ts";
import { listOperation } from "../../../kernel/list-operation.ts";
import type { Column } from "../../../kernel/list-table.ts";
import { exampleId, operation } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { present } from "../../../platform/json.ts";
import { moreLine, nameColumn, textColumn, timeColumns, wordColumn } from "../../accounts/index.ts";
import { callRule } from "../ports.ts";
import { textsOf } from "../texts.ts";
import {
  makeWebhook,
  secretBytes,
  secretFrom,
  type WebhookKind,
  webhookKind,
  webhookLimit,
} from "../webhook.ts";
import { fields } from "./fields.ts";

const webhookView = z.object({
  id: z.string(),
  target: z.string().describe("the target for notifications to it"),
  url: z.string(),
  name: z.string().nullable(),
  created_at: z.string(),
});

/** Without the secret, which only the answer to its registration shows. */
function shownWebhook({
  id,
  body,
  createdAt,
}: LedgerRecord<WebhookKind>): z.infer<typeof webhookView> {
  const { url, name = null } = body;
  return { id, target: `webhook:${id}`, url, name, created_at: isoOf(createdAt) };
}

export const registerWebhook = operation({
  name: "create_webhook",
  oldNames: ["register_webhook"],
  summary: "Register a URL that messages are posted to, signed.",
  input: z.strictObject({
    url: z.string().describe("a full https URL"),
    name: z.string().max(200).optional().describe("a name for it"),
    key: fields.key,
  }),
  output: webhookView.extend({
    secret: z.string().describe("the key that signs its messages; shown only in this answer"),
    fresh: z.boolean().describe("false: an earlier request with this key wrote it"),
  }),
  effect: "adds",
  example: { url: "https://example.org/hook", name: "pager" },
  route: { method: "POST", path: "/v1/webhooks" },
  command: { name: "webhook create", aliases: ["webhook add"], positionals: ["url"] },
  async run({ url, name, key }, context) {
    const mayCall = context.use(callRule);
    if (typeof mayCall === "function") mayCall(url); // refuses now what a send would refuse
    const secret = secretFrom(context.randomBytes(secretBytes));
    const request = present({ url, name });
    const { record, fresh } = await appendLimited(bookOf(context), {
      draft: makeWebhook({ ...request, secret }),
      limit: webhookLimit,
      owner: context.owner,
      key,
      storedKey: { name: key ?? "", asked: request },
    });
    // A repeated request gets the same answer, because the first may have been lost.
    return { ...shownWebhook(record), secret: record.body.secret, fresh };
  },
  render: ({ target, secret, fresh }, { language }) =>
    textsOf(language).webhookAdded({ target, secret, isFresh: fresh }),
});

const columns: readonly Column<z.infer<typeof webhookView>>[] = [
  wordColumn("target", ({ target }) => target),
  textColumn("url", ({ url }) => url),
  nameColumn("name", ({ name }) => name),
  ...timeColumns<z.infer<typeof webhookView>>("created", (view) => view.created_at),
];

export const listWebhooks = listOperation(webhookKind, {
  plural: "webhooks",
  summary: "List webhooks: the URLs that messages can be posted to.",
  filters: {},
  example: {},
  query: () => ({ live: true, order: "oldest" }),
  next: z.string().nullable(),
  view: webhookView,
  show: shownWebhook,
  columns,
  empty: ({ language }) => textsOf(language).noWebhooks(),
  more: moreLine,
});

export const deleteWebhook = operation({
  name: "delete_webhook",
  summary: "Delete a webhook: nothing more is posted to its URL.",
  input: z.strictObject({ id: fields.id }),
  output: z.object({
    id: z.string(),
    deleted: z.boolean().describe("false: it was deleted before"),
  }),
  example: { id: exampleId },
  route: { method: "DELETE", path: "/v1/webhooks/{id}" },
  command: { name: "webhook delete", aliases: ["webhook remove"], positionals: ["id"] },
  async run({ id }, context) {
    const webhook = await findRecord(bookOf(context), webhookKind, id);
    const { result } = await bookOf(context).cancel({ id: webhook.id });
    return { id: webhook.id, deleted: result === "cancelled" };
  },
  render: (_, { language }) => textsOf(language).webhookRemoved(),
});
