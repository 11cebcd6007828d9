import { defineKind, type Kind } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf, EditOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { idFrom } from "../../platform/ids.ts";
import { canonical } from "../../platform/json.ts";

/** A text of its owner's that things can be about. It stands under its client's own id, and one that was deleted may come back. */
export interface PageKind {
  name: "page";
  body: {
    /** The id its client gave it: unique in its owner's book. */
    pageId: string;
    title: string;
    body: string;
  };
  outcome: null;
  /** `deleted` has no words any more: those who sync hear of it. */
  live: "kept" | "deleted";
  end: "cancelled";
}

export const pageKind: Kind<PageKind> = defineKind({
  name: "page",
  states: { kept: ["deleted"], deleted: ["kept"] },
});

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
