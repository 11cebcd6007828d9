import type { Book } from "../../../kernel/ledger.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import type { RecordActions } from "../../notifications/index.ts";

const idsNamedMax = 5;

/** A record by its id or its name. An ambiguous name is an error. */
export async function findAny(
  actions: readonly RecordActions[],
  book: Book,
  which: string,
): Promise<AnyRecord> {
  const record = await book.get(which);
  for (const { kind, names } of actions) {
    if (names === undefined || (record !== undefined && !names.mayBeIds)) continue;
    const named = await names.live(book, which);
    if (record !== undefined && named !== undefined && named.id !== record.id) {
      const sentence = `${quote(which)} is the id of a ${record.kind} and the name of a ${kind.name}: rename that one, or use its id, ${named.id}.`;
      throw new DaybookError("conflict", sentence, { details: { ids: [record.id, named.id] } });
    }
    if (record !== undefined) continue;
    const found = named ?? onlyOne(which, kind.name, await names.ended?.(book, which));
    if (found !== undefined) return found;
  }
  if (record !== undefined) return record;
  const sentence = `There is no record and no schedule ${quote(which)} in this book: see daybook list and daybook schedule list.`;
  throw new DaybookError("not_found", sentence, { details: { id: which } });
}

function onlyOne(
  name: string,
  kind: string,
  ended: readonly AnyRecord[] = [],
): AnyRecord | undefined {
  if (ended.length <= 1) return ended[0];
  const ids = ended.map(({ id }) => id).slice(0, idsNamedMax);
  const sentence = `${ended.length} ${kind}s called ${quote(name)} have ended. Use an id, the newest first: ${ids.join(", ")}.`;
  throw new DaybookError("conflict", sentence, { details: { ids } });
}
