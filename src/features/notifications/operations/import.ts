import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import { newId } from "../../../kernel/new-id.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import { rehearseAppend } from "../../../kernel/rehearsal.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import { DaybookError, hasCode, messageOf } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import type { NotificationKind } from "../kind.ts";
import { importRoute, type Route } from "../routing.ts";
import { textsOf } from "../texts.ts";
import { importDraft, importedRow, type ImportedRow } from "./imported-row.ts";
import { checkedRoute } from "./target.ts";

type Draft = DraftOf<NotificationKind>;

const rowsMax = 1_000;
const problemsMax = 20;

const output = z.object({
  dry_run: z.literal(true).exactOptional().describe("nothing was written"),
  imported: z
    .number()
    .describe("notifications that were written, ended ones too; with `dry_run`, that would be"),
  known: z.number().describe("notifications that were imported before"),
  ended: z
    .number()
    .describe("rows that are delivered or cancelled already: kept as such, and never sent"),
  refused: z
    .number()
    .describe("rows that were imported before with different content; nothing was changed"),
  problems: z
    .array(z.object({ id: z.string(), problem: z.string() }))
    .describe(`the problems of refused rows, the first ${problemsMax}`),
});

export const importNotifications = operation({
  name: "import_notifications",
  summary: "Import the notifications of another ledger.",
  input: z.strictObject({
    notifications: z
      .array(importedRow)
      .max(rowsMax)
      .describe(`rows with id, message and scheduled_at, as JSON. At most ${rowsMax}`),
    target: z
      .string()
      .optional()
      .describe(
        "where to send those that wait, as channel:address. Default: the owner's home, else all attached listeners",
      ),
    dry_run: z
      .boolean()
      .default(false)
      .describe("show what would be imported, without importing it"),
  }),
  output,
  ignored: ["version"],
  adapt: onlyNotifications,
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
  command: { name: "notification import", positionals: ["notifications"], file: "notifications" },
  async run(
    { notifications: rows, target, dry_run: isDry },
    context,
  ): Promise<z.infer<typeof output>> {
    const route = await routeFor(target, context);
    const drafts = draftsOf(rows, (row) => importDraft(row, route, context));
    const append = appender(isDry, context);
    const results = await Promise.all(drafts.map((draft) => write(draft, append)));
    const count = (result: string): number => results.filter((each) => each === result).length;
    const names = rows.map(({ id }, index) => id ?? `row ${index + 1}`);
    const refused = names.filter((_, index) => results[index] === "refused");
    return {
      ...(isDry && { dry_run: true }),
      imported: count("imported"),
      known: count("known"),
      ended: drafts.filter((draft) => "ends" in draft).length,
      refused: refused.length,
      problems: refused.slice(0, problemsMax).map((id) => ({ id, problem: otherContent })),
    };
  },
  render({ problems, ...counts }, { language }) {
    const lines = problems.map(({ id, problem }) => `${quote(id)}: ${problem}`);
    return [textsOf(language).imported(counts), ...lines].join("\n");
  },
});

/** The other files of the assistant whose notifications these are. */
const otherFiles = ["tasks", "questions", "insights"] as const;

/** Refuses the assistant's other files: their records have no kind here, and a guess would be worse than none. */
function onlyNotifications(
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { notifications: rows } = given;
  const named = otherFiles.find((name) => Array.isArray(given[name]));
  const found =
    named ?? (Array.isArray(rows) ? otherFiles.find((name) => isRowOf(name, rows[0])) : undefined);
  if (found === undefined) return given;
  const sentence = `This is ${found}.json of an assistant, which Daybook cannot keep yet: nothing was imported. Its notifications.json can be imported.`;
  throw new DaybookError("unsupported", sentence);
}

/** A list without a name is known by its first row. */
function isRowOf(name: (typeof otherFiles)[number], row: unknown): boolean {
  if (typeof row !== "object" || row === null || "message" in row) return false;
  const fields = {
    tasks: ["title", "progress"],
    questions: ["question", "asked_count"],
    insights: ["title", "category"],
  };
  return fields[name].every((field) => Object.hasOwn(row, field));
}

const otherContent = "It was imported before with different content: update that notification.";

/** An imported notification has no origin. */
async function routeFor(target: string | undefined, context: Context): Promise<Route> {
  if (target !== undefined) return checkedRoute(target, context);
  return importRoute({ owner: context.owner, home: context.profile.home });
}

type Result = "imported" | "known" | "refused";

type Append = (draft: Draft) => Promise<Result>;

/** Writes a notification, or finds out what would become of it. */
function appender(isDry: boolean, context: Context): Append {
  const book = bookOf(context);
  return async (draft) => {
    const { fresh } = isDry
      ? ((await rehearseAppend(book, [draft], newId(context))) ?? { fresh: true })
      : await book.append(draft);
    return fresh ? "imported" : "known";
  };
}

/** A conflict refuses one row; any other error fails the import. */
async function write(draft: Draft, append: Append): Promise<Result> {
  const refusal = (error: unknown): "refused" => {
    if (hasCode(error, "conflict")) return "refused";
    throw error;
  };
  const result = await append(draft).catch(refusal);
  if (result !== "refused" || draft.id === undefined) return result;
  // Another owner may have imported the same id: then this one gets an id of its own.
  return append({ ...draft, id: undefined }).catch(refusal);
}

/** The drafts of all rows; throws before anything is written if a row is invalid. */
function draftsOf(
  rows: readonly ImportedRow[],
  draftOf: (row: ImportedRow) => Draft,
): readonly Draft[] {
  const problems: { path: string; text: string }[] = [];
  const drafts = rows.flatMap((each, index) => {
    try {
      return [draftOf(each)];
    } catch (error) {
      if (!hasCode(error, "invalid", "too_large")) throw error;
      const path = `notifications.${index}`;
      const named = each.id == null ? "" : ` (${quote(each.id)})`;
      problems.push({ path, text: `"${path}"${named}: ${messageOf(error)}` });
      return [];
    }
  });
  if (problems.length === 0) return drafts;
  const shown = problems.slice(0, problemsMax);
  const lines = shown.map(({ text }) => `\n${text}`).join("");
  const sentence = `${problems.length} of ${rows.length} rows are invalid, so none was imported: correct them.${lines}`;
  throw new DaybookError("invalid", sentence, { details: { problems: shown } });
}
