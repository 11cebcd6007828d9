import * as z from "zod";
import { bookOf, recordOf, retryIfStale } from "../../../kernel/book.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import { listOperation } from "../../../kernel/list-operation.ts";
import type { Column } from "../../../kernel/list-table.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { quote, harmless, oneLine } from "../../../platform/text.ts";
import { textColumn, timeColumns, wordColumn } from "../../accounts/index.ts";
import { pageDeletion, staleWrite } from "../change.ts";
import { type Nag, nagKind } from "../kind.ts";
import { makePage, type Page, pageEdit, pageKind, pageRecordId } from "../page.ts";
import { textsOf } from "../texts.ts";

const moment = z.string().meta({ format: "date-time" });

/** A page as every interface shows it. */
const pageView = z.object({
  id: z.string().describe("the id that its client gave it"),
  title: z.string(),
  body: z.string(),
  created_at: moment,
  updated_at: moment,
  revision: z.number(),
});

function viewPage({ body: page, createdAt, updatedAt, revision }: Page): z.output<typeof pageView> {
  const { pageId: id, title, body } = page;
  const times = { created_at: isoOf(createdAt), updated_at: isoOf(updatedAt) };
  return { id, title, body, ...times, revision };
}

/** The page with the client's id, deleted or not. */
export async function pageAt(id: string, context: Context): Promise<Page | undefined> {
  const page = await recordOf(bookOf(context), pageKind, pageRecordId(context.owner, id));
  return page?.endedAt === null ? page : undefined;
}

/** The page with the client's id. A deleted page and another owner's page are both "not found". */
export async function findPage(id: string, context: Context): Promise<Page> {
  const page = await pageAt(id, context);
  if (page?.state === "kept") return page;
  const sentence = `There is no page ${quote(id)} in this book: create it with daybook page put.`;
  throw new DaybookError("not_found", sentence, { details: { id } });
}

const id = z.string().describe("the page's id, as you gave it");

const pageInput = z.strictObject({
  id,
  title: z.string().optional().describe("its title. Default: unchanged"),
  body: z.string().optional().describe("its text, plain or HTML. Default: unchanged"),
});

export const putPage = operation({
  name: "put_page",
  summary: "Create or change a page that a nag can send.",
  input: pageInput,
  output: pageView.extend({ fresh: z.boolean().describe("false: the page existed before") }),
  example: { id: "trip", title: "Trip to Busan", body: "Book the hotel" },
  route: { method: "PUT", path: "/v1/pages/{id}" },
  command: { name: "page put", positionals: ["id", "title"] },
  run: (request, context) => retryIfStale(() => put(request, context)),
  render: ({ id: pageId, title, fresh: isFresh }, { language }) =>
    textsOf(language).pageSaved({ title: oneLine(title, 100) || pageId, isFresh }),
});

async function put({ id: pageId, ...text }: z.output<typeof pageInput>, context: Context) {
  const book = bookOf(context);
  const found = await pageAt(pageId, context);
  const isGiven = text.title !== undefined || text.body !== undefined;
  if (found?.state === "kept" && !isGiven) return { ...viewPage(found), fresh: false };
  if (found !== undefined) {
    const page = await book.edit(pageEdit(found, text));
    return { ...viewPage(page), fresh: found.state === "deleted" };
  }
  const draft = makePage(context.owner, { pageId, ...text });
  const wake = (await liveNagsOf(book, draft.id)).map(({ id }) => ({ id })); // they wait for the text
  const { record, fresh } = await book.append(draft, { wake });
  if (fresh && record !== null) return { ...viewPage(record), fresh };
  throw new DaybookError("stale", "Another request created the page at the same time: try again.");
}

type PageLine = Omit<z.output<typeof pageView>, "body">;

const columns: readonly Column<PageLine>[] = [
  wordColumn("page", ({ id: pageId }) => pageId),
  ...timeColumns<Pick<z.output<typeof pageView>, "updated_at">>(
    "changed",
    (view) => view.updated_at,
  ),
  textColumn("title", ({ title }) => title),
];

export const listPages = listOperation(pageKind, {
  plural: "pages",
  summary: "List pages, newest first.",
  example: { limit: 10 },
  filters: {},
  query: () => ({ state: "kept" }),
  view: pageView.omit({ body: true }),
  show(record) {
    const { body: _, ...rest } = viewPage(record);
    return rest;
  },
  columns,
  empty: ({ language }) => textsOf(language).noPages(),
  more: (next, { language }) => textsOf(language).more(next),
});

export const showPage = operation({
  name: "show_page",
  summary: "Show a page with its text.",
  input: z.strictObject({ id }),
  output: pageView,
  example: { id: "trip" },
  route: { method: "GET", path: "/v1/pages/{id}" },
  command: { name: "page show", positionals: ["id"] },
  run: async ({ id: pageId }, context) => viewPage(await findPage(pageId, context)),
  render({ id: pageId, title, body, revision }, { language }) {
    const head = textsOf(language).pageHeadline({ id: oneLine(pageId, 200), revision });
    return [head, "", ...[title, body].filter((part) => part !== "").map(harmless)].join("\n");
  },
});

export const deletePage = operation({
  name: "delete_page",
  summary: "Delete a page and its nag.",
  input: z.strictObject({ id }),
  output: z.object({
    id: z.string(),
    deleted: z.boolean().describe("false: it had been deleted before"),
    nag_id: z.string().nullable().describe("the id of the page's nag, which was deleted with it"),
    title: z.string(),
  }),
  example: { id: "trip" },
  route: { method: "DELETE", path: "/v1/pages/{id}" },
  command: { name: "page delete", positionals: ["id"] },
  run: ({ id: pageId }, context) => retryIfStale(() => removePage(pageId, context)),
  render({ id: pageId, deleted, title, nag_id: nag }, { language }) {
    const texts = textsOf(language);
    if (!deleted) return texts.pageUnchanged(pageId);
    return texts.pageDeleted({ title: oneLine(title, 100) || pageId, nag });
  },
});

async function removePage(pageId: string, context: Context) {
  const book = bookOf(context);
  const page = await pageAt(pageId, context);
  if (page?.state === "deleted") return { id: pageId, deleted: false, nag_id: null, title: "" };
  const found = page ?? (await findPage(pageId, context));
  const nags = await liveNagsOf(book, found.id);
  const { edit, consequences } = pageDeletion(found, nags);
  try {
    await book.edit(edit, consequences);
  } catch (error) {
    // A nag ended in between.
    if (!hasCode(error, "ended")) throw error;
    throw staleWrite(error);
  }
  return { id: pageId, deleted: true, nag_id: nags[0]?.id ?? null, title: found.body.title };
}

/** The live nags about a page, by its record's id: at most one, beside those that are being cancelled. */
export function liveNagsOf(book: Book, parent: string): Promise<readonly Nag[]> {
  return Array.fromAsync(recordsIn(book, { kind: nagKind, parent, live: true }));
}
