import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import { hasCode, messageOf, type DaybookError } from "../../platform/errors.ts";
import type { Done } from "./act.ts";
import { flowBack } from "./flow-back.ts";
import type { CalendarKind } from "./kind.ts";

type Owned = Pick<Claimed<CalendarKind>, "owner" | "body">;

/** A change that breaks a rule of notifications (an empty text, one that is too long) is not taken over. */
export function checkedFlow(done: Done, { owner, body }: Owned, profile: Profile): Done {
  try {
    flowBack(done.item.source, done.step, { owner, profile, calendar: body.name });
    return done;
  } catch (error) {
    return refusedFlow(done, messageOf(error));
  }
}

/** What is there is recorded as known, so that the next pass writes the book's own content over it. */
function refusedFlow(done: Done, reason: string): Done {
  const { step, outcome } = done;
  if (step.do !== "take over" || outcome === null) return done;
  const { location, content } = step;
  return {
    ...done,
    step: { do: "note", location, content },
    outcome: { ...outcome, conflict: content, error: reason },
  };
}

interface Flows {
  readonly done: readonly Done[];
  readonly isComplete: boolean;
  readonly position: { readonly token: string | null };
  readonly profile: Profile;
}

/**
 * The pass without changes of the book that were refused. Which one it was is not always said, so of several only the
 * first is kept, and the others follow in the next pass. Undefined: it was no change from the calendar.
 */
export function withoutFlow<Seen extends Flows>(
  record: Owned & Pick<Claimed<CalendarKind>, "outcome">,
  seen: Seen,
  refused: DaybookError,
): Seen | undefined {
  const { owner, body, outcome } = record;
  const whose = { owner, profile: seen.profile, calendar: body.name };
  const isFlow = ({ item, step }: Done): boolean =>
    flowBack(item.source, step, whose) !== undefined;
  const [first, ...others] = seen.done.filter(isFlow);
  if (first === undefined) return undefined;
  const { message } = refused;
  const isOutdated = hasCode(refused, "stale") || hasCode(refused, "ended");
  const isRefused = others.length === 0 && !isOutdated && first.step.do === "take over";
  const done = seen.done.flatMap((each) => {
    if (!isFlow(each)) return [each];
    if (isRefused) return [refusedFlow(each, message)];
    return others.length > 0 && each === first ? [each] : [];
  });
  if (isRefused) return { ...seen, done };
  // The others are read again, from the old token.
  const position = { ...seen.position, token: outcome?.token ?? null };
  return { ...seen, done, position, isComplete: false };
}
