import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import { DaybookError, hasCode, messageOf } from "../../../platform/errors.ts";
import { present } from "../../../platform/json.ts";
import { quote } from "../../../platform/text.ts";
import { parseFuture } from "../../../time/times.ts";
import { makeNotification, writableTypes, type NotificationKind } from "../kind.ts";
import { importRoute } from "../routing.ts";
import { textsOf } from "../texts.ts";
import { priorityOf, requestKey } from "./fields.ts";

const rowsMax = 1_000;
const problemsMax = 20;

const iso = /^\d{4}-?\d\d-?\d\d[T ]\d\d/i;
const text = z.string().nullish();

/** A row of an earlier system's ledger. Other fields are ignored. */
const row = z.looseObject({
  id: z.string().min(1).max(200),
  message: z.string(),
  scheduled_at: z
    .string()
    .regex(iso, 'write it as "2026-12-25T09:00:00"')
    .describe("when it is due. Without an offset: in the owner's time zone"),
  scheduled_at_text: text,
  type: z.enum([...writableTypes, "progress_check"]).nullish(),
  priority: z.enum(["low", "normal", "medium", "high"]).nullish(),
  status: z.enum(["pending", "delivered", "cancelled"]).nullish(),
  related_task_id: text,
  related_question_id: text,
  context: text,
  created_at: text,
  created_by: text,
});
type Row = z.output<typeof row>;

const output = z.object({
  imported: z.number().describe("notifications that were written"),
  known: z.number().describe("notifications that were imported before"),
  skipped: z.number().describe("rows that are delivered or cancelled already"),
  refused: z
    .number()
    .describe("rows that were imported before with different content; nothing was changed"),
  problems: z
    .array(z.object({ id: z.string(), problem: z.string() }))
    .describe(`the problems of refused rows, the first ${problemsMax}`),
});

export const importNotifications = operation({
  name: "import_notifications",
  summary: "Import waiting notifications from another ledger.",
  input: z.strictObject({
    notifications: z
      .array(row)
      .max(rowsMax)
      .describe(`rows with id, message and scheduled_at, as JSON. At most ${rowsMax}`),
  }),
  output,
  ignored: ["version"],
  effect: "adds",
  example: {
    notifications: [
      { id: "n_0a1b2c3d", message: "stand-up", scheduled_at: "2026-11-17T09:00:00" },
      {
        id: "n_4e5f6a7b",
        message: "old",
        scheduled_at: "2026-11-01T09:00:00",
        status: "delivered",
      },
    ],
  },
  route: { method: "POST", path: "/v1/notifications/import" },
  command: { name: "import", positionals: ["notifications"], file: "notifications" },
  async run({ notifications: rows }, context): Promise<z.infer<typeof output>> {
    const waiting = rows.filter(({ status }) => (status ?? "pending") === "pending");
    const drafts = draftsOf(waiting, rows, context);
    const book = bookOf(context);
    const written = drafts.map((draft) =>
      book.append(draft).then(({ fresh }) => (fresh ? "imported" : "known"), refusal),
    );
    const results = await Promise.all(written);
    const count = (result: string): number => results.filter((each) => each === result).length;
    const refused = waiting.filter((_, index) => results[index] === "refused");
    return {
      imported: count("imported"),
      known: count("known"),
      skipped: rows.length - waiting.length,
      refused: refused.length,
      problems: refused.slice(0, problemsMax).map(({ id }) => ({ id, problem: otherContent })),
    };
  },
  render({ problems, ...counts }, { language }) {
    const lines = problems.map(({ id, problem }) => `${quote(id)}: ${problem}`);
    return [textsOf(language).imported(counts), ...lines].join("\n");
  },
});

const otherContent = "It was imported before with different content: update that notification.";

/** A conflict refuses one row; any other error fails the import. */
function refusal(error: unknown): "refused" {
  if (hasCode(error, "conflict")) return "refused";
  throw error;
}

/** The drafts of all rows; throws before anything is written if a row is invalid. */
function draftsOf(
  waiting: readonly Row[],
  rows: readonly Row[],
  context: Context,
): readonly DraftOf<NotificationKind>[] {
  const problems: { path: string; text: string }[] = [];
  const drafts = waiting.flatMap((each) => {
    try {
      return [draftOf(each, context)];
    } catch (error) {
      if (!hasCode(error, "invalid", "too_large")) throw error;
      const path = `notifications.${rows.indexOf(each)}`;
      problems.push({ path, text: `"${path}" (${quote(each.id)}): ${messageOf(error)}` });
      return [];
    }
  });
  if (problems.length === 0) return drafts;
  const shown = problems.slice(0, problemsMax);
  const lines = shown.map(({ text }) => `\n${text}`).join("");
  const sentence = `${problems.length} of ${rows.length} rows are invalid, so none was imported: correct them.${lines}`;
  throw new DaybookError("invalid", sentence, { details: { problems: shown } });
}

function draftOf(each: Row, context: Context): DraftOf<NotificationKind> {
  const { zone } = context.profile;
  const now = context.now();
  const { at } = parseFuture(each.scheduled_at, { zone, now });
  const { id, created_by: by, created_at: createdAt } = each;
  const priority = priorityOf(each.priority ?? "normal");
  const draft = makeNotification(bodyOf(each, at, context), { priority });
  const request = { ...bodyOf(each, 0, context), at: each.scheduled_at, priority };
  return {
    ...draft,
    key: requestKey(`import:${id}`, request, Math.max(at, now)),
    note: `imported: ${id}${by ? `, by ${by}` : ""}${createdAt ? `, created at ${createdAt}` : ""}`.slice(
      0,
      1_000,
    ),
  };
}

function bodyOf(each: Row, at: number, { owner }: Context): NotificationKind["body"] {
  const route = importRoute(owner);
  return present({
    message: each.message,
    at,
    atText: each.scheduled_at_text || each.scheduled_at,
    target: route.target,
    targetReason: route.reason,
    origin: null,
    type: each.type ?? undefined,
    relatedTaskId: each.related_task_id || undefined,
    relatedQuestionId: each.related_question_id || undefined,
    context: each.context || undefined,
  });
}
