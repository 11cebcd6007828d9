import * as z from "zod";
import type { Book } from "../../../kernel/ledger.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf, recordOf, untilFresh } from "../../../kernel/own-book.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { quote, harmless, oneLine } from "../../../platform/text.ts";
import { fields } from "../../notifications/index.ts";
import { pageDeletion } from "../change.ts";
import { type Nag, nagKind } from "../kind.ts";
import { makePage, type Page, pageEdit, pageKind, pageRecordId } from "../page.ts";
import { textsOf } from "../texts.ts";

const moment = z.string().meta({ format: "date-time" });

/** A page as every face shows it. */
const pageView = z.object({
  id: z.string().describe("as its client calls it"),
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

/** By its client's id; deleted pages too. */
export async function pageAt(id: string, context: Context): Promise<Page | undefined> {
  const page = await recordOf(bookOf(context), pageKind, pageRecordId(context.owner, id));
  return page?.endedAt === null ? page : undefined;
}

/** A page that is kept: one that was deleted, or of another owner, answers as if it never was. */
export async function findPage(id: string, context: Context): Promise<Page> {
  const page = await pageAt(id, context);
  if (page?.state === "kept") return page;
  const sentence = `There is no page ${quote(id)} in this book: write it first, with daybook page put.`;
  throw new DaybookError("not_found", sentence, { details: { id } });
}

const id = z.string().describe("which page, by the id that you gave it");

const pageInput = z.strictObject({
  id,
  title: z.string().optional().describe("its title; the old one when absent"),
  body: z.string().optional().describe("its words, plain or as HTML; the old ones when absent"),
});

export const putPage = operation({
  name: "put_page",
  summary: "Write or change a page that things can be said of until they are done.",
  input: pageInput,
  output: pageView.extend({ fresh: z.boolean().describe("false: it was there before") }),
  example: { id: "trip", title: "Trip to Busan", body: "Book the hotel" },
  route: { method: "PUT", path: "/v1/pages/{id}" },
  command: { name: "page put", positionals: ["id", "title"] },
  run: (request, context) => untilFresh(() => put(request, context)),
  render: ({ id: pageId, title, fresh: isFresh }, { language }) =>
    textsOf(language).pageKept({ title: oneLine(title, 100) || pageId, isFresh }),
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
  const { record, fresh } = await book.append(makePage(context.owner, { pageId, ...text }));
  if (fresh && record !== null) return { ...viewPage(record), fresh };
  throw new DaybookError("stale", "The page was written by another: ask again.");
}

export const listPages = operation({
  name: "list_pages",
  summary: "Show the pages that things can be said of until they are done.",
  input: z.strictObject({ limit: fields.limit, after: fields.after }),
  output: z.object({
    pages: z.array(pageView.omit({ body: true })),
    next: z.string().nullable().describe("where the next page starts; null on the last"),
  }),
  example: { limit: 10 },
  route: { method: "GET", path: "/v1/pages" },
  command: { name: "pages", positionals: [] },
  async run({ limit, after }, context) {
    const query = { kind: pageKind, state: "kept", order: "newest", limit, after } as const;
    const { records, next } = await bookOf(context).list(query);
    const pages = records.map((record) => {
      const { body: _, ...rest } = viewPage(record);
      return rest;
    });
    return { pages, next };
  },
  render({ pages, next }, { language }) {
    const texts = textsOf(language);
    if (pages.length === 0 && next === null) return texts.noPages();
    const lines = pages.map(
      ({ id: pageId, title }) => `${oneLine(pageId, 60)}  ${oneLine(title, 60)}`,
    );
    return [...lines, ...(next === null ? [] : [texts.more(next)])].join("\n");
  },
});

export const showPage = operation({
  name: "show_page",
  summary: "Show one page, whole.",
  input: z.strictObject({ id }),
  output: pageView,
  example: { id: "trip" },
  route: { method: "GET", path: "/v1/pages/{id}" },
  command: { name: "page show", positionals: ["id"] },
  run: async ({ id: pageId }, context) => viewPage(await findPage(pageId, context)),
  render({ id: pageId, title, body, revision }, { language }) {
    const head = textsOf(language).pageIs({ id: oneLine(pageId, 200), revision });
    return [head, "", ...[title, body].filter((part) => part !== "").map(harmless)].join("\n");
  },
});

const gone = z.object({
  id: z.string(),
  deleted: z.boolean().describe("false: it had been deleted before"),
  nag: z.string().nullable().describe("what was said of it until it is done, and is not any more"),
});

export const deletePage = operation({
  name: "delete_page",
  summary: "Delete a page, and what is said of it until it is done.",
  input: z.strictObject({ id }),
  output: gone.extend({ title: z.string() }),
  example: { id: "trip" },
  route: { method: "DELETE", path: "/v1/pages/{id}" },
  command: { name: "page delete", positionals: ["id"] },
  run: ({ id: pageId }, context) => untilFresh(() => removePage(pageId, context)),
  render({ id: pageId, deleted, title, nag }, { language }) {
    const texts = textsOf(language);
    if (!deleted) return texts.pageGone(pageId);
    return texts.pageDeleted({ title: oneLine(title, 100) || pageId, nag });
  },
});

async function removePage(pageId: string, context: Context) {
  const book = bookOf(context);
  const page = await pageAt(pageId, context);
  if (page?.state === "deleted") return { id: pageId, deleted: false, nag: null, title: "" };
  const found = page ?? (await findPage(pageId, context));
  const nags = await liveNagsOf(book, found.id);
  const { edit, consequences } = pageDeletion(found, nags);
  try {
    await book.edit(edit, consequences);
  } catch (error) {
    // A nag ended meanwhile.
    if (!hasCode(error, "ended")) throw error;
    throw new DaybookError("stale", "It was changed at the same time: ask again.", {
      cause: error,
    });
  }
  return { id: pageId, deleted: true, nag: nags[0]?.id ?? null, title: found.body.title };
}

/** Of a page, by its record's id: one at most, and those that are just ending. */
export function liveNagsOf(book: Book, parent: string): Promise<readonly Nag[]> {
  return Array.fromAsync(recordsIn(book, { kind: nagKind, parent, live: true }));
}
