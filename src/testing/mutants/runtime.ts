import type { Mutant } from "./table.ts";

/** Bugs in the runtime, the deliverer and their rules. */
export const runtimeMutants: readonly Mutant[] = [
  {
    name: "runtime: an attempt is settled before it acts",
    file: "kernel/attempt.ts",
    find: "return { observed: await",
    replace: "await settle(parts, actAtOnce);\n    return { observed: await",
  },
  {
    name: "runtime: a late claim is acted on",
    file: "kernel/pool.ts",
    find: "if (trusted && !stopping",
    replace: "if (!stopping",
  },
  {
    name: "runtime: a save with a late answer is trusted",
    file: "kernel/lease-renewer.ts",
    find: "    if (!isTrusted(run.trustedUntil, readClocks(clock))) return abort",
    replace: "    if (false) return abort",
    test: {
      file: "kernel/runtime.test.ts",
      name: "an act whose save is answered after its lease is aborted",
    },
  },
  {
    name: "runtime: the node's clock replaces the store's",
    file: "kernel/runtime.ts",
    find: "storeClock.sync(claim.now)",
    replace: "storeClock.sync(clock.wall())",
  },
  {
    name: "runtime: an idle loop does not poll",
    file: "kernel/runtime.ts",
    find: "if (claim.nextWakeAt === null) return pollMs;",
    replace: "if (claim.nextWakeAt === null) return Infinity;",
  },
  {
    name: "runtime: a freed slot does not wake the claim loop",
    file: "kernel/runtime.ts",
    find: "if (isFull) claims.wake();",
    replace: "",
  },
  {
    name: "runtime: all settles of a batch get the first answer",
    file: "kernel/commit-batcher.ts",
    find: "answer(answers[index] ??",
    replace: "answer(answers[0] ??",
  },
  {
    name: "runtime: a started record is released as unstarted",
    file: "kernel/attempt.ts",
    find: "return controller.decide(fresh, result.observed, facts);",
    replace: "return { unstarted: true, wakeAt: 0 };",
  },
  {
    name: "runtime: a failed settle gives the record back as unstarted",
    file: "kernel/attempt.ts",
    find: "await parts.batcher.settle(unit);",
    replace:
      "await parts.batcher.settle(unit).catch(() => parts.batcher.settle({ id, fence: lease.fence, unstarted: true, wakeAt: 0 }));",
  },
  {
    name: "nodes: takes over the records of a live process",
    file: "features/nodes/takeover.ts",
    find: " || !isGone(pid, process)",
    replace: "",
    test: {
      file: "features/nodes/takeover.test.ts",
      name: "a live process keeps its records",
    },
  },
  {
    name: "runtime: stops without waiting for running attempts",
    file: "kernel/pool.ts",
    find: "await Promise.all(working);",
    replace: "",
  },
  {
    name: "deliverer: an unknown outcome counts as delivered",
    file: "features/notifications/sender.ts",
    find: '{ result: "unknown", reason: `no answer',
    replace: '{ result: "delivered", receipt: `no answer',
  },
  {
    name: "deliverer: a channel that throws is retried as not sent",
    file: "features/notifications/sender.ts",
    find: 'result: "unknown", reason: messageOf(error)',
    replace: 'result: "retry", reason: messageOf(error)',
  },
  {
    name: "deliverer: a send has no time limit",
    file: "features/notifications/sender.ts",
    find: "timeoutMs = 30_000",
    replace: "timeoutMs = 2 ** 31 - 1",
  },
  {
    name: "deliverer: a retry carries another id",
    file: "features/notifications/message.ts",
    find: "    id,\n    owner,\n    address,",
    replace: "    id: `${id} ${record.attempt}`,\n    owner,\n    address,",
  },
  {
    name: "deliverer: a lapsed attempt counts as not sent",
    file: "features/notifications/wait-verdict.ts",
    find: "return record.lapses > 0 || (",
    replace: "return (",
  },
  {
    name: "deliverer: an unknown outcome counts as not sent",
    file: "features/notifications/delivery.ts",
    find: 'maybeDelivered: maybeDelivered(record) || sent.result === "unknown"',
    replace: "maybeDelivered: maybeDelivered(record)",
  },
  {
    name: "deliverer: a postponed message is sent",
    file: "features/notifications/delivery.ts",
    find: "if (isPostponed(record, facts)) {",
    replace: "if (record.attempt < 0) {",
  },
];
