import * as z from "zod";
import {
  fileId,
  fileKey,
  fileMoment,
  filePriority,
  jsonObject,
  jsonValue,
  writtenFields,
  fileLayout,
  type FileView,
  type FileWork,
} from "../../kernel/files.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { isoMsOf } from "../../platform/iso-time.ts";
import { present } from "../../platform/json.ts";
import { quote } from "../../platform/text.ts";
import { type TaskKind, typeCharsMax, typeShape, type Payload } from "../tasks/index.ts";
import { isForWorkers, handlerTask, targetFor, type TaskFacts } from "./event-task.ts";
import type { Handler } from "./handler.ts";
import {
  eventKind,
  type EventKind,
  eventIdShape,
  makeEvent,
  repoCharsMax,
  sourceShape,
  type EventFacts,
} from "./kind.ts";
import { readResult, resultFault, unreadable } from "./result.ts";
import type { WorkerEnd } from "./workers.ts";

export const eventLayout = fileLayout({
  kind: eventKind,
  folder: "queue/events",
  stateFolders: ["pending", "dispatched", "completed"],
  stateFolder: (state) => (state === "pending" || state === "dispatched" ? state : "completed"),
  dropFolder: "pending",
  view: eventView,
});

function eventView(record: LedgerRecord<EventKind>): FileView {
  const { id, body, priority, createdAt, state, outcome } = record;
  const { type, source, repo, payload, at } = body;
  const status = state === "cancelled" ? "failed" : state;
  const reason = state === "cancelled" ? state : outcome?.reason;
  const view = { id, type, source, repo, payload, priority };
  const received_at = isoMsOf(createdAt);
  const times = { created_at: isoMsOf(at), received_at };
  return present({ ...view, ...times, status, reason: reason ?? undefined });
}

/** External workers may work on tasks of handlers over files; without a result in time the task ends as abandoned. */
export function fileWorker(end: WorkerEnd): FileWork<TaskKind> {
  return {
    worker({ body }) {
      const { name, timeoutMs } = body;
      return isForWorkers({ body }) ? { name, leaseMs: timeoutMs } : undefined;
    },
    async result(task, report) {
      if (report === null) return { verdict: await end(task, null) };
      const wrong = "json" in report ? resultFault(report.json, task.id) : unreadable(report.wrong);
      const result = "json" in report ? readResult(report.json, task.id) : undefined;
      if (result !== undefined) return { verdict: await end(task, result) };
      return { verdict: await end(task, { wrong }), wrong: `The task failed by it: ${wrong}` };
    },
  };
}

const repo = z.string().min(1).max(repoCharsMax).nullable();

/** The file of an event, dropped by another program or written by the file store. */
export const eventFile = z
  .strictObject({
    id: z
      .string()
      .regex(
        eventIdShape,
        "begin with a letter or digit, go on with those and . _ : @ + = , - but no two dots together",
      ),
    type: z
      .string()
      .max(typeCharsMax)
      .regex(typeShape, 'write it like "github.pr.review_requested"')
      .describe('What happened, such as "github.pr.review_requested".'),
    source: z.string().regex(sourceShape, 'write it like "github"'),
    repo: repo.optional(),
    payload: jsonObject.optional(),
    priority: filePriority.optional(),
    status: z.enum(["pending", "dispatched", "completed", "failed"]).optional(),
    ...writtenFields,
    created_at: fileMoment.optional().describe("when it happened. Default: now"),
    received_at: fileMoment
      .optional()
      .describe("when Daybook took it in. Only in files that Daybook wrote"),
  })
  .describe("an event: a file in queue/events/");

type EventFile = z.output<typeof eventFile>;

export function eventFromFile(file: EventFile, facts: EventFacts): DraftOf<EventKind> {
  const { id: name, type, source, repo = null, payload = {}, priority } = file;
  const at = timeOf(file, facts.now);
  const body = { name, type, source, repo, payload, at, origin: null, hops: 0 };
  return makeEvent(body, { ...facts, priority: priority ?? facts.priority });
}

/** The file of a task, dropped by another program or written by the file store. */
export const taskFile = z
  .strictObject({
    id: fileId,
    event_id: z.string().max(300).nullable().optional(),
    target_general: z.string().min(1).max(100).describe("the handler of the task"),
    type: z
      .string()
      .min(1)
      .max(100)
      .describe("the type of the event, resume, or the type of a schedule's task"),
    event_type: z.string().max(100).optional(),
    repo: repo.optional(),
    payload: jsonValue.optional(),
    session_id: z.string().max(200).optional().describe("the session of a task that resumes"),
    answer: z.string().optional(),
    priority: filePriority.optional(),
    retry_count: z.int().min(0).optional(),
    retry_after: fileMoment.describe("only in files that Daybook wrote").optional(),
    status: z
      .enum(["pending", "in_progress", "completed", "failed", "needs_human", "skipped"])
      .optional(),
    ...writtenFields,
  })
  .describe("a task: a file in queue/tasks/");

type TaskFile = z.output<typeof taskFile>;

/** The book of a dropped task, and the default target of its messages. */
interface DropFacts extends Pick<TaskFacts, "now" | "capacity"> {
  readonly owner: string;
  readonly defaultTarget: string | null;
}

export function taskFromFile(
  file: TaskFile,
  handlers: readonly Handler[],
  { owner, defaultTarget, ...facts }: DropFacts,
): DraftOf<TaskKind> {
  const { id, event_id: cause, target_general: name, type, repo, payload = {}, priority } = file;
  const { event_type: eventType = type, session_id: sessionId, answer } = file;
  const handler = handlers.find((each) => each.name === name);
  if (handler === undefined) {
    const sentence = `There is no handler ${quote(name)}: give the name of one in the settings.`;
    throw new DaybookError("invalid", sentence);
  }
  const event = {
    id: cause ?? id,
    name: cause ?? id,
    type: eventType,
    handler: name,
    hops: 0,
    repo: repo ?? handler.repo,
    payload: payload as Payload, // a dropped task may have any JSON here
    taskType: type,
    channels: handler.channels,
    thread: null,
    ...present({ sessionId, answer }),
  };
  const target = targetFor({ origin: null, owner }, handler, defaultTarget);
  const draft = handlerTask(event, handler, { ...facts, target, id, thread: null, origin: null });
  return { ...draft, key: fileKey(id), priority: priority ?? "normal" };
}

/** The time in the file; a future one is taken as now. */
function timeOf({ created_at: text }: EventFile, now: number): number {
  try {
    const at = Temporal.Instant.from(text ?? "").epochMilliseconds;
    return Math.min(Math.max(at, 0), now);
  } catch {
    return now;
  }
}
