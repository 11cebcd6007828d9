import type { Mutant } from "./table.ts";

const rates = "features/events/rate.test.ts";
const results = "features/events/router-results.test.ts";
const waitingOrder = "features/events/waiting-order.test.ts";

/** Bugs in when tasks of handlers start, are retried and are reclaimed. */
export const eventWaitMutants: readonly Mutant[] = [
  {
    name: "events: an abandoned task waits for another worker",
    file: "features/events/event-task.ts",
    find: "return wakeAt <= now && !lease.holder.startsWith(fileHolder);",
    replace: "return wakeAt < 0 && !lease.holder.startsWith(fileHolder);",
    test: { file: "features/events/workers.test.ts", name: "end after the last attempt" },
  },
  {
    name: "events: a worker loses its task before the lease ends",
    file: "features/events/event-task.ts",
    find: "return wakeAt <= now && !lease.holder.startsWith(fileHolder);",
    replace: "return wakeAt > 0 && !lease.holder.startsWith(fileHolder);",
    test: {
      file: "features/events/workers.test.ts",
      name: "are not confused with tasks that wait or are held",
    },
  },
  {
    name: "events: an urgent task waits for capacity behind others",
    file: "features/events/run-hook.ts",
    find: "waiting.toSorted(byUrgency).find(",
    replace: "waiting.find(",
    test: { file: waitingOrder, name: "end one by one" },
  },
  {
    name: "events: a task that waits for its retry is woken for capacity",
    file: "features/tasks/capacity.ts",
    find: "outcome?.isInLine === true && takesCapacity(record)",
    replace: "outcome?.hasTurn !== true && takesCapacity(record)",
    test: { file: waitingOrder, name: "when another fails" },
  },
  {
    name: "events: an interrupted attempt is retried at once",
    file: "features/events/run-hook.ts",
    find: "wakeAt: now + retryMsOf(record),",
    replace: "wakeAt: now,",
    test: { file: results, name: "whose node dies is retried" },
  },
  {
    name: "events: an interrupted attempt does not count",
    file: "features/events/run-hook.ts",
    find: "...sameAttempt(record, before), ...waiting",
    replace: "...before, ...waiting",
    test: { file: results, name: "whose node dies is retried" },
  },
  {
    name: "events: a start is not counted in the rate of its handler",
    file: "features/tasks/capacity.ts",
    find: "rate === undefined ? [] : [permitOf(rate, facts.now)];",
    replace: "rate === undefined ? [] : [permitOf({ ...rate, max: rate.max * 10 }, facts.now)];",
    test: { file: rates, name: "no more of its tasks start in a minute" },
  },
  {
    name: "events: a retry is not counted in the rate of its handler",
    file: "features/tasks/capacity.ts",
    find: "return rate === undefined ? {} : { hasTurn: false };",
    replace: "return {};",
    test: { file: rates, name: "a retry is a start too" },
  },
  {
    name: "events: a permit ends with its start",
    file: "features/tasks/rate.ts",
    find: 'state: "held", wakeAt: until, holds };',
    replace: 'state: "held", wakeAt: now, holds };',
    test: { file: rates, name: "no more of its tasks start in a minute" },
  },
  {
    name: "events: tasks start on an overloaded machine",
    file: "features/events/health.ts",
    find: "return waitOf(priority, health, reason);",
    replace: 'return waitOf(priority, health === "red" ? "green" : health, reason);',
    test: { file: "features/events/overload.test.ts", name: "red: a task of high priority waits" },
  },
];
