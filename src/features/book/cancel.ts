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
    summary: "Take back something that has not been said yet.",
    input: z.strictObject({
      id: fields.id,
      reason: z.string().max(1_000).optional().describe("why; kept with it"),
    }),
    output: cancelView,
    aliases: { notification_id: "id" },
    effect: "ends",
    example: { id: exampleId, reason: "moved to Friday" },
    route: { method: "POST", path: "/v1/notifications/{id}/cancel" },
    command: { name: "cancel", positionals: ["id"] },
    tool: "always",
    async run({ id, reason = "" }, context) {
      // Only by its own id: what is sent for a nag can be taken back by itself.
      const target = await targetOf(id, context);
      return actionOf("cancel", target)(id, reason, context);
    },
    render({ result, nag, message }, { language }) {
      if (nag !== undefined && result === "cancelled") {
        return nagTexts(language).nagDeleted(oneLine(message, 100));
      }
      const texts = textsOf(language);
      if (result === "cancelling") return texts.cancelling();
      return result === "cancelled" ? texts.cancelled() : texts.cancelledBefore();
    },
  });
