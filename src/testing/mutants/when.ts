import type { Mutant } from "./table.ts";

/** Bugs in what is promised of events: one task each, one line of attempts, each end told once, in its thread. */
export const whenMutants: readonly Mutant[] = [
  {
    name: "when: an event is dispatched and its task comes later",
    file: "features/events/dispatch.ts",
    find: "consequences: { append: [task, ...start] },",
    replace: "consequences: { append: start },",
  },
  {
    name: "when: an event is not known any more once it is forgotten",
    file: "features/events/kind.ts",
    find: "key: { name: `event:${name}`, asked: { name }, until: Math.max(at, now) + knownMs },",
    replace: "key: { name: `event:${name}`, asked: { name } },",
  },
  {
    name: "when: the cursor moves before what was heard is written",
    file: "features/events/poll-result.ts",
    find: "    consequences: { append },\n",
    replace: "    consequences: { append: append.slice(1) },\n",
  },
  {
    name: "when: an event does not end with its task",
    file: "features/events/task-end.ts",
    find: "edit: [endsEvent(event, end, verdict.outcome?.reason ?? null)]",
    replace: "edit: []",
  },
  {
    name: "when: what is cancelled while it waits leaves its event behind",
    file: "features/events/task-end.ts",
    find: "if (!record.cancelling || event === undefined || slot !== undefined) return verdict;",
    replace: "if (record.revision > 0 || event === undefined) return verdict;",
    test: { file: "features/events/overload.test.ts", name: "cancelled meanwhile takes its event" },
  },
  {
    name: "when: an end is told twice",
    file: "features/events/messages.ts",
    find: "if (request === undefined) return [inThread];",
    replace: "if (asked === undefined) return [inThread, inThread];",
  },
  {
    name: "when: an end is told where it was asked for, and in the thread too",
    file: "features/events/messages.ts",
    find: "return maySendTo(task, request) ? [there] : [unsent(there), inThread];",
    replace: "return maySendTo(task, request) ? [there, inThread] : [unsent(there), inThread];",
  },
  {
    name: "when: a result may name any channel",
    file: "features/events/messages.ts",
    find: "return maySendTo(task, request) ? [there] :",
    replace: "return asked !== '' ? [there] :",
  },
  {
    name: "when: a task that asks goes on as if nobody had to answer",
    file: "features/events/task-end.ts",
    find: 'if (result.status !== "needs_human") return messages;',
    replace: "if (result !== null) return messages;",
  },
  {
    name: "when: what needs a person is tried again",
    file: "features/events/task-end.ts",
    find: '    case "skipped":\n    case "needs_human": {',
    replace:
      '    case "needs_human":\n      return { result: "failed", reason: "?" };\n    case "skipped": {',
  },
  {
    name: "when: what was skipped is tried again",
    file: "features/events/task-end.ts",
    find: '    case "success":\n    case "skipped":\n',
    replace:
      '    case "skipped":\n      return { result: "failed", reason: "?" };\n    case "success":\n',
  },
  {
    name: "when: a question is answered twice",
    file: "features/events/answer.ts",
    find: '      ends: "answered",\n',
    replace: '      state: "open",\n',
  },
  {
    name: "when: what goes on after an answer is not urgent",
    file: "features/events/answer.ts",
    find: '    priority: "high",\n    parent: id,',
    replace: "    parent: id,",
  },
  {
    name: "when: a loop is not stopped",
    file: "features/events/handler.ts",
    find: "if (hops > hopsMax) return",
    replace: "if (hops > 2 * hopsMax) return",
  },
  {
    name: "when: the last who subscribes handles it",
    file: "features/events/handler.ts",
    find: "const handler = handlers.find(",
    replace: "const handler = handlers.findLast(",
  },
  {
    name: "when: a result says itself which task it is of",
    file: "features/events/result.ts",
    find: "return resultSchema.safeParse({ ...said, task_id: taskId }).data;",
    replace: "return resultSchema.safeParse({ task_id: taskId, ...said }).data;",
  },
  {
    name: "when: as many work at once as there are",
    file: "features/events/event-task.ts",
    find: "...(capacity === null || !isOurs ? {} : { turns: [handlerCapacity(capacity)] }),",
    replace:
      "...(capacity === null || !isOurs ? {} : { turns: [handlerCapacity(capacity * 10)] }),",
  },
  {
    name: "when: a thread is lost",
    file: "features/tasks/thread-message.ts",
    find: "thread: isInThread ? { of: thread } : undefined,",
    replace: "",
  },
  {
    name: "when: what belongs in a thread does not wait for it",
    file: "features/notifications/thread.ts",
    find: 'if (first.endedAt === null) return "waits";',
    replace: "",
  },
  {
    name: "when: a task is not as urgent as its event",
    file: "features/events/event-task.ts",
    find: "    priority: event.priority,\n",
    replace: "",
  },
  {
    name: "when: one attempt more than is allowed",
    file: "features/tasks/run-spec.ts",
    find: "attempts: retries + 1",
    replace: "attempts: retries + 2",
  },
  {
    name: "when: a number is given out twice",
    file: "features/notifications/counter.ts",
    find: "ifRevision: revision, body: { ...body, next }",
    replace: "body: { ...body, next }",
  },
  {
    name: "when: a task is made of an event that was taken back",
    file: "features/events/dispatch.ts",
    find: "if (event.cancelling) {",
    replace: "if (event.revision < 0) {",
  },
  {
    name: "when: who is cancelled while its attempt breaks leaves its event",
    file: "features/tasks/controller.ts",
    find: "cancelled: (record, verdict) => waitVerdict(record, verdict, hooks),",
    replace: "",
    test: {
      file: "features/events/router-results.test.ts",
      name: "cancelled while its attempt breaks",
    },
  },
];
