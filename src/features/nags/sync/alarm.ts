import type { Context } from "../../../kernel/operation.ts";
import type { Profile } from "../../../kernel/profile.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import { idFrom } from "../../../platform/ids.ts";
import { canonical } from "../../../platform/json.ts";
import { checkedRoute } from "../../notifications/index.ts";
import { makeNag, type Nag, type NagKind } from "../kind.ts";
import { curveNamed, defaultCurve } from "../named-curves.ts";

/** The record's id of a nag that a syncing client made: the owner and the client's id lead to it. */
export function alarmRecordId(owner: string, alarmId: string): string {
  return idFrom(canonical(["alarm", owner, alarmId]));
}

/** The client's id of it; a nag that was made elsewhere has only its own. */
export function alarmIdOf({ id, body }: Nag): string {
  return body.alarmId ?? id;
}

/** The zone of an owner who has set none: that of the program whose clients these are. */
const seoul = "Asia/Seoul";

/** The zone of the request; else the owner's, which it follows from then on. */
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

/** Written only so that the next pull reports it as deleted. */
export function endedAlarm(draft: DraftOf<NagKind>, note: string): DraftOf<NagKind> {
  const { kind, body, id, parent } = draft;
  return { kind, body, id, parent, ends: "cancelled", note };
}
