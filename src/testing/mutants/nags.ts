import type { Mutant } from "./table.ts";

/** Bugs in the promises of nags: sent on time, one at a time, counted right, and not after the end. */
export const nagMutants: readonly Mutant[] = [
  {
    name: "nags: a delivery is not counted",
    file: "features/nags/verdict.ts",
    find: "count: Math.min(count + 1, Number.MAX_SAFE_INTEGER),",
    replace: "count,",
  },
  {
    name: "nags: a failed send is counted",
    file: "features/nags/verdict.ts",
    find: 'if (state !== "delivered") return planRetry(situation, notification.outcome?.reason ?? state);\n',
    replace: "",
  },
  {
    name: "nags: the end of a notification does not wake its nag",
    file: "features/notifications/controller.ts",
    find: "if (wake === undefined ||",
    replace: "if (wake !== undefined ||",
  },
  {
    name: "nags: a nag does not wait for its notification",
    file: "features/nags/verdict.ts",
    find: 'if (endedAt === null) return { state: "active", wakeAt: now + recheckMsOf(record) };\n',
    replace: "",
  },
  {
    name: "nags: a round is sent twice",
    file: "features/nags/verdict.ts",
    find: "const round = outcome.round + 1;",
    replace: "const round = Math.max(outcome.round, 1);",
  },
  {
    name: "nags: a computed time holds no minute",
    file: "features/nags/plan.ts",
    find: "const holds = [...lastingHolds(owner, body), minuteHold(owner, minuteOf(time))];",
    replace: "const holds = lastingHolds(owner, body);",
  },
  {
    name: "nags: a curve's sleep is ignored",
    file: "features/nags/open-hours.ts",
    find: "if (asleep !== undefined) return asleep;\n",
    replace: "",
  },
  {
    name: "nags: a computed time is sent in quiet hours",
    file: "features/nags/verdict.ts",
    find: "const opens = isComputed(outcome) ? nextOpenTime(now, hours) : now;",
    replace: "const opens = now;",
  },
  {
    name: "nags: distances do not grow",
    file: "features/nags/curve.ts",
    find: "base.count * factor ** (number - 1)",
    replace: "base.count",
  },
  {
    name: "nags: a paused nag is sent",
    file: "features/nags/verdict.ts",
    find: 'if (state !== "active") return { ...pause(record, outcome), wakeAt: recheckAt(record, outcome) };\n',
    replace: "",
  },
  {
    name: "nags: a done nag is sent",
    file: "features/nags/verdict.ts",
    find: "if (record.cancelling || body.isDone === true) {",
    replace: "if (record.cancelling) {",
  },
  {
    name: "nags: a done nag does not recall its notification",
    file: "features/nags/change.ts",
    find: 'const consequences = recall(record, "done");',
    replace: "const consequences = {};",
  },
  {
    name: "nags: a snoozed nag does not recall its notification",
    file: "features/nags/change.ts",
    find: "consequences: recall(record, reason),",
    replace: "consequences: {},",
  },
  {
    name: "nags: a nag is sent before its time",
    file: "features/nags/verdict.ts",
    find: "if (now < at) {",
    replace: "if (now < at - 60_000) {",
  },
  {
    name: "nags: a change ignores the revision that it was decided on",
    file: "features/nags/change.ts",
    find: "return { kind, id, ifRevision: revision, holds: lastingHolds(owner, body) };",
    replace: "return { kind, id, holds: lastingHolds(owner, body) } as never;",
  },
];
