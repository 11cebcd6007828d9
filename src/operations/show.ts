import * as z from "zod";
import { harmless } from "../rules/text.ts";
import { textsOf } from "../rules/texts/texts.ts";
import { fields } from "./fields.ts";
import { lookOf, notificationView, shown } from "./notification-view.ts";
import { operation } from "./operation.ts";
import { bookOf, find } from "./own-book.ts";

export const show = operation({
  name: "get_notification",
  words: "Show one notification, whole.",
  input: z.strictObject({ id: fields.id }),
  output: notificationView,
  aliases: { notification_id: "id" },
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/notifications/{id}" },
  command: { name: "show", positionals: ["id"] },
  tool: "always",
  run: async ({ id }, context) =>
    shown(await find(bookOf(context), "notification", id), lookOf(context)),
  say({ id, state, due, target, message }, { language }) {
    const texts = textsOf(language);
    const head = texts.headline({ kind: "notification", id, state, when: due.text, target });
    return `${head}\n\n${harmless(message)}`;
  },
});
