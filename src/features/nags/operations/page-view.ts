import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { quote } from "../../../platform/text.ts";
import { pageRecordId, type PageKind, pageKind } from "../page.ts";

export type Page = LedgerRecord<PageKind>;

const moment = z.string().meta({ format: "date-time" });

/** A page as every face shows it. */
export const pageView = z.object({
  id: z.string().describe("as its client calls it"),
  title: z.string(),
  body: z.string(),
  created_at: moment,
  updated_at: moment,
  revision: z.number(),
});
export type PageView = z.infer<typeof pageView>;

export function shownPage({ body, createdAt, updatedAt, revision }: Page): PageView {
  const { pageId: id, title, body: text } = body;
  const times = { created_at: isoOf(createdAt), updated_at: isoOf(updatedAt) };
  return { id, title, body: text, ...times, revision };
}

/** By its client's id, whether it is kept or was deleted. */
export async function pageAt(book: Book, owner: string, id: string): Promise<Page | undefined> {
  const record = await book.get(pageRecordId(owner, id));
  return is(pageKind, record) && record.endedAt === null ? record : undefined;
}

/** One that is kept: what was deleted, another's or nowhere answers alike. */
export async function findPage(book: Book, owner: string, id: string): Promise<Page> {
  const page = await pageAt(book, owner, id);
  if (page?.state === "kept") return page;
  const sentence = `There is no page ${quote(id)} in this book: write it first, with daybook page put.`;
  throw new DaybookError("not_found", sentence, { details: { id } });
}
