import * as z from "zod";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf, EditOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { idFrom } from "../../platform/ids.ts";
import { canonical } from "../../platform/json.ts";

/**
 * A text of its owner's that a nag can be about. Its client gives it an id. A deleted page keeps its record, without
 * its texts, so that clients which sync learn of it and it can come back.
 */
export const pageKind = defineKind({
  name: "page",
  body: z.strictObject({
    /** Given by its client, and unique in its owner's book. */
    pageId: z.string(),
    title: z.string(),
    body: z.string(),
  }),
  outcome: z.null(),
  states: { kept: ["deleted"], deleted: ["kept"] },
});
export interface PageKind extends KindOf<typeof pageKind> {}

type Page = LedgerRecord<PageKind>;
type Words = Pick<PageKind["body"], "title" | "body">;

const pageIdCharsMax = 200;
const titleCharsMax = 2_000;
const bodyCharsMax = 100_000;

/** Whoever knows an owner and the client's id finds the record. */
export function pageRecordId(owner: string, pageId: string): string {
  return idFrom(canonical(["page", owner, pageId]));
}

/** Every page is made here, whoever writes it. */
export function makePage(
  owner: string,
  page: PageKind["body"],
): DraftOf<PageKind> & { id: string } {
  checkPageId(page.pageId);
  checkWords(page);
  const { pageId, title, body } = page;
  return {
    kind: "page",
    id: pageRecordId(owner, pageId),
    body: { pageId, title, body },
    state: "kept",
    parent: null,
  };
}

/** Other words; what is absent stays. One that was deleted is back. */
export function pageChanged(record: Page, words: Partial<Words>): EditOf<PageKind> {
  const { pageId, title, body } = { ...record.body, ...words };
  checkWords({ title, body });
  return { ...editOf(record), body: { pageId, title, body }, state: "kept" };
}

function editOf({ kind, id, revision }: Page): { kind: "page"; id: string; ifRevision: number } {
  return { kind, id, ifRevision: revision };
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
    `A page's id is 1 to ${pageIdCharsMax} printable characters: give it one.`,
  );
}

function checkWords({ title, body }: Words): void {
  if (title.length > titleCharsMax) {
    throw new DaybookError(
      "too_large",
      `The title is over ${titleCharsMax} characters: shorten it.`,
    );
  }
  if (body.length > bodyCharsMax) {
    throw new DaybookError("too_large", `The body is over ${bodyCharsMax} characters: shorten it.`);
  }
}
