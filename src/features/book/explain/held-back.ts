import type { Context } from "../../../kernel/operation.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import { isoOf, isoOr } from "../../../platform/iso-time.ts";
import { readPauses, pauseOfKind, pauseOfRecord, scopeText } from "../../nodes/index.ts";
import type { PauseView } from "../../schedules/index.ts";

/** The pause that covers a record, if any. */
export async function heldBackBy(
  { ledger, now }: Context,
  record: AnyRecord,
): Promise<PauseView | null> {
  if (record.endedAt !== null) return null;
  const pauses = await readPauses(ledger);
  const pause = pauseOfKind(pauses, record.kind, now()) ?? pauseOfRecord(pauses, record, now());
  if (pause === undefined) return null;
  const { scope, until, reason } = pause.body;
  const since = isoOf(pause.createdAt);
  return { scope: scopeText(scope), by: pause.by, since, until: isoOr(until), reason };
}
