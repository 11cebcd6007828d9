import * as z from "zod";
import {
  explainPart,
  type RuleContext,
  type ChangeView,
  type Explanation,
} from "../../kernel/explain.ts";
import { is } from "../../kernel/kind.ts";
import type { Reader } from "../../kernel/operation.ts";
import { fromIso } from "../../platform/iso-time.ts";
import { oneLine, quote } from "../../platform/text.ts";
import { distance, inWords, span } from "../../time/times.ts";
import { localTime } from "../accounts/index.ts";
import { outlookOf } from "./hold.ts";
import { notificationKind, socketQueue } from "./kind.ts";
import { inCalendar } from "./operations/in-calendar.ts";
import { partly } from "./operations/show.ts";
import { receiptText, notificationView, shown } from "./operations/view.ts";
import { quietUntil } from "./quiet-hours.ts";
import { textsOf } from "./texts.ts";

const charsMax = 200;

const view = notificationView.extend({
  origin: z.string().nullable().describe("the chat or session of the request"),
  at_text: z.string().describe("the time as it was typed"),
});
type View = z.infer<typeof view>;

const quiet = z
  .object({ from: z.string(), to: z.string(), in_force: z.boolean() })
  .nullable()
  .describe("the quiet hours, and whether they apply at its time");

export const explainNotification = explainPart({
  key: "notification",
  kind: notificationKind,
  view,
  async build(record, { context }) {
    const { origin, atText } = record.body;
    const view = await inCalendar(shown(record, await outlookOf(context)), context);
    return { ...view, origin, at_text: atText };
  },
  page: partly,
  fields: {
    schemas: { quiet },
    isBeside: true,
    async build(record, { context }) {
      const { quiet: hours, zone } = context.profile;
      if (!is(notificationKind, record) || hours === null) return { quiet: null };
      const isInForce = quietUntil(record.body.at, hours, zone) !== undefined;
      return { quiet: { ...hours, in_force: isInForce } };
    },
  },
  waitsForListener: ({ queue }) => queue === socketQueue,
  lines: {
    headline({ target, receipt, maybe_delivered: isUncertain }, head, reader) {
      const texts = textsOf(reader.language);
      const arrived = isUncertain ? texts.mayHaveArrived(head.state === "delivered") : "";
      return `${texts.headline({ ...head, target })}${receiptText(receipt, reader)}${arrived}`;
    },
    message: ({ message }) => message,
    firstCause({ collapse_key: key }, cause, { language }) {
      const isReplaced = is(notificationKind, cause) && key !== null;
      return isReplaced ? textsOf(language).replaces(cause) : undefined;
    },
    request: ({ origin, target_because }) => ({ origin, target_because }),
    time({ due, at_text: typed, delivered_at: end }, reader) {
      const lateMs = end === null ? null : Math.max(fromIso(end) - fromIso(due.utc), 0);
      const late = lateMs === null ? null : span(lateMs, reader.language);
      const when = `${localTime(due.utc, reader)} ${reader.zone}`;
      return [textsOf(reader.language).dueAt({ when, typed: quote(typed), late })];
    },
    rules,
    next({ next_at: at, waiting }, _waits, { now, zone, language }) {
      if (waiting?.for === "expiry" || waiting?.for === "listener") return waiting.text;
      const isHeld = waiting?.for === "quiet_hours" || waiting?.for === "meeting";
      if (!isHeld || at === null) return undefined;
      const far = distance(fromIso(at) - now, language);
      const comes = { when: inWords(fromIso(at), zone, language), far, isParked: false };
      return `${textsOf(language).comes(comes)}: ${waiting.text}`;
    },
  },
});

function rules(
  notification: View,
  { quiet: hours, history }: Explanation & { quiet: z.infer<typeof quiet> },
  { reader, causeRules }: RuleContext,
): string[] {
  const { priority, expires_at: end, at_most_once: once, collapse_key: key } = notification;
  const texts = textsOf(reader.language);
  return [
    ...neverTried(history),
    ...(notification.type === "run" ? causeRules : []),
    ...quietRules(hours, priority, reader),
    ...(once ? [texts.atMostOnce()] : []),
    ...(end === null ? [] : [texts.expires(localTime(end, reader))]),
    ...(key === null ? [] : [texts.collapses(quote(key))]),
  ];
}

function quietRules(
  hours: z.infer<typeof quiet>,
  priority: View["priority"],
  { language }: Reader,
): string[] {
  if (hours === null || !hours.in_force) return [];
  const { from, to } = hours;
  const texts = textsOf(language);
  const inForce = texts.quiet(`${from}-${to}`);
  return priority === "high" ? [inForce, texts.urgent()] : [inForce];
}

/** A notification that was written as failed has no attempt that gives the reason. */
function neverTried(history: readonly ChangeView[]): string[] {
  const first = history.find(({ what, state }) => what === "appended" && state === "failed");
  return first?.note == null ? [] : [oneLine(first.note, charsMax)];
}
