import type { Mutant } from "./table.ts";

/** Bugs in what is promised of one message: when, how often, where, and to whom. */
export const notificationMutants: readonly Mutant[] = [
  {
    name: "once: expiry is ignored",
    file: "features/notifications/expiry.ts",
    find: "return now >= (body.expiresAt ?? Infinity);",
    replace: "return now < 0 && body.expiresAt === 0;",
  },
  {
    name: "once: what waits for a listener expires only when one comes",
    file: "features/notifications/expiry.ts",
    find: "consequences: { edit: [moved] } }",
    replace: "note: moved.note }",
  },
  {
    name: "once: it expires although quiet hours end before",
    file: "features/notifications/wait-verdict.ts",
    find: "if (hasExpired(record, until)) return expire(",
    replace: "if (record.body.expiresAt) return expire(",
  },
  {
    name: "once: what is said at most once is tried again",
    file: "features/notifications/delivery.ts",
    find: "  if (record.body.atMostOnce === true && maybeDelivered(record)) return unconfirmed(record);\n",
    replace: "",
  },
  {
    name: "once: a plain failure leaves it unconfirmed",
    file: "features/notifications/delivery.ts",
    find: 'if (seen.result === "unknown" && record.body.atMostOnce === true) {',
    replace: "if (record.body.atMostOnce === true) {",
  },
  {
    name: "once: what is said at most once goes into a digest",
    file: "features/notifications/wait-verdict.ts",
    find: 'if (record.body.atMostOnce === true || record.body.type === "digest") {',
    replace: 'if (record.body.type === "digest") {',
  },
  {
    name: "once: quiet hours are ignored",
    file: "features/notifications/controller.ts",
    find: 'if (until !== undefined) return { result: "quiet", until };',
    replace: "",
  },
  {
    name: "once: a digest is said in quiet hours",
    file: "features/notifications/controller.ts",
    find: 'if (until !== undefined) return { result: "quiet", until };',
    replace:
      'if (until !== undefined && record.body.type !== "digest") return { result: "quiet", until };',
  },
  {
    name: "once: what is urgent waits for quiet hours",
    file: "features/notifications/controller.ts",
    find: 'if (quiet === null || priority === "high") return undefined;',
    replace: "if (quiet === null) return undefined;",
  },
  {
    name: "once: a digest forgets its members on a retry",
    file: "features/notifications/delivery.ts",
    find: "return { ...verdict, outcome: { ...verdict.outcome, progress: outcome.progress } };",
    replace: "return verdict;",
  },
  {
    name: "once: a digest is said before it is written down who is in it",
    file: "features/notifications/controller.ts",
    find: "await saved.save(saved.progress);",
    replace: "",
  },
  {
    name: "once: a member is sent alone although its digest was said",
    file: "features/notifications/digest.ts",
    find: 'if (digest.state === "delivered" && isIn) {',
    replace: 'if (digest.state === "pending" && isIn) {',
  },
  {
    name: "once: a digest takes whatever waits",
    file: "features/notifications/digest.ts",
    find: "record.outcome?.digest === digest.id;",
    replace: 'record.body.type !== "digest";',
  },
  {
    name: "once: a digest says what was moved to later",
    file: "features/notifications/digest.ts",
    find: "record.body.at <= digest.body.at &&",
    replace: "",
  },
  {
    name: "once: a digest says what has expired",
    file: "features/notifications/digest.ts",
    find: "!hasExpired(record, digest.lease.claimedAt) &&",
    replace: "",
  },
  {
    name: "once: a digest says what was taken back",
    file: "features/notifications/digest.ts",
    find: "record.endedAt === null &&",
    replace: "",
  },
  {
    name: "once: a notice carries the message",
    file: "features/notifications/failure-notice.ts",
    find: "textsOf(language).undeliverable({ target, since, reason });",
    replace: "textsOf(language).undeliverable({ target, since, reason: body.message });",
  },
  {
    name: "once: a notice's key has no hour",
    file: "features/notifications/failure-notice.ts",
    find: "`undeliverable:${target}:${hour}`",
    replace: "`undeliverable:${target}`",
  },
  {
    name: "once: an ack of one owner settles another's",
    file: "features/notifications/listeners.ts",
    find: "waiting.get(`${target} ${id}`)?.({",
    replace: "[...waiting].find(([key]) => key.endsWith(` ${id}`))?.[1]({",
  },
  {
    name: "once: a listener that leaves has heard it",
    file: "features/notifications/listeners.ts",
    find: '{ result: "absent", reason: "the listener detached", maybe: true }',
    replace: '{ result: "delivered", receipt: { session: listener.name } }',
  },
  {
    name: "once: what was shown and not confirmed was never shown",
    file: "features/notifications/listeners.ts",
    find: 'settle({ result: "absent", reason: "no listener confirmed it", maybe: true });',
    replace: 'settle({ result: "absent", reason: "no listener confirmed it", maybe: false });',
  },
  {
    name: "once: an absence counts as an attempt",
    file: "features/notifications/wait-verdict.ts",
    find: 'return { state: "pending", wakeAt, freshStart: true, outcome };',
    replace: 'return { state: "pending", wakeAt, outcome };',
  },
  {
    name: "once: progress is not passed on",
    file: "features/notifications/sender.ts",
    find: "progress: inner ? ((known as { sent?: Json }).sent ?? null) : known,",
    replace: "progress: null,",
  },
  {
    name: "once: a retry forgets the progress",
    file: "features/notifications/delivery.ts",
    find: "      ...record.outcome,\n      receipt: null,",
    replace: "      receipt: null,",
  },
  {
    name: "once: sent although the lease was lost while it was read up",
    file: "features/notifications/sender.ts",
    find: "if (signal.aborted || !handle.isTrusted()) return stopped();",
    replace: "",
  },
  {
    name: "once: a node stops while a listener's lane still works",
    file: "features/notifications/listeners.ts",
    find: "await Promise.all([...open, ...closing]);",
    replace: "await Promise.all(open);",
  },
];
