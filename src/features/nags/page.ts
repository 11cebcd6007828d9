import * as z from "zod";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf, EditOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { idFrom } from "../../platform/ids.ts";
import { canonical } from "../../platform/json.ts";
import { cut, quote } from "../../platform/text.ts";

/**
 * A text that a nag can send. Its client gives it an id. A deleted page keeps its record, without the text, so that
 * syncing clients see the deletion and the page can be restored.
 */
export const pageKind = defineKind({
  name: "page",
  wakeTimeOptional: true,
  body: z.strictObject({
    /** The client's id, unique in the owner's book. */
    pageId: z.string(),
    title: z.string(),
    body: z.string(),
  }),
  outcome: z.null(),
  states: { kept: ["deleted"], deleted: ["kept"] },
});
export interface PageKind extends KindOf<typeof pageKind> {}

export type Page = LedgerRecord<PageKind>;
type PageText = Pick<PageKind["body"], "title" | "body">;
/** The texts of a request. An absent one stays unchanged. */
type GivenText = { readonly [Name in keyof PageText]?: string | null | undefined };

const pageIdCharsMax = 200;
const titleCharsMax = 2_000;
const bodyCharsMax = 100_000;

/** A page's record id follows from the owner and the client's id. */
export function pageRecordId(owner: string, pageId: string): string {
  return idFrom(canonical(["page", owner, pageId]));
}

/** The only way to make a page. */
export function makePage(
  owner: string,
  page: GivenText & { pageId: string },
): DraftOf<PageKind> & { id: string } {
  const { pageId } = page;
  checkPageId(pageId);
  const body = { pageId, title: page.title ?? "", body: page.body ?? "" };
  checkText(body);
  const id = pageRecordId(owner, pageId);
  return { kind: "page", id, body, state: "kept", parent: null };
}

/** Changes the texts that are given, and restores a deleted page. */
export function pageEdit(
  { kind, id, revision: ifRevision, body: before }: Page,
  { title, body }: GivenText,
): EditOf<PageKind> {
  const text = { title: title ?? before.title, body: body ?? before.body };
  checkText(text);
  return { kind, id, ifRevision, body: { pageId: before.pageId, ...text }, state: "kept" };
}

export function checkPageId(pageId: string): void {
  if (
    pageId.length <= pageIdCharsMax &&
    /^[^\p{C}\p{Z}](?:[^\p{C}]*[^\p{C}\p{Z}])?$/u.test(pageId)
  ) {
    return;
  }
  throw new DaybookError(
    "invalid",
    `${quote(cut(pageId, 40))} is not a page id: use 1 to ${pageIdCharsMax} printable characters, without spaces around them.`,
  );
}

/** A title cut to what a page can hold, for clients that expect no refusal. */
export function cutTitle(title: string): string {
  return title.slice(0, titleCharsMax).toWellFormed();
}

/** A body cut to what a page can hold. */
export function cutBody(body: string): string {
  return body.slice(0, bodyCharsMax).toWellFormed();
}

function checkText({ title, body }: PageText): void {
  if (title.length > titleCharsMax) {
    throw new DaybookError(
      "too_large",
      `The title has ${title.length} characters, over the limit of ${titleCharsMax}: shorten it.`,
    );
  }
  if (body.length > bodyCharsMax) {
    throw new DaybookError(
      "too_large",
      `The body has ${body.length} characters, over the limit of ${bodyCharsMax}: shorten it.`,
    );
  }
}

const clustersMax = 2_000;
/** Bounds clusters of any length, so that title and body fit into one message. */
const charsMax = 9_000;
const clusters = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Title and body as plain text, each cut to what a message can carry. */
export function pageText({ title, body }: PageText): PageText {
  return { title: shortened(title.trim()), body: shortened(plain(body)) };
}

/** Title and body as a message; empty when the page is. */
export function pageMessage(page: PageText): string {
  const { title, body } = pageText(page);
  return [title, body].filter((part) => part !== "").join("\n");
}

/** Cuts between grapheme clusters. */
function shortened(text: string): string {
  const full = text.toWellFormed();
  if (full.length <= clustersMax) return full;
  let [length, count] = [0, 0];
  for (const { segment } of clusters.segment(full)) {
    if (count === clustersMax || length + segment.length > charsMax) break;
    length += segment.length;
    count += 1;
  }
  return full.slice(0, length);
}

const entities: Readonly<Record<string, string>> = {
  "&nbsp;": " ",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&apos;": "'",
  "&amp;": "&",
};

/** HTML as plain lines. Every entity is decoded once: `&amp;lt;` becomes `&lt;`. */
function plain(html: string): string {
  return html
    .replaceAll(/<br\s*\/?>|<\/div\s*>|<div(?:\s[^<>]*)?>/gi, "\n")
    .replaceAll(/<\/p\s*>/gi, "\n\n")
    .replaceAll(/<\/?[a-z][^<>]*>|<!--[^]*?-->/gi, "")
    .replaceAll(/&(?:nbsp|lt|gt|quot|#39|apos|amp);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/[^\S\n]+\n/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
