import * as z from "zod";
import { exampleId, operation } from "../../kernel/operation.ts";
import { oneLine } from "../../platform/text.ts";
import { textsOf as nagTexts } from "../nags/index.ts";
import { cancelView, fields } from "../notifications/index.ts";
import type { ActionsAcross } from "./actions.ts";
import { textsOf } from "./texts.ts";

export const cancelOver = ({ targetOf, actionOf }: ActionsAcross) =>
  operation({
    name: "cancel_notification",
    summary: "Cancel something that has not been sent yet.",
    input: z.strictObject({
      id: fields.id,
      reason: z.string().max(1_000).optional().describe("the reason, kept with it"),
    }),
    output: cancelView,
    aliases: { notification_id: "id" },
    effect: "ends",
    example: { id: exampleId, reason: "moved to Friday" },
    route: { method: "POST", path: "/v1/notifications/{id}/cancel" },
    command: { name: "cancel", positionals: ["id"] },
    tool: "always",
    async run({ id, reason = "" }, context) {
      // By its own id alone: a notification of a nag can be cancelled without the nag.
      const target = await targetOf(id, context);
      return actionOf("cancel", target)(target.id, reason, context);
    },
    render({ result, nag_id: nagId, message }, { language }) {
      if (nagId !== undefined && result === "cancelled") {
        return nagTexts(language).nagDeleted(oneLine(message, 100));
      }
      const texts = textsOf(language);
      if (result === "cancelling") return texts.cancelling();
      return result === "cancelled" ? texts.cancelled() : texts.cancelledBefore();
    },
  });
