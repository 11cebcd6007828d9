import type { Mutant } from "./table.ts";

/** Bugs in the promises of events: one task for each, counted attempts, one message at the end, in its thread. */
export const eventMutants: readonly Mutant[] = [
  {
    name: "events: an event is dispatched without its task",
    file: "features/events/dispatch.ts",
    find: "consequences: { append: [task, ...start] },",
    replace: "consequences: { append: start },",
  },
  {
    name: "events: the name of a pruned event can be used again",
    file: "features/events/kind.ts",
    find: "key: { name: `event:${name}`, asked: { name }, until: Math.max(at, now) + nameKeptMs },",
    replace: "key: { name: `event:${name}`, asked: { name } },",
  },
  {
    name: "events: the cursor moves past an event that is not written",
    file: "features/events/poll-result.ts",
    find: "    consequences: { append },\n",
    replace: "    consequences: { append: append.slice(1) },\n",
  },
  {
    name: "events: an event does not end with its task",
    file: "features/events/task-end.ts",
    find: "edit: [endsEvent(event, end, verdict.outcome?.reason ?? null)]",
    replace: "edit: []",
  },
  {
    name: "events: a task that is cancelled while it waits leaves its event behind",
    file: "features/events/task-end.ts",
    find: "if (!record.cancelling || event === undefined || slot !== undefined) return verdict;",
    replace: "if (record.revision > 0 || event === undefined) return verdict;",
    test: {
      file: "features/events/overload.test.ts",
      name: "cancelled while it waits ends its event",
    },
  },
  {
    name: "events: an end is sent twice",
    file: "features/events/messages.ts",
    find: "if (request === undefined) return [inThread];",
    replace: "if (request === undefined) return [inThread, inThread];",
  },
  {
    name: "events: an end is sent to the requested channel and to the thread too",
    file: "features/events/messages.ts",
    find: "return maySendTo(task, request) ? [draft] : [unsent(draft), inThread];",
    replace: "return maySendTo(task, request) ? [draft, inThread] : [unsent(draft), inThread];",
  },
  {
    name: "events: a result may name any channel",
    file: "features/events/messages.ts",
    find: "return maySendTo(task, request) ? [draft] :",
    replace: "return request !== '' ? [draft] :",
  },
  {
    name: "events: a task that asks writes no question",
    file: "features/events/task-end.ts",
    find: 'if (result.status !== "needs_human") return messages;',
    replace: "if (result !== null) return messages;",
  },
  {
    name: "events: a task that needs a person is retried",
    file: "features/events/task-end.ts",
    find: '    case "skipped":\n    case "needs_human": {',
    replace:
      '    case "needs_human":\n      return { result: "failed", reason: "?" };\n    case "skipped": {',
  },
  {
    name: "events: a skipped task is retried",
    file: "features/events/task-end.ts",
    find: '    case "success":\n    case "skipped":\n',
    replace:
      '    case "skipped":\n      return { result: "failed", reason: "?" };\n    case "success":\n',
  },
  {
    name: "events: a question is answered twice",
    file: "features/events/answer.ts",
    find: '      ends: "answered",\n',
    replace: '      state: "open",\n',
  },
  {
    name: "events: a task that resumes is not urgent",
    file: "features/events/answer.ts",
    find: '    priority: "high",\n    parent: id,',
    replace: "    parent: id,",
  },
  {
    name: "events: a loop is not stopped",
    file: "features/events/handler.ts",
    find: "if (hops > hopsMax)",
    replace: "if (hops > 2 * hopsMax)",
  },
  {
    name: "events: the last handler that subscribes gets the event",
    file: "features/events/handler.ts",
    find: "const handler = handlers.find(",
    replace: "const handler = handlers.findLast(",
  },
  {
    name: "events: a result chooses its task",
    file: "features/events/result.ts",
    find: "return resultSchema.safeParse({ ...value, task_id: taskId }).data;",
    replace: "return resultSchema.safeParse({ task_id: taskId, ...value }).data;",
  },
  {
    name: "events: the capacity is ten times too large",
    file: "features/events/event-task.ts",
    find: "? undefined : [handlerCapacity(capacity)];",
    replace: "? undefined : [handlerCapacity(capacity * 10)];",
  },
  {
    name: "events: a message is sent outside of its thread",
    file: "features/tasks/thread-message.ts",
    find: "thread: isInThread ? { of: thread } : undefined,",
    replace: "",
  },
  {
    name: "events: a message in a thread does not wait for the first one",
    file: "features/notifications/thread.ts",
    find: 'if (first.endedAt === null) return "waits";',
    replace: "",
  },
  {
    name: "events: a task is not as urgent as its event",
    file: "features/events/event-task.ts",
    find: "    priority: event.priority,\n",
    replace: "",
  },
  {
    name: "events: a task has one attempt too many",
    file: "features/tasks/run-spec.ts",
    find: "attempts: retries + 1",
    replace: "attempts: retries + 2",
  },
  {
    name: "events: a number is given out twice",
    file: "features/notifications/counter.ts",
    find: "ifRevision: revision, body: { ...body, next }",
    replace: "body: { ...body, next }",
  },
  {
    name: "events: a cancelled event gets a task",
    file: "features/events/dispatch.ts",
    find: "if (event.cancelling) {",
    replace: "if (event.revision < 0) {",
  },
  {
    name: "events: a task that is cancelled while its attempt breaks leaves its event",
    file: "features/tasks/controller.ts",
    find: "cancelled: (record, verdict) => waitVerdict(record, verdict, hooks),",
    replace: "",
    test: {
      file: "features/events/router-results.test.ts",
      name: "cancelled while its attempt breaks",
    },
  },
];
