export type Label =
  | "message"
  | "cause"
  | "request"
  | "time"
  | "rules"
  | "runs"
  | "attempts"
  | "sent"
  | "changes"
  | "next";

export interface Attempt {
  attempt: string;
  by: string;
  state: string;
  took: string | null;
  /** When it started; null where another line shows it. */
  when: string | null;
}

/** What an import did, or would do. */
export interface ImportCounts {
  dry_run: boolean;
  created: number;
  existing: number;
  started: number;
  refused: number;
}

export interface KindCounts {
  kind: string;
  created: number;
  existing: number;
}

const started = (when: string | null): string => (when === null ? "" : `, started ${when}`);

export const en = {
  nothingForeseen: () => "Nothing would happen.",
  foreseen: (what: "say" | "run") => ({ say: "send", run: "run" })[what],
  clocksChange: (hours: number) => `(clocks change: this day has ${hours} hours)`,
  moreForeseen: (count: number) =>
    `These are the first ${count}. For the rest, choose a shorter span or a higher limit.`,

  cancelled: () => "Cancelled.",
  cancelledBefore: () => "It was cancelled before.",
  doneBefore: () => "It was marked as done before.",
  cancelling: () =>
    "It is being sent right now: no further attempt starts, but this one may still arrive.",

  snoozed: ({ when, target }: { when: string; target: string }) => `Snoozed: ${when} → ${target}`,
  /** It had been delivered. */
  done: () => "Done.",
  /** It, or a copy of it, was still waiting. */
  doneUnsent: () => "Done. What was waiting is not sent.",
  thenEvery: (every: string) => `… then ${every}`,
  nothingUntil: (when: string) => `Nothing until ${when}.`,

  whoYouAre: ({ owner, principal, scopes }: { owner: string; principal: string; scopes: string }) =>
    `${principal} in the book of ${owner}, scopes: ${scopes}`,
  waiting: (count: string) => `inbox       ${count} waiting`,

  imported: (result: ImportCounts) => {
    const { dry_run: isDry, created, existing, started, refused } = result;
    const before = existing === 0 ? [] : [`${existing} here already`];
    const wrong = refused === 0 ? [] : [`${refused} refused`];
    if (isDry)
      return `${[`Would create ${created}`, ...before, ...wrong].join(", ")}. Nothing was written.`;
    const others = started === 0 ? [] : [`${started} of an interrupted import started`];
    return `${[`Created ${created}`, ...before, ...others].join(", ")}.`;
  },
  importedKind: ({ kind, created, existing }: KindCounts) =>
    `  ${kind}: ${created} new, ${existing} here already`,
  knownAs: ({ line, id, as }: { line: number; id: string; as: string }) =>
    `line ${line}: ${id} is here already as ${as}, which has its key`,
  newSecret: ({ id, secret }: { id: string; secret: string }) =>
    `The calls of ${id} are signed with this new secret, which is not shown again: ${secret}`,

  settingsChanged: (keys: readonly string[]) =>
    keys.length === 0 ? "No setting has changed." : `Changed: ${keys.join(", ")}.`,
  settingsWait: (keys: readonly string[]) => `Takes effect after a restart: ${keys.join(", ")}.`,

  /** The labels of the lines. */
  label: (name: Label): string => name,
  because: ({ kind, id, state }: { kind: string; id: string; state: string }) =>
    `${kind} ${id}, ${state}`,
  requestedBy: ({ by, when, origin }: { by: string; when: string; origin: string | null }) =>
    `by ${by} on ${when}${origin === null ? "" : ` in ${origin}`}`,
  attempt: ({ attempt, by, state, took, when }: Attempt) =>
    `${attempt} on ${by} left it ${state}${took === null ? "" : ` after ${took}`}${started(when)}`,
  attempts: (about: Omit<Attempt, "took" | "when"> & { count: string; from: string; to: string }) =>
    `${about.attempt} on ${about.by} left it ${about.state}, ${about.count} times between ${about.from} and ${about.to}`,
  cutOff: ({ attempt, by, when }: { attempt: string; by: string; when: string | null }) =>
    `${attempt} on ${by} was interrupted: its result is unknown${started(when)}`,
  cancelRequested: ({ by, when }: { by: string; when: string }) =>
    `cancel requested by ${by} on ${when}, during an attempt`,
  earlierLeftOut: (count: string) => `${count} earlier ones not shown`,
  waitsForNothing: () => "it waits for an answer or an edit",
  overdue: ({ span, cutOff }: { span: string; cutOff: string | null }) =>
    `${cutOff === null ? "due" : `interrupted on ${cutOff}, due again`} for ${span}; if that is long, check that \`daybook start\` is running`,
  atWork: ({ by, isCancelling }: { by: string; isCancelling: boolean }) =>
    `in progress on ${by}${isCancelling ? ", then cancelled" : ""}`,
  paused: (about: { scope: string; until: string | null; reason: string | null }) =>
    `⏸ Paused: ${about.scope}${about.until === null ? "" : `, until ${about.until}`}${about.reason === null ? "" : ` (${about.reason})`}. Records that come due wait.`,
  /** Records that were claimed and put back are claimed again within a minute. */
  resumed: (isPutBack: boolean) =>
    `Resumed. Work continues within ${isPutBack ? "a minute" : "seconds"}.`,
};
