import * as z from "zod";
import { bookOf, findRecord } from "../../../kernel/book.ts";
import { listOperation } from "../../../kernel/list-operation.ts";
import { exampleId, operation } from "../../../kernel/operation.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { harmless, partOf, oneLine } from "../../../platform/text.ts";
import { distance } from "../../../time/times.ts";
import { momentOptions, moreLine } from "../../accounts/index.ts";
import { notificationKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { fields } from "./fields.ts";
import { notificationView, shown, type NotificationView } from "./view.ts";
const states = ["pending", "delivered", "failed", "cancelled", "unconfirmed", "expired"] as const;

export const list = listOperation(notificationKind, {
  plural: "notifications",
  summary: "Show what is in the book.",
  command: "list",
  aliases: { status: "state" },
  tool: "always",
  filters: {
    all: fields.all,
    state: z.enum(states).optional().describe("only what is in this state"),
    related_task_id: z.string().optional().describe("only what is about this task"),
  },
  example: { all: true, limit: 10 },
  matches: ({ body }, { related_task_id: task }) =>
    body.type !== "mark" &&
    body.change === undefined &&
    (task === undefined || body.relatedTaskId === task),
  view: notificationView,
  show: (record, context) => shown(record, momentOptions(context)),
  line({ id, state, due, message }, { language, now }) {
    const far = distance(fromIso(due.utc) - now, language);
    return `${id}  ${textsOf(language).state(state).padEnd(9)}  ${far.padEnd(14)}  ${oneLine(message, 60)}`;
  },
  empty: ({ language }) => textsOf(language).nothingListed(),
  more: moreLine,
});

/** Inputs of what can show a notification's long texts, its message and its context, in parts. */
export const partInputs = {
  offset: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe("from which character on its message and context are shown"),
  chars: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe("how many characters of each are shown at most"),
};

export const partViews = {
  next_offset: z.number().nullable().describe("the `offset` of what follows; null at the end"),
  remaining: z.number().describe("how many characters of its longest text follow"),
};

interface Input {
  readonly offset?: number | undefined;
  readonly chars?: number | undefined;
}

export interface Part {
  readonly next_offset: number | null;
  readonly remaining: number;
}

/** The part of a notification's long texts that was asked for: all, unless told. */
export function partly<View extends NotificationView>(
  view: View,
  { offset = 0, chars = Infinity }: Input,
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
  summary: "Show one notification, whole.",
  input: z.strictObject({ id: fields.id, ...partInputs }),
  output: notificationView.extend(partViews),
  aliases: { notification_id: "id" },
  example: { id: exampleId },
  route: { method: "GET", path: "/v1/notifications/{id}" },
  command: { name: "show", positionals: ["id"] },
  tool: "always",
  async run({ id, ...asked }, context) {
    const record = await findRecord(bookOf(context), notificationKind, id);
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
