import * as z from "zod";
import { exampleId, operation } from "../../kernel/operation.ts";
import { parseFuture } from "../../time/future.ts";
import { guessView } from "../accounts/index.ts";
import { snoozeView, fields, outlookOf } from "../notifications/index.ts";
import type { ActionsAcross } from "./actions.ts";
import { textsOf } from "./texts.ts";

const { nag_id: nagId, ...shape } = snoozeView.shape;
const output = z.object({
  ...shape,
  snoozed: z.string().describe("the id of the request"),
  ...guessView,
  nag_id: nagId,
});

export const snoozeOver = ({ targetOf, sourceOf, actionOf }: ActionsAcross) =>
  operation({
    name: "snooze_notification",
    summary: "Send something later, or again if it has been sent.",
    input: z.strictObject({ id: fields.id, at: fields.at, timezone: fields.timezone }),
    output,
    aliases: { notification_id: "id" },
    example: { id: exampleId, at: "tomorrow 10am" },
    route: { method: "POST", path: "/v1/notifications/{id}/snooze" },
    command: { name: "snooze", positionals: ["id", "at"] },
    async run({ id, at: atText, timezone }, context): Promise<z.infer<typeof output>> {
      const options = await outlookOf(context, timezone);
      const { at, ...guess } = parseFuture(atText, options);
      const target = await targetOf(id, context);
      const source = await sourceOf(target, context);
      const act = actionOf("snooze", source);
      const view = await act(
        source.id,
        { at, atText },
        { options: { ...options, ...guess }, context },
      );
      return { ...view, snoozed: target.id, ...guess };
    },
    render({ id, due, target }, { language }) {
      const texts = textsOf(language);
      const past = due.past ? [texts.pastSoAtOnce()] : [];
      return [texts.snoozed({ when: due.text, target }), ...past, id].join("\n");
    },
  });
