import type { Act } from "../../kernel/change-row.ts";
import { checkAskedAgain } from "../../kernel/refusals.ts";
import type { Draft } from "../../kernel/unit.ts";
import type { Ids } from "../../platform/ids.ts";
import { type Fresh, insertRecords } from "./append-many.ts";
import { chooseHolds, replaceHolds } from "./holds.ts";
import { findByKey, takeKey } from "./keys.ts";
import { findRow } from "./rows.ts";
import { lostRace, type Session } from "./transactions.ts";

interface Written {
  readonly fresh: boolean;
  readonly uid: string;
}

/** Nothing else decides whether it is written: many such go in one statement. */
export function isPlain(draft: Draft): boolean {
  return draft.key === undefined && (draft.holds ?? []).length === 0;
}

/** Writes one record, unless its key or id says that it was written before. */
export async function appendOne(
  session: Session,
  act: Act,
  draft: Draft,
  ids: Ids,
): Promise<Written> {
  const first = (await findByKey(session, act, draft)) ?? (await earlier(session, act, draft));
  if (first !== undefined) return { fresh: false, uid: first };
  const uid = draft.id ?? ids();
  const names = "ends" in draft ? [] : await chooseHolds(session, null, draft.holds ?? []);
  const [row] = await insertRecords(session, [{ act, draft, uid }]);
  if (row === undefined) throw lostRace(); // the same id came from elsewhere meanwhile
  await takeKey(session, act, draft, uid);
  if (names.length > 0) await replaceHolds(session, row.id, names);
  return { fresh: true, uid };
}

/** Consequences, in their order. Runs of plain ones are one statement each. */
export async function appendMany(
  session: Session,
  act: Act,
  drafts: readonly Draft[],
  ids: Ids,
): Promise<void> {
  let run: Fresh[] = [];
  const flush = async (): Promise<void> => {
    if (run.length > 0) await insertRecords(session, run);
    run = [];
  };
  for (const draft of drafts) {
    if (isPlain(draft) && draft.id === undefined) {
      run.push({ act, draft, uid: ids() });
    } else {
      await flush();
      await appendOne(session, act, draft, ids);
    }
  }
  await flush();
}

async function earlier(session: Session, act: Act, draft: Draft): Promise<string | undefined> {
  const row = draft.id === undefined ? undefined : await findRow(session, draft.id);
  if (row === undefined) return undefined;
  checkAskedAgain({ ...row, id: row.uid }, act.owner, draft);
  return row.uid;
}
