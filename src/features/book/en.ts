export type Label =
  | "message"
  | "because"
  | "asked"
  | "time"
  | "rules"
  | "runs"
  | "attempts"
  | "said"
  | "changes"
  | "next";

export interface Attempt {
  attempt: string;
  by: string;
  state: string;
  took: string | null;
  /** When it began; null where another line says it. */
  when: string | null;
}

const began = (when: string | null): string => (when === null ? "" : `, began ${when}`);

export const en = {
  nothingForeseen: () => "Nothing would happen.",
  foreseen: (what: "say" | "run") => ({ say: "say", run: "run" })[what],
  clocksChange: (hours: number) => `(the clocks change: this day has ${hours} hours)`,
  moreForeseen: (count: number) =>
    `These are the first ${count}: choose a shorter time or a higher limit to see the rest.`,

  cancelled: () => "Cancelled.",
  cancelledBefore: () => "It had been cancelled already.",
  cancelling: () =>
    "It is being sent right now: no further attempt starts, but this one may still arrive.",

  snoozed: ({ when, target }: { when: string; target: string }) => `Put off: ${when} → ${target}`,
  /** It had been said, and is not said again. */
  done: () => "Done.",
  /** It was still to be said, or said again. */
  doneUnsaid: () => "Done: what was still to be said is not said any more.",
  nothingUntil: (when: string) => `Nothing until ${when}.`,

  whoYouAre: ({ owner, principal, scopes }: { owner: string; principal: string; scopes: string }) =>
    `${principal} in the book of ${owner}, may ${scopes}`,
  waiting: (count: string) => `inbox       ${count} waiting`,

  settingsChanged: (keys: readonly string[]) =>
    keys.length === 0 ? "Nothing has changed." : `Changed: ${keys.join(", ")}.`,
  settingsWait: (keys: readonly string[]) => `Takes effect at the next start: ${keys.join(", ")}.`,

  /** The names before the lines of a story. */
  label: (name: Label): string => name,
  because: ({ kind, id, state }: { kind: string; id: string; state: string }) =>
    `${kind} ${id}, ${state}`,
  askedBy: ({ by, when, origin }: { by: string; when: string; origin: string | null }) =>
    `by ${by} on ${when}${origin === null ? "" : ` in ${origin}`}`,
  attempt: ({ attempt, by, state, took, when }: Attempt) =>
    `${attempt} on ${by} left it ${state}${took === null ? "" : ` after ${took}`}${began(when)}`,
  cutOff: ({ attempt, by, when }: { attempt: string; by: string; when: string | null }) =>
    `${attempt} on ${by} was cut off: its fate is unknown${began(when)}`,
  cancelAsked: ({ by, when }: { by: string; when: string }) =>
    `cancel asked by ${by} on ${when}, while an attempt was under way`,
  earlierLeftOut: (count: string) => `${count} earlier left out`,
  waitsForNothing: () => "it waits for an answer or an edit",
  overdue: ({ span, cutOff }: { span: string; cutOff: string | null }) =>
    `${cutOff === null ? "due" : `${cutOff} was cut off: due again`} for ${span}; if that is long, see that \`daybook start\` runs`,
  atWork: ({ by, isCancelling }: { by: string; isCancelling: boolean }) =>
    `${by} is at work on it${isCancelling ? "; then it ends cancelled" : ""}`,
  rests: (about: { scope: string; until: string | null; reason: string | null }) =>
    `⏸ Resting: ${about.scope}${about.until === null ? "" : `, until ${about.until}`}${about.reason === null ? "" : ` (${about.reason})`}. What comes due waits.`,
  /** What was put back is looked at within a minute. */
  goesOn: (isPutBack: boolean) =>
    `It goes on, within ${isPutBack ? "a minute at most" : "seconds"}.`,
};
