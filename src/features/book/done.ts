import * as z from "zod";
import { exampleId, operation } from "../../kernel/operation.ts";
import { oneLine } from "../../platform/text.ts";
import { textsOf as nagTexts } from "../nags/index.ts";
import { doneView, fields } from "../notifications/index.ts";
import type { ActionsAcross } from "./actions.ts";
import { textsOf } from "./texts.ts";

export const doneOver = ({ targetOf, sourceOf, actionOf }: ActionsAcross) =>
  operation({
    name: "done_notification",
    summary: "Mark as done, and stop sending.",
    input: z.strictObject({ id: fields.id }),
    output: doneView,
    aliases: { notification_id: "id" },
    effect: "ends",
    example: { id: exampleId },
    route: { method: "POST", path: "/v1/notifications/{id}/done" },
    command: { name: "done", positionals: ["id"] },
    async run({ id }, context) {
      const source = await sourceOf(await targetOf(id, context), context);
      return actionOf("done", source)(source.id, context);
    },
    render({ result, state, taken_back: taken, nag_id: nagId, message }, { language }) {
      if (nagId !== undefined && result === "done") {
        return nagTexts(language).nagDone(oneLine(message, 100));
      }
      const texts = textsOf(language);
      if (result === "cancelling") return texts.cancelling();
      if (result === "cancelled_before" && taken.length === 0) {
        return state === "done" ? texts.doneBefore() : texts.cancelledBefore();
      }
      return taken.length > 0 || result === "cancelled" ? texts.doneUnsent() : texts.done();
    },
  });
