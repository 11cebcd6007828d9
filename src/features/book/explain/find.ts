import type { ExplainPart } from "../../../kernel/explain.ts";
import { findByStart, noRecord } from "../../../kernel/id-prefix.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import type { RecordActions } from "../../notifications/index.ts";

const idsNamedMax = 5;

interface Kinds {
  /** Their kinds are found by the start of an id. */
  readonly parts: readonly ExplainPart[];
  readonly actions: readonly RecordActions[];
}

/** A record by its id, its name or the start of its id. An ambiguous one is an error. */
export async function findAny(
  { parts, actions }: Kinds,
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
  const kinds = parts.map(({ kind }) => kind);
  const started = await findByStart(book, which, kinds);
  if (started !== undefined) return started;
  throw noRecord("record and no schedule", which, ": see daybook list and daybook schedule list");
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
