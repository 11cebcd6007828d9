const targets = {
  asked: "it goes where it was told to",
  origin: "it answers only there",
  home: "it goes home: no target was named",
  inbox: "it goes to the inbox: no target was named, and there is no home",
  import: "it was imported: it goes to whoever listens",
};

export interface Imported {
  readonly imported: number;
  readonly known: number;
  readonly skipped: number;
  readonly refused: number;
}

export const en = {
  inPlaceOf: (id: string) => `It takes the place of ${id}.`,
  askedBefore: ({ state, when, target }: { state: string; when: string; target: string }) =>
    `Already asked, and ${state}: ${when} → ${target}`,
  askedAndForgotten: () => "Already asked, done, and forgotten since.",
  changed: ({ when, target }: { when: string; target: string }) => `Changed: ${when} → ${target}`,
  imported: ({ imported, known, skipped, refused }: Imported) =>
    `Imported ${imported}; ${known} had been before, ${skipped} are over, ${refused} differ from what is here.`,

  nothingListed: () => "Nothing to show. What has ended is shown by --all.",

  webhookAdded: (about: { target: string; secret: string; isFresh: boolean }) =>
    `${about.isFresh ? "" : "Already registered with this key.\n"}${about.target}\nIts messages are signed with this secret, which is shown only now:\n${about.secret}`,
  noWebhooks: () => "There are no webhooks.",
  webhookRemoved: () => "Removed. What was meant for it fails and says so.",
  receipt: (receipt: string) => `, receipt ${receipt}`,
  mayHaveArrived: (isDelivered: boolean): string =>
    isDelivered
      ? "; an earlier attempt may also have arrived"
      : "; an attempt may have arrived all the same",
  replaces: ({ id, state }: { id: string; state: string }) =>
    `it took the place of ${id} (${state}): same collapse key`,
  /** Why it goes where it goes. */
  targetBecause: (because: keyof typeof targets) => targets[because],
  dueAt: ({ when, words, late }: { when: string; words: string; late: string | null }) =>
    `${when}, asked as ${words}${late === null ? "" : `, said ${late} after that`}`,
  quiet: ({ hours, isInForce }: { hours: string; isInForce: boolean }) =>
    `quiet hours ${hours} ${isInForce ? "in force at its time" : "not in force at its time"}`,
  urgent: () => "urgent: quiet hours do not hold it",
  atMostOnce: () => "at most once: rather never than twice",
  expires: (when: string) => `not said after ${when}`,
  collapses: (key: string) => `a newer one with the collapse key ${key} takes its place`,
  waitsForListener: (target: string) =>
    `it is said as soon as somebody listens at ${target}: daybook attach`,
  digest: ({ count }: { count: number }) => `${count} messages came in quiet hours`,
  undeliverable: ({ target, since, reason }: { target: string; since: string; reason: string }) =>
    `Messages for ${target} cannot be delivered since ${since}: ${reason}`,
  downtime: ({ from, to, count }: { from: string; to: string; count: number }) =>
    `I was down from ${from} to ${to}: ${count} ${count === 1 ? "item of yours was" : "items of yours were"} late.`,

  /** What a message that was sent shows of its new state, in place of its buttons. */
  marks: {
    done: "✓ Done",
    snoozed: (when: string) => `⏰ Put off: ${when}`,
    paused: "⏸ Paused",
    /** Taken back, or deleted: it is not said again. */
    cancelled: "✗ Cancelled",
  },
};
