import type { LedgerRecord } from "../../../kernel/record.ts";
import { idFrom } from "../../../platform/ids.ts";
import { canonical } from "../../../platform/json.ts";
import { seenOf, type NagKind } from "../kind.ts";

type Nag = LedgerRecord<NagKind>;

/** Where one stands that a client which syncs gave an id: whoever knows that and the owner finds it. */
export function alarmRecordId(owner: string, alarmId: string): string {
  return idFrom(canonical(["alarm", owner, alarmId]));
}

/** What a client calls it; one that was made elsewhere is called by its own id. */
export function alarmIdOf({ id, body }: Nag): string {
  return body.alarmId ?? id;
}

/** Whether those who sync still have it: what is done, or being deleted, is gone for them. */
export function isAlarm({ endedAt, cancelling, body }: Nag): boolean {
  return endedAt === null && !cancelling && body.isDone !== true;
}

/** When it is said next; null while it is being said, or rests. */
export function alarmTime(record: Nag): number | null {
  const { asked, nextAt } = seenOf(record);
  if (record.state !== "active") return null;
  return asked === record.body.asked ? nextAt : record.body.at;
}
