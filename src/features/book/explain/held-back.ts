import type { Context } from "../../../kernel/operation.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import { isoOf, isoOr } from "../../../platform/iso-time.ts";
import { readPauses, restingKind, restingRecord, scopeText } from "../../nodes/index.ts";
import type { PauseView } from "../../schedules/index.ts";

/** What holds a record back together with others, if something does. */
export async function heldBackBy(
  { ledger, now }: Context,
  record: AnyRecord,
): Promise<PauseView | null> {
  if (record.endedAt !== null) return null;
  const pauses = await readPauses(ledger);
  const pause = restingKind(pauses, record.kind, now()) ?? restingRecord(pauses, record, now());
  if (pause === undefined) return null;
  const { scope, until, reason } = pause.body;
  const since = isoOf(pause.createdAt);
  return { scope: scopeText(scope), by: pause.by, since, until: isoOr(until), reason };
}
