import type { Mutant } from "./table.ts";

/** Bugs in what is promised of one message: when, how often, where, and to whom. */
export const notificationMutants: readonly Mutant[] = [
  {
    name: "notifications: the expiry time is ignored",
    file: "features/notifications/expiry.ts",
    find: "return now >= (body.expiresAt ?? Infinity);",
    replace: "return now < 0 && body.expiresAt === 0;",
  },
  {
    name: "notifications: an inbox message expires only when a listener attaches",
    file: "features/notifications/expiry.ts",
    find: "consequences: { edit: [moved] } }",
    replace: "note: moved.note }",
  },
  {
    name: "notifications: a message expires although quiet hours end before",
    file: "features/notifications/wait-verdict.ts",
    find: 'if (hasExpired(record, until)) return expire(record, "it expires before quiet',
    replace: 'if (record.body.expiresAt) return expire(record, "it expires before quiet',
  },
  {
    name: "notifications: an at-most-once message is retried",
    file: "features/notifications/delivery.ts",
    find: "  if (record.body.atMostOnce === true && maybeDelivered(record)) return unconfirmed(record);\n",
    replace: "",
  },
  {
    name: "notifications: a plain failure ends unconfirmed",
    file: "features/notifications/delivery.ts",
    find: 'if (seen.result === "unknown" && record.body.atMostOnce === true) {',
    replace: "if (record.body.atMostOnce === true) {",
  },
  {
    name: "notifications: an at-most-once message goes into a digest",
    file: "features/notifications/wait-verdict.ts",
    find: 'if (record.body.atMostOnce === true || record.body.type === "digest") {',
    replace: 'if (record.body.type === "digest") {',
  },
  {
    name: "notifications: quiet hours are ignored",
    file: "features/notifications/controller.ts",
    find: 'if (until !== undefined) return { result: "quiet", until };',
    replace: "",
  },
  {
    name: "notifications: a digest is sent in quiet hours",
    file: "features/notifications/controller.ts",
    find: 'if (until !== undefined) return { result: "quiet", until };',
    replace:
      'if (until !== undefined && record.body.type !== "digest") return { result: "quiet", until };',
  },
  {
    name: "notifications: a high-priority message waits for quiet hours",
    file: "features/notifications/hold.ts",
    find: 'return priority !== "high" && body.type',
    replace: "return body.type",
  },
  {
    name: "notifications: a digest loses its members on a retry",
    file: "features/notifications/delivery.ts",
    find: "return { ...verdict, outcome: { ...verdict.outcome, progress: outcome.progress } };",
    replace: "return verdict;",
  },
  {
    name: "notifications: a digest is sent before its members are saved",
    file: "features/notifications/controller.ts",
    find: "await saved.save(saved.progress);",
    replace: "",
  },
  {
    name: "notifications: a member is sent alone after its digest",
    file: "features/notifications/digest.ts",
    find: 'if (digest.state === "delivered" && isIn) {',
    replace: 'if (digest.state === "pending" && isIn) {',
  },
  {
    name: "notifications: a digest takes members of other digests",
    file: "features/notifications/digest.ts",
    find: "record.outcome?.digest === digest.id;",
    replace: 'record.body.type !== "digest";',
  },
  {
    name: "notifications: a digest contains a message that was postponed",
    file: "features/notifications/digest.ts",
    find: "record.body.at <= digest.body.at &&",
    replace: "",
  },
  {
    name: "notifications: a digest contains an expired message",
    file: "features/notifications/digest.ts",
    find: "!hasExpired(record, digest.lease.claimedAt) &&",
    replace: "",
  },
  {
    name: "notifications: a digest contains a cancelled message",
    file: "features/notifications/digest.ts",
    find: "record.endedAt === null &&",
    replace: "",
  },
  {
    name: "notifications: a notice contains the message",
    file: "features/notifications/failure-notice.ts",
    find: "textsOf(language).undeliverable({ target, since, reason });",
    replace: "textsOf(language).undeliverable({ target, since, reason: body.message });",
  },
  {
    name: "notifications: the key of a notice has no hour",
    file: "features/notifications/failure-notice.ts",
    find: "`undeliverable:${target}:${hour}`",
    replace: "`undeliverable:${target}`",
  },
  {
    name: "notifications: an ack settles the message of another owner",
    file: "features/notifications/listeners.ts",
    find: "waiting.get(`${target} ${id}`)?.({",
    replace: "[...waiting].find(([key]) => key.endsWith(` ${id}`))?.[1]({",
  },
  {
    name: "notifications: a listener that detaches has confirmed",
    file: "features/notifications/listeners.ts",
    find: '{ result: "absent", reason: "the listener detached", maybe: true }',
    replace: '{ result: "delivered", receipt: { session: listener.name } }',
  },
  {
    name: "notifications: an unconfirmed message counts as never shown",
    file: "features/notifications/listeners.ts",
    find: 'settle({ result: "absent", reason: "no listener confirmed it", maybe: true });',
    replace: 'settle({ result: "absent", reason: "no listener confirmed it", maybe: false });',
  },
  {
    name: "notifications: an absent listener counts as an attempt",
    file: "features/notifications/wait-verdict.ts",
    find: 'return { state: "pending", wakeAt, freshStart: true, outcome };',
    replace: 'return { state: "pending", wakeAt, outcome };',
  },
  {
    name: "notifications: a retry does not get the progress",
    file: "features/notifications/sender.ts",
    find: "progress: inner ? ((known as { sent?: Json }).sent ?? null) : known,",
    replace: "progress: null,",
  },
  {
    name: "notifications: a retry loses the progress",
    file: "features/notifications/delivery.ts",
    find: "      ...record.outcome,\n      receipt: null,",
    replace: "      receipt: null,",
  },
  {
    name: "notifications: a message is sent after its lease is lost",
    file: "features/notifications/sender.ts",
    find: "if (signal.aborted || !handle.isTrusted()) return stopped();",
    replace: "",
  },
  {
    name: "notifications: a node stops before its listeners detach",
    file: "features/notifications/listeners.ts",
    find: "await Promise.all([...open, ...closing]);",
    replace: "await Promise.all(open);",
  },
];
