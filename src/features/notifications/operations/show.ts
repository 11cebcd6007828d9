import * as z from "zod";
import { bookOf, findRecord } from "../../../kernel/book.ts";
import { exampleId, operation } from "../../../kernel/operation.ts";
import { partOf } from "../../../platform/text.ts";
import { outlookOf } from "../hold.ts";
import { notificationKind } from "../kind.ts";
import { fields } from "./fields.ts";
import { inCalendar } from "./in-calendar.ts";
import { renderNotification } from "./sheet.ts";
import { notificationView, shown, type NotificationView } from "./view.ts";
/** Inputs of operations that show the long texts of a notification, its message and its context, in parts. */
export const partInputs = {
  offset: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      "the position of the first character to show of the message and the context. Default: 0",
    ),
  chars: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe("how many characters of each to show at most. Default: all"),
};

export const partViews = {
  next_offset: z.number().nullable().describe("the `offset` of the next part; null at the end"),
  remaining: z.number().describe("how many characters of the longest text follow"),
};

type PartInput = z.infer<z.ZodObject<typeof partInputs>>;
type Part = z.infer<z.ZodObject<typeof partViews>>;

/** The requested part of a notification's long texts. Default: all. */
export function partly<View extends NotificationView>(
  view: View,
  { offset = 0, chars = Infinity }: PartInput,
): { view: View; part: Part } {
  const message = partOf(view.message, offset, chars);
  const context = view.context === null ? undefined : partOf(view.context, offset, chars);
  const remaining = Math.max(message.remaining, context?.remaining ?? 0);
  return {
    view: { ...view, message: message.part, context: context?.part ?? null },
    part: { next_offset: remaining === 0 ? null : offset + chars, remaining },
  };
}

export const show = operation({
  name: "get_notification",
  summary: "Show a notification with its full message and context.",
  input: z.strictObject({ id: fields.id, ...partInputs }),
  output: notificationView.extend(partViews),
  aliases: { notification_id: "id" },
  example: { id: exampleId },
  route: { method: "GET", path: "/v1/notifications/{id}" },
  command: { name: "show", positionals: ["id"] },
  tool: "always",
  async run({ id, ...part }, context) {
    const record = await findRecord(bookOf(context), notificationKind, id);
    const whole = await inCalendar(shown(record, await outlookOf(context)), context);
    const { view, part: shownPart } = partly(whole, part);
    return { ...view, ...shownPart };
  },
  render: (view, reader) => renderNotification(view, reader),
});
