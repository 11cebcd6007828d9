import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import { harmless } from "../../../platform/text.ts";
import { momentOptions } from "../../accounts/moment-view.ts";
import { notificationKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { fields } from "./fields.ts";
import { partInputs, partly, partViews } from "./long-texts.ts";
import { notificationView, shown } from "./view.ts";

export const show = operation({
  name: "get_notification",
  summary: "Show one notification, whole.",
  input: z.strictObject({ id: fields.id, ...partInputs }),
  output: notificationView.extend(partViews),
  aliases: { notification_id: "id" },
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/notifications/{id}" },
  command: { name: "show", positionals: ["id"] },
  tool: "always",
  async run({ id, ...asked }, context) {
    const record = await find(bookOf(context), notificationKind, id);
    const { view, part } = partly(shown(record, momentOptions(context)), asked);
    return { ...view, ...part };
  },
  render({ id, state, due, target, target_because: because, message }, { language }) {
    const texts = textsOf(language);
    const head = texts.headline({ kind: "notification", id, state, when: due.text, target });
    const why = because === null ? "" : `; ${texts.targetBecause(because)}`;
    return `${head}${why}\n\n${harmless(message)}`;
  },
});
