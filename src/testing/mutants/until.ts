import type { Mutant } from "./table.ts";

/** Bugs in what is promised of nags: said on time, once at a time, counted right, and not after the end. */
export const untilMutants: readonly Mutant[] = [
  {
    name: "until: what arrived is not counted",
    file: "features/nags/verdict.ts",
    find: "count: Math.min(count + 1, Number.MAX_SAFE_INTEGER),",
    replace: "count,",
  },
  {
    name: "until: what failed is counted",
    file: "features/nags/verdict.ts",
    find: 'if (state !== "delivered") return planRetry(situation, notification.outcome?.reason ?? state);\n',
    replace: "",
  },
  {
    name: "until: the end of what says it wakes nobody",
    file: "features/notifications/controller.ts",
    find: "if (wake === undefined ||",
    replace: "if (wake !== undefined ||",
  },
  {
    name: "until: it does not wait for what says it",
    file: "features/nags/verdict.ts",
    find: 'if (endedAt === null) return { state: "active", wakeAt: now + recheckMsOf(record) };\n',
    replace: "",
  },
  {
    name: "until: a round is made twice",
    file: "features/nags/verdict.ts",
    find: "const round = outcome.round + 1;",
    replace: "const round = Math.max(outcome.round, 1);",
  },
  {
    name: "until: a computed time holds no minute",
    file: "features/nags/plan.ts",
    find: "const holds = [...lastingHolds(owner, body), minuteHold(owner, minuteOf(time))];",
    replace: "const holds = lastingHolds(owner, body);",
  },
  {
    name: "until: nobody sleeps",
    file: "features/nags/open-hours.ts",
    find: "if (asleep !== undefined) return asleep;\n",
    replace: "",
  },
  {
    name: "until: a computed time is said in quiet hours",
    file: "features/nags/verdict.ts",
    find: "const opens = isComputed(outcome) ? nextOpenTime(now, hours) : now;",
    replace: "const opens = now;",
  },
  {
    name: "until: distances do not grow",
    file: "features/nags/curve.ts",
    find: "base.count * factor ** (number - 1)",
    replace: "base.count",
  },
  {
    name: "until: it is said though it rests",
    file: "features/nags/verdict.ts",
    find: 'if (state !== "active") return { ...pause(record, outcome), wakeAt: recheckAt(record, outcome) };\n',
    replace: "",
  },
  {
    name: "until: it is said though it is done",
    file: "features/nags/verdict.ts",
    find: "if (record.cancelling || body.isDone === true) {",
    replace: "if (record.cancelling) {",
  },
  {
    name: "until: what says it goes on when it is done",
    file: "features/nags/change.ts",
    find: 'const consequences = recall(record, "done");',
    replace: "const consequences = {};",
  },
  {
    name: "until: what says it goes on when it is put off",
    file: "features/nags/change.ts",
    find: "consequences: recall(record, reason),",
    replace: "consequences: {},",
  },
  {
    name: "until: it is said before its time",
    file: "features/nags/verdict.ts",
    find: "if (now < at) {",
    replace: "if (now < at - 60_000) {",
  },
  {
    name: "until: who changes it does not look at what it is by now",
    file: "features/nags/change.ts",
    find: "return { kind, id, ifRevision: revision, holds: lastingHolds(owner, body) };",
    replace: "return { kind, id, holds: lastingHolds(owner, body) } as never;",
  },
];
