import type { Act } from "../../kernel/change-row.ts";
import type { Consequences } from "../../kernel/unit.ts";
import type { Ids } from "../../platform/ids.ts";
import { appendMany } from "./append.ts";
import { cancelOne } from "./cancel.ts";
import { editOne } from "./edit.ts";
import type { Session } from "./transactions.ts";
import { wakeOne } from "./wake.ts";

/** What follows from a unit's own record. */
export interface Cause {
  readonly act: Act;
  readonly uid: string;
  readonly ids: Ids;
}

/** Writes what follows from a unit's own record (the cause), in the order the contract fixes. */
export async function writeConsequences(
  session: Session,
  { act, uid, ids }: Cause,
  consequences: Consequences | undefined,
): Promise<void> {
  if (consequences === undefined) return;
  const drafts = consequences.append ?? [];
  await appendMany(
    session,
    act,
    drafts.map((draft) => ({
      ...draft,
      parent: draft.parent === undefined ? uid : draft.parent,
    })),
    ids,
  );
  for (const each of consequences.edit ?? []) await editOne(session, act, each);
  for (const each of consequences.cancel ?? []) await cancelOne(session, act, each);
  for (const each of consequences.wake ?? []) await wakeOne(session, act, each);
}
