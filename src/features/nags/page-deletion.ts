import type { LedgerRecord } from "../../kernel/record.ts";
import type { Cancel, EditOf, Consequences } from "../../kernel/unit.ts";
import { deleted } from "./change.ts";
import type { NagKind } from "./kind.ts";
import type { PageKind } from "./page.ts";

/** One unit: the page has no words any more, and what was said of it until it is done is not any more. */
export function pageDeleted(
  record: LedgerRecord<PageKind>,
  nags: readonly LedgerRecord<NagKind>[],
): { edit: EditOf<PageKind>; consequences: Consequences } {
  const { kind, id, revision: ifRevision } = record;
  const { pageId } = record.body;
  const gone = nags
    .filter(({ endedAt, cancelling }) => endedAt === null && !cancelling)
    .map((nag) => deleted(nag, "its page was deleted"));
  const cancel = gone.flatMap(({ consequences }): readonly Cancel[] => consequences.cancel ?? []);
  return {
    edit: { kind, id, ifRevision, body: { pageId, title: "", body: "" }, state: "deleted" },
    consequences: { edit: gone.map(({ edit }) => edit), cancel },
  };
}
