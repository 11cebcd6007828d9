import type { Context } from "../../../kernel/operation.ts";
import type { Profile } from "../../../kernel/profile.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import { idFrom } from "../../../platform/ids.ts";
import { canonical } from "../../../platform/json.ts";
import { checkedRoute } from "../../notifications/index.ts";
import { makeNag, type Nag, type NagKind } from "../kind.ts";
import { curveNamed, defaultCurve } from "../named-curves.ts";

/** The record id of a nag that a syncing client created follows from the owner and the client's id. */
export function alarmRecordId(owner: string, alarmId: string): string {
  return idFrom(canonical(["alarm", owner, alarmId]));
}

/** The client's id of a nag. A nag that was created elsewhere has only its record id. */
export function alarmIdOf({ id, body }: Nag): string {
  return body.alarmId ?? id;
}

/** The zone of an owner without one: the default of the program that these clients were written for. */
const seoul = "Asia/Seoul";

/** The zone of the request; undefined: the nag follows its owner's zone. */
function zoneFor({ zoneFrom }: Profile, request: string | undefined): string | undefined {
  return request ?? (zoneFrom === "host" ? seoul : undefined);
}

interface AlarmRequest extends Pick<NagKind["body"], "alarmId" | "quotaSlot"> {
  readonly page: string;
  readonly timezone?: string | undefined;
}

/** A nag about a page: due now, by the default curve, at its owner's home. */
export async function alarmDraft(
  { page, alarmId, timezone, quotaSlot }: AlarmRequest,
  context: Context,
): Promise<DraftOf<NagKind>> {
  const { owner, origin, profile } = context;
  const { target, reason } = await checkedRoute(undefined, context);
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
      zone: zoneFor(profile, timezone),
      alarmId,
      quotaSlot,
    },
    { owner, quiet: profile.quiet },
  );
  return { ...draft, id: alarmId && alarmRecordId(owner, alarmId) };
}

/** A record of a deleted alarm, so that the next pull reports the deletion. */
export function endedAlarm(draft: DraftOf<NagKind>, note: string): DraftOf<NagKind> {
  const { kind, body, id, parent } = draft;
  return { kind, body, id, parent, ends: "cancelled", note };
}
