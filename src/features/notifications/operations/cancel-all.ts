import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import { renderTable } from "../../../kernel/list-table.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { outlookOf } from "../hold.ts";
import { notificationKind, type NotificationKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { cancelNotification } from "./cancel.ts";
import { filterOf, filters, type Filters } from "./filters.ts";
import { notificationColumns } from "./list.ts";
import { notificationView, shown } from "./view.ts";

const input = z.strictObject({
  ...filters,
  reason: z.string().max(1_000).optional().describe("the reason, kept with each"),
  dry_run: z.boolean().default(false).describe("only show what would be cancelled"),
});

const output = z.object({
  notifications: z.array(notificationView).describe("the first of them, as they were before"),
  matched: z.number().describe("how many match and wait"),
  cancelled: z.number().describe("how many were cancelled"),
  cancelling: z.number().describe("how many are being sent, and are cancelled if that fails"),
  dry_run: z.boolean().describe("true: nothing was cancelled"),
});

const shownMax = 10;
/** The most that one call cancels. */
const cancelledMax = 1_000;
/** The most that are searched. */
const searchedMax = 10_000;

type Notification = LedgerRecord<NotificationKind>;

export const cancelAll = operation({
  name: "cancel_notifications",
  summary: "Cancel all waiting notifications that match the filters.",
  input,
  output,
  aliases: { notification_type: "type" },
  effect: "ends",
  example: { search: "stand-up", dry_run: true },
  route: { method: "POST", path: "/v1/notifications/cancel" },
  command: { name: "cancel --all", positionals: [] },
  async run({ reason = "", dry_run: isDry, ...wanted }, context): Promise<z.infer<typeof output>> {
    requireFilter(wanted);
    const found = await matching(wanted, context);
    const outlook = await outlookOf(context);
    const results = isDry ? [] : await cancelEach(found.slice(0, cancelledMax), reason, context);
    return {
      notifications: found.slice(0, shownMax).map((record) => shown(record, outlook)),
      matched: found.length,
      cancelled: results.filter((each) => each === "cancelled").length,
      cancelling: results.filter((each) => each === "cancelling").length,
      dry_run: isDry,
    };
  },
  render({ notifications, matched, cancelled, cancelling, dry_run: isDry }, reader) {
    const texts = textsOf(reader.language).cancelAll;
    if (matched === 0) return texts.none();
    if (!isDry)
      return texts.cancelled({ cancelled, cancelling, left: matched - cancelled - cancelling });
    const others = matched - notifications.length;
    return [
      texts.would(matched),
      renderTable(notificationColumns, notifications, reader),
      ...(others > 0 ? [texts.others(others)] : []),
    ].join("\n");
  },
});

function requireFilter(wanted: Filters): void {
  if (Object.values(wanted).some((value) => value !== undefined)) return;
  const sentence = `There is no filter, so everything that waits would be cancelled: give at least one of ${Object.keys(filters).join(", ")}.`;
  throw new DaybookError("invalid", sentence);
}

/** What waits and matches, the next first. */
async function matching(wanted: Filters, context: Context): Promise<readonly Notification[]> {
  const query = { kind: notificationKind, live: true } as const;
  const matches = filterOf(wanted, context);
  const found: Notification[] = [];
  for await (const record of recordsIn(bookOf(context), query, searchedMax)) {
    if (!record.cancelling && matches(record)) found.push(record);
  }
  return found.toSorted((a, b) => a.body.at - b.body.at);
}

/** How many are cancelled at the same time, so that a store writes them in one commit. */
const atOnceMax = 50;

type Result = "cancelled" | "cancelling" | "ended";

/** Each is a unit of its own. */
async function cancelEach(
  records: readonly Notification[],
  reason: string,
  context: Context,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < records.length; from += atOnceMax) {
    const some = records.slice(from, from + atOnceMax);
    results.push(...(await Promise.all(some.map(({ id }) => cancelOne(id, reason, context)))));
  }
  return results;
}

async function cancelOne(id: string, reason: string, context: Context): Promise<Result> {
  try {
    const { result } = await cancelNotification(id, reason, context);
    return result === "cancelling" ? "cancelling" : "cancelled";
  } catch (error) {
    // It ended or was pruned since it was read.
    if (hasCode(error, "ended", "not_found")) return "ended";
    throw error;
  }
}
