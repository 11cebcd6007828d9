import type { Mutant } from "./table.ts";

const results = "features/events/router-results.test.ts";
const waitingOrder = "features/events/waiting-order.test.ts";

/** Bugs in when tasks of handlers are begun, tried again and taken back. */
export const whenWaitsMutants: readonly Mutant[] = [
  {
    name: "when: what a worker left waits for another",
    file: "features/events/event-task.ts",
    find: "return wakeAt <= now && !lease.holder.startsWith(fileHolder);",
    replace: "return wakeAt < 0 && !lease.holder.startsWith(fileHolder);",
    test: { file: "features/events/workers.test.ts", name: "at its last attempt" },
  },
  {
    name: "when: a worker that is still there loses its task",
    file: "features/events/event-task.ts",
    find: "return wakeAt <= now && !lease.holder.startsWith(fileHolder);",
    replace: "return wakeAt > 0 && !lease.holder.startsWith(fileHolder);",
    test: { file: "features/events/workers.test.ts", name: "is left alone" },
  },
  {
    name: "when: what is urgent waits for a place behind what is not",
    file: "features/events/run-hook.ts",
    find: "waiting.toSorted(byUrgency).find(",
    replace: "waiting.find(",
    test: { file: waitingOrder, name: "end one by one" },
  },
  {
    name: "when: what waits for its next attempt is woken for a place",
    file: "features/tasks/capacity.ts",
    find: "outcome?.isInLine === true && takesCapacity(record)",
    replace: "outcome?.hasTurn !== true && takesCapacity(record)",
    test: { file: waitingOrder, name: "when one fails" },
  },
  {
    name: "when: what was cut off is made again at once",
    file: "features/events/run-hook.ts",
    find: "wakeAt: now + retryMs,",
    replace: "wakeAt: now,",
    test: { file: results, name: "whose node dies is made again" },
  },
  {
    name: "when: what was cut off does not count",
    file: "features/events/run-hook.ts",
    find: "...sameAttempt(record, before), ...waiting",
    replace: "...before, ...waiting",
    test: { file: results, name: "whose node dies is made again" },
  },
  {
    name: "when: tasks are begun however much the machine has to do",
    file: "features/events/health.ts",
    find: "return waitOf(priority, health, reason);",
    replace: 'return waitOf(priority, health === "red" ? "green" : health, reason);',
    test: { file: "features/events/overload.test.ts", name: "red: one of high priority waits" },
  },
];
