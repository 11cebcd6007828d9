import * as z from "zod";
import { DaybookError } from "../base/errors.ts";
import type { Book } from "../ledger/ledger.ts";
import type { Change } from "../ledger/reading.ts";
import { quietUntil } from "../rules/quiet.ts";
import type { AnyRecord } from "../rules/record.ts";
import { quote } from "../rules/text.ts";
import { causeView, shownCause } from "./explain-causes.ts";
import { tell } from "./explain-words.ts";
import { fields } from "./fields.ts";
import { partInputs, partly, partViews, type Part } from "./long-texts.ts";
import { iso, isoOr, lookOf, notificationView, shown } from "./notification-view.ts";
import { operation, type Context } from "./operation.ts";
import { bookOf } from "./own-book.ts";
import { runView, shownRunOf } from "./runs/run-view.ts";
import { scheduleView, shownSchedule } from "./schedules/schedule-view.ts";

const change = z.object({
  what: z.enum(["appended", "edited", "kept", "lapsed", "settled", "cancelling", "cancelled"]),
  at: z.string(),
  by: z.string(),
  state: z.string(),
  attempt: z.number(),
  claimed_at: z.string().nullable(),
  note: z.string().nullable(),
});

const output = z.object({
  id: z.string(),
  kind: z.string(),
  state: z.string(),
  created_at: z.string(),
  created_by: z.string(),
  ended_at: z.string().nullable(),
  notification: notificationView
    .extend({
      origin: z.string().nullable().describe("where it was asked for"),
      at_text: z.string().describe("the words its time was asked in"),
    })
    .nullable(),
  run: runView.nullable().describe("null: it is no run"),
  schedule: scheduleView.nullable().describe("null: it is no schedule"),
  because: z.array(causeView).describe("what caused it, nearest first"),
  quiet: z
    .object({ from: z.string(), to: z.string(), in_force: z.boolean() })
    .nullable()
    .describe("quiet hours, and whether they are in force at its time"),
  history: z.array(change),
  history_cut: z.boolean().describe("later changes are left out"),
  waits: z
    .object({
      at: z.string().nullable().describe("when it is looked at next"),
      holder: z.string().nullable().describe("who is, or was last, at work on it"),
      parked: z.boolean().describe("others to the same place come first"),
      cancelling: z.boolean(),
    })
    .nullable()
    .describe("null: it has ended"),
  ...partViews,
});
export type Explained = z.infer<typeof output>;

const depthMax = 16;
const historyMax = 500;

export const explain = operation({
  name: "explain",
  words: "Say why something did, did not, or will happen.",
  input: z.strictObject({ id: fields.id, ...partInputs }),
  output,
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/explain/{id}" },
  command: { name: "explain", positionals: ["id"] },
  tool: "always",
  async run({ id, ...asked }, context): Promise<Explained> {
    const book = bookOf(context);
    const record = await book.get(id);
    if (record === undefined) {
      throw new DaybookError("not_found", `There is no record ${quote(id)} in this book.`, {
        details: { id },
      });
    }
    const look = lookOf(context);
    const because = await causes(book, record);
    const { changes } = await book.changes({ id, limit: historyMax });
    const { notification, quiet } = aboutNotification(record, context);
    const { view, part } =
      notification === null ? { view: null, part: whole } : partly(notification, asked);
    return {
      ...standing(record),
      notification: view,
      quiet,
      ...part,
      run: record.kind === "task" ? await shownRunOf(book, record) : null,
      schedule: record.kind === "schedule" ? shownSchedule(record, look) : null,
      because: because.map((cause) => shownCause(cause, look)),
      history: changes.map(shownChange),
      history_cut: changes.length === historyMax,
    };
  },
  say: tell,
});

const whole: Part = { next_offset: null, remaining: 0 };

/** What is true of a record of any kind. Its body is not: it may hold a secret. */
function standing(
  record: AnyRecord,
): Pick<Explained, "id" | "kind" | "state" | "created_at" | "created_by" | "ended_at" | "waits"> {
  const { id, kind, state, by, wakeAt, readyAt, lease, cancelling, endedAt } = record;
  const parked = lease === null && wakeAt !== null && readyAt !== null && readyAt < wakeAt;
  const holder = lease?.holder ?? null;
  return {
    id,
    kind,
    state,
    created_at: iso(record.createdAt),
    created_by: by,
    ended_at: isoOr(endedAt),
    waits: endedAt === null ? { at: isoOr(wakeAt), holder, parked, cancelling } : null,
  };
}

function aboutNotification(
  record: AnyRecord,
  context: Context,
): Pick<Explained, "notification" | "quiet"> {
  if (record.kind !== "notification") return { notification: null, quiet: null };
  const { quiet, zone } = context.profile;
  const { at, atText, origin } = record.body;
  return {
    notification: { ...shown(record, lookOf(context)), origin, at_text: atText },
    quiet:
      quiet === null ? null : { ...quiet, in_force: quietUntil(at, quiet, zone) !== undefined },
  };
}

function shownChange(row: Change): z.infer<typeof change> {
  const { what, at, by, state, attempt, claimedAt, note } = row;
  return { what, at: iso(at), by, state, attempt, claimed_at: isoOr(claimedAt), note };
}

async function causes(book: Book, record: AnyRecord): Promise<AnyRecord[]> {
  const found: AnyRecord[] = [];
  let { parent } = record;
  while (parent !== null && found.length < depthMax) {
    const cause = await book.get(parent);
    if (cause === undefined) break;
    found.push(cause);
    ({ parent } = cause);
  }
  return found;
}
