import { now } from "./views.ts";
import {
  dispatched,
  ended,
  entry,
  event,
  eventId,
  given,
  handler,
  nextTaskId,
  question,
  questionId,
  task,
  taskId,
  told,
  type,
  until,
} from "./when-views.ts";

/** One for each operation on what happens, and on what is done for it. */
export const whenExamples = {
  emitEvent: {
    input: { type, name: eventId, source: "jira", payload: { key: "OPS-7" } },
    output: { ...told, fresh: true, other_payload: false },
  },
  listEvents: {
    input: { state: "dispatched" as const },
    output: { events: [dispatched], next: null },
  },
  showEvent: {
    input: { id: eventId },
    output: { ...event, tasks: [task], questions: [], messages: [] },
  },
  cancelEvent: {
    input: { id: eventId, reason: "done by hand" },
    output: {
      ...event,
      state: "cancelled",
      reason: "done by hand",
      ended_at: now,
      revision: 2,
      cancel: "cancelled" as const,
    },
  },
  listTasks: { input: { handler }, output: { tasks: [task], next: null } },
  claimTask: {
    input: { handler, worker: "docs-1" },
    output: {
      id: taskId,
      task: { ...given, created_at: now },
      ticket: 1,
      attempt: 1,
      lease_seconds: 60,
      lease_until: until,
    },
  },
  heartbeatTask: {
    input: { id: taskId, ticket: 1, progress: "half of it" },
    output: { id: taskId, lease_until: until, cancelling: false },
  },
  resultTask: {
    input: { id: taskId, ticket: 1, status: "success" as const, summary: "written" },
    output: ended,
  },
  listQuestions: { input: { limit: 10 }, output: { questions: [question], next: null } },
  showQuestion: { input: { id: questionId }, output: question },
  cancelQuestion: {
    input: { id: questionId, reason: "decided by hand" },
    output: {
      ...question,
      state: "cancelled",
      status: "cancelled" as const,
      cancel: "cancelled" as const,
    },
  },
  answerQuestion: {
    input: { id: questionId, answer: "main" },
    output: {
      ...question,
      state: "answered",
      status: "completed" as const,
      answer: "main",
      answered_by: "me",
      resumed: nextTaskId,
    },
  },
  queueLs: {
    input: { queue: "tasks" as const, state: "pending" },
    output: { entries: [entry], next: null, cut: false },
  },
  queueStats: {
    input: {},
    output: {
      counts: [
        { queue: "events" as const, state: "dispatched", count: 1, oldest_seconds: 0 },
        { queue: "tasks" as const, state: "pending", count: 1, oldest_seconds: 0 },
      ],
      lines: [
        { name: "event", due: 0, later: 1, at_work: 0 },
        { name: `task@${handler}`, due: 1, later: 0, at_work: 0 },
      ],
      cut: false,
    },
  },
  queueShow: {
    input: { id: taskId },
    output: {
      ...entry,
      file: { ...given, created_at: "2026-11-15T23:00:00.000Z", retry_count: 0, status: "pending" },
      result: null,
      at_work: null,
      attempts: 0,
      revision: 1,
    },
  },
  queueMv: {
    input: { id: taskId, state: "cancelled" },
    output: {
      ...entry,
      place: "completed",
      state: "cancelled",
      of: null,
      result: "cancelled" as const,
    },
  },
  queueEdit: {
    input: { id: taskId, priority: "high" as const },
    output: { ...entry, priority: "high" as const, revision: 2 },
  },
  retryTask: {
    input: { id: taskId },
    output: { id: nextTaskId, kind: "task" as const, state: "pending", of: taskId, fresh: true },
  },
};
