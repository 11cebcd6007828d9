import type { Context } from "../../../kernel/operation.ts";
import type { Profile } from "../../../kernel/profile.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import { idFrom } from "../../../platform/ids.ts";
import { canonical } from "../../../platform/json.ts";
import { routed } from "../../notifications/index.ts";
import { makeNag, type NagKind, nagOutcome } from "../kind.ts";
import { curveNamed, defaultCurve } from "../named-curves.ts";

type Nag = LedgerRecord<NagKind>;

/** The record's id of a nag that a syncing client made: the owner and the client's id lead to it. */
export function alarmRecordId(owner: string, alarmId: string): string {
  return idFrom(canonical(["alarm", owner, alarmId]));
}

/** The client's id of it; a nag that was made elsewhere has only its own. */
export function alarmIdOf({ id, body }: Nag): string {
  return body.alarmId ?? id;
}

/** Whether a syncing client still has it: a nag that is done, or being deleted, is gone for the client. */
export function isAlarm({ endedAt, cancelling, body }: Nag): boolean {
  return endedAt === null && !cancelling && body.isDone !== true;
}

/** When it is sent next; null while it is being sent, or paused. */
export function alarmTime(record: Nag): number | null {
  const { asked, nextAt } = nagOutcome(record);
  if (record.state !== "active") return null;
  return asked === record.body.asked ? nextAt : record.body.at;
}

/** The zone of an owner who has set none: that of the program whose clients these are. */
const seoul = "Asia/Seoul";

/** The zone of the request; else the owner's, which it follows from then on. */
function zoneFor(profile: Profile, request?: string): { zone?: string } {
  if (request !== undefined) return { zone: request };
  return profile.zoneFrom === "host" ? { zone: seoul } : {};
}

interface AlarmRequest {
  readonly page: string;
  /** The client's own id for it. */
  readonly alarmId?: string;
  readonly timezone?: string | undefined;
  /** The slot it takes of its owner's limit. */
  readonly quotaSlot?: number | undefined;
}

/** A nag about a page: due now, by the default curve, at its owner's home. */
export async function alarmDraft(
  request: AlarmRequest,
  context: Context,
): Promise<DraftOf<NagKind>> {
  const { owner, origin, profile } = context;
  const { page, alarmId, timezone, quotaSlot } = request;
  const { target, reason } = await routed(undefined, context);
  const draft = makeNag(
    {
      about: { page },
      curveName: defaultCurve,
      curve: curveNamed(defaultCurve, context),
      target,
      targetReason: reason,
      origin,
      at: context.now(),
      atText: "now",
      ...zoneFor(profile, timezone),
      alarmId,
      quotaSlot,
    },
    { owner, quiet: profile.quiet },
  );
  return alarmId === undefined ? draft : { ...draft, id: alarmRecordId(owner, alarmId) };
}

/** Written only so that the next pull reports it as deleted. */
export function endedAlarm(draft: DraftOf<NagKind>, note: string): DraftOf<NagKind> {
  const { kind, body, id, parent } = draft;
  return { kind, body, ends: "cancelled", note, ...(id && { id }), ...(parent && { parent }) };
}
