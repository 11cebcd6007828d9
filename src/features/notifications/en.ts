const targets = {
  asked: "the request named this target",
  origin: "the request came from there",
  home: "no target was named: it goes to the owner's home",
  inbox: "no target was named and no home is set: it goes to the inbox",
  import: "it was imported: it goes to all attached listeners",
};

export interface Imported {
  /** Nothing was written. */
  readonly dry_run?: true | undefined;
  readonly imported: number;
  readonly known: number;
  readonly ended: number;
  readonly refused: number;
}

export interface CancelledAll {
  readonly cancelled: number;
  readonly cancelling: number;
  /** They matched, and have ended meanwhile or are over the limit of one request. */
  readonly left: number;
}

export const en = {
  inPlaceOf: (id: string) => `It replaces ${id}.`,
  requestedBefore: ({ state, when, target }: { state: string; when: string; target: string }) =>
    `Already requested with this key (${state}): ${when} → ${target}`,
  requestedAndPruned: () =>
    "Already requested with this key. It has ended, and its record has been pruned.",
  changed: ({ when, target }: { when: string; target: string }) => `Changed: ${when} → ${target}`,
  imported: ({ dry_run: isDry, imported, known, ended, refused }: Imported) =>
    `${isDry ? "Would import" : "Imported"} ${imported}; imported before: ${known}, already ended: ${ended} (kept, never sent), different from the ledger: ${refused}.`,

  nothingListed: () =>
    'No notifications.\nCreate one: daybook remind "stand-up" --at "tomorrow 9am"; include those that have ended: daybook list --all',

  webhookAdded: (about: { target: string; secret: string; isFresh: boolean }) =>
    `${about.isFresh ? "" : "Already registered with this key.\n"}${about.target}\nIts messages are signed with this secret. It is shown only now:\n${about.secret}`,
  noWebhooks: () => "There are no webhooks.\nRegister one: daybook webhook create URL",
  webhookRemoved: () => "Removed. Notifications for it will fail.",
  receipt: (receipt: string) => `, receipt ${receipt}`,
  mayHaveArrived: (isDelivered: boolean): string =>
    isDelivered
      ? "; an earlier attempt may also have arrived"
      : "; an attempt may have arrived all the same",
  replaces: ({ id, state }: { id: string; state: string }) =>
    `it replaced ${id} (${state}): same collapse key`,
  /** Why it has this target. */
  targetBecause: (because: keyof typeof targets) => targets[because],
  dueAt: ({ when, typed, late }: { when: string; typed: string; late: string | null }) =>
    `${when}, typed as ${typed}${late === null ? "" : `, delivered ${late} later`}`,
  quiet: (hours: string) => `quiet hours ${hours} apply at its time`,
  urgent: () => "high priority: quiet hours do not delay it",
  atMostOnce: () => "at most once: never sent twice, and possibly lost",
  expires: (when: string) => `expires at ${when}`,
  collapses: (key: string) => `a newer notification with the collapse key ${key} replaces it`,
  nobodyListens: (target: string) =>
    target.startsWith("inbox:")
      ? `No terminal shows ${target} now: the message waits until you run daybook attach. To have messages on a phone from now on: set channels.ntfy in daybook.yaml (ntfy: {} is enough), then daybook profile --home ntfy:TOPIC`
      : `Nobody is attached to ${target} now: the message waits until somebody is.`,
  waitsForListener: ({ target, command }: { target: string; command: string }) =>
    `it is delivered as soon as a listener attaches to ${target}: ${command}`,
  /** Why it has not been sent or run yet. */
  waits: {
    attempt: (by: string) => `in progress on ${by}`,
    quietHours: (until: string) => `quiet hours until ${until}`,
    meeting: (until: string) => `a meeting until ${until}`,
    paused: (about: { scope: string; until: string | null; reason: string | null }) =>
      `paused: ${about.scope}${about.until === null ? "" : `, until ${about.until}`}${about.reason === null ? "" : ` (${about.reason})`}`,
    retry: (about: { attempt: string; reason: string; when: string }) =>
      `attempt ${about.attempt} failed (${about.reason}); the next is on ${about.when}`,
    lane: (lane: string | null) => `behind others for ${lane ?? "the same target"}`,
    expiry: (when: string) => `it expires on ${when}, before it can be sent`,
    budget: (when: string) => `the budget of the day is used up; the next run is on ${when}`,
    node: ({ span, by }: { span: string; by: string | null }) =>
      `${by === null ? "due" : `interrupted on ${by}, due again`} for ${span}; if that is long, check that \`daybook start\` is running`,
  },
  /** A cancel of all that match. */
  cancelAll: {
    none: () => "No waiting notification matches.",
    would: (count: number) =>
      `${count} ${count === 1 ? "notification" : "notifications"} would be cancelled:`,
    others: (count: number) => `… and ${count} more`,
    cancelled: ({ cancelled, cancelling, left }: CancelledAll) =>
      [
        `Cancelled: ${cancelled}.`,
        ...(cancelling === 0 ? [] : [`Being sent, and cancelled if that fails: ${cancelling}.`]),
        ...(left === 0
          ? []
          : [`Not cancelled: ${left}. Repeat the request to cancel those that still wait.`]),
      ].join(" "),
  },
  digest: ({ count }: { count: number }) => `${count} messages came in quiet hours`,
  undeliverable: ({ target, since, reason }: { target: string; since: string; reason: string }) =>
    `Messages for ${target} cannot be delivered since ${since}: ${reason}`,
  downtime: ({ from, to, count }: { from: string; to: string; count: number }) =>
    `Daybook was down from ${from} to ${to}: ${count} of your notifications ${count === 1 ? "was" : "were"} late.`,

  /** The new state of a sent message, shown in place of its buttons. */
  marks: {
    done: "✓ Done",
    snoozed: (when: string) => `⏰ Snoozed: ${when}`,
    paused: "⏸ Paused",
    cancelled: "✗ Cancelled",
  },
};
