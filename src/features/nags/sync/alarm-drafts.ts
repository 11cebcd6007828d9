import type { Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { Profile } from "../../../kernel/profile.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { routed } from "../../notifications/operations/target.ts";
import { alarmRecordId } from "./alarm.ts";
import { makeNag, type NagKind } from "../kind.ts";
import { curveNamed, usualCurve } from "../named-curves.ts";
import { freePlaces } from "../quota.ts";

/** Where the first reminders were made, and whoever has set nothing is taken to be. */
const seoul = "Asia/Seoul";

/** The zone that was asked for; else the owner's where one is set, which it follows from then on. */
function zoneFor(profile: Profile, request?: string): { zone?: string } {
  if (request !== undefined) return { zone: request };
  return profile.zoneFrom === "host" ? { zone: seoul } : {};
}

interface AlarmAsked {
  readonly page: string;
  /** The client's own id for it. */
  readonly alarmId?: string;
  readonly timezone?: string | undefined;
  /** Which of its owner's places it takes: there are only so many. */
  readonly place?: number | undefined;
}

/** Places for so many more, none of them taken now. */
export async function placesFor(count: number, context: Context): Promise<readonly number[]> {
  if (count === 0) return [];
  const { owner } = context;
  const free = await freePlaces(bookOf(context), owner);
  if (free.length < count) {
    const sentence = `The book of ${quote(owner)} may have ${free.length} more things that are said until they are done, not ${count}: finish or delete some first.`;
    throw new DaybookError("held", sentence, { details: { left: free.length } });
  }
  // Not from the first on: those who ask at the same time would want the same ones.
  const from = Buffer.from(context.randomBytes(4)).readUInt32BE() % free.length;
  return [...free.slice(from), ...free.slice(0, from)].slice(0, count);
}

/** What is said of a page until it is done: due now, further and further apart, where its owner is reached. */
export async function alarmDraft(request: AlarmAsked, context: Context): Promise<DraftOf<NagKind>> {
  const { owner, origin, profile } = context;
  const { page, alarmId, timezone, place } = request;
  const { target, because } = await routed(undefined, context);
  const draft = makeNag(
    {
      about: { page },
      curveName: usualCurve,
      curve: curveNamed(usualCurve, context),
      target,
      because,
      origin,
      at: context.now(),
      atText: "now",
      ...zoneFor(profile, timezone),
      ...(alarmId === undefined ? {} : { alarmId }),
      ...(place === undefined ? {} : { place }),
    },
    { owner, quiet: profile.quiet },
  );
  return alarmId === undefined ? draft : { ...draft, id: alarmRecordId(owner, alarmId) };
}

/** Written only so that its client hears that it is gone. */
export function endedAlarm(draft: DraftOf<NagKind>, note: string): DraftOf<NagKind> {
  const { kind, body, id, parent } = draft;
  return { kind, body, ends: "cancelled", note, ...(id && { id }), ...(parent && { parent }) };
}
