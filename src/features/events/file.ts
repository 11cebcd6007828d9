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
import type { LedgerRecord, Claimed } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import { DaybookError } from "../../platform/errors.ts";
import { isoMsOf } from "../../platform/iso-time.ts";
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
import { readResult, resultFault, type Result } from "./result.ts";

export const eventLayout = fileLayout({
  kind: eventKind,
  folder: "events",
  stateFolders: ["pending", "dispatched", "completed"],
  stateFolder: (state) => (state === "pending" || state === "dispatched" ? state : "completed"),
  dropFolder: "pending",
  view: eventView,
});

export function eventView(record: LedgerRecord<EventKind>): FileView {
  const { id, body, priority, createdAt, state, outcome } = record;
  const { type, source, repo, payload } = body;
  const status = state === "cancelled" ? "failed" : state;
  const reason = state === "cancelled" ? state : outcome?.reason;
  const created_at = isoMsOf(createdAt);
  const view = { id, type, source, repo, payload, priority, created_at, status };
  return reason == null ? view : { ...view, reason };
}

/** Where a worker leaves a task; null: it wrote no result in time. */
type End = (task: Claimed<TaskKind>, result: Result | null) => Promise<Verdict<TaskKind>>;

/** Tasks of handlers that run nothing here may be worked on over files. */
export function fileWorker(end: End): FileWork<TaskKind> {
  return {
    worker({ body }) {
      const { name, timeoutMs } = body;
      return isForWorkers({ body }) ? { name, leaseMs: timeoutMs } : undefined;
    },
    async result(task, json) {
      if (json === null) return end(task, null);
      const result = readResult(json, task.id);
      if (result === undefined) throw new DaybookError("invalid", resultFault(json, task.id));
      return end(task, result);
    },
  };
}

const repo = z.string().min(1).max(repoCharsMax).nullable();

/** An event's file: one that others drop, and one that we show. */
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
      .describe("What happened: github.pr.review_requested"),
    source: z.string().regex(sourceShape, 'write it like "github"'),
    repo: repo.optional(),
    payload: jsonObject.optional(),
    priority: filePriority.optional(),
    status: z.enum(["pending", "dispatched", "completed", "failed"]).optional(),
    ...writtenFields,
  })
  .describe("Something that happened elsewhere: a file in queue/events/");

type EventFile = z.output<typeof eventFile>;

export function eventFromFile(file: EventFile, making: EventFacts): DraftOf<EventKind> {
  const { id: name, type, source, repo = null, payload = {}, priority } = file;
  const at = timeOf(file, making.now);
  const body = { name, type, source, repo, payload, at, origin: null, hops: 0 };
  return makeEvent(body, { ...making, ...(priority === undefined ? {} : { priority }) });
}

/** A task's file: one that others drop, and one that we show. */
export const taskFile = z
  .strictObject({
    id: fileId,
    event_id: z.string().max(300).nullable().optional(),
    target_general: z.string().min(1).max(100).describe("The handler that works on it"),
    type: z.string().min(1).max(100).describe("The event's type, resume, or a schedule's own word"),
    event_type: z.string().max(100).optional(),
    repo: repo.optional(),
    payload: jsonValue.optional(),
    session_id: z.string().max(200).optional().describe("Of one that goes on after an answer"),
    answer: z.string().optional(),
    priority: filePriority.optional(),
    retry_count: z.int().min(0).optional(),
    retry_after: fileMoment.describe("Only in files that Daybook wrote.").optional(),
    status: z
      .enum(["pending", "in_progress", "completed", "failed", "needs_human", "skipped"])
      .optional(),
    ...writtenFields,
  })
  .describe("Something to be worked on: a file in queue/tasks/");

type TaskFile = z.output<typeof taskFile>;

/** In whose book it is dropped, and where work speaks there that no chat asked for. */
interface Dropping extends Pick<TaskFacts, "now" | "capacity"> {
  readonly owner: string;
  readonly defaultTarget: string | null;
}

export function taskFromFile(
  file: TaskFile,
  handlers: readonly Handler[],
  { owner, defaultTarget, ...making }: Dropping,
): DraftOf<TaskKind> {
  const { id, event_id: cause, target_general: name, type, repo, payload = {}, priority } = file;
  const { event_type: eventType = type, session_id: sessionId, answer } = file;
  const handler = handlers.find((each) => each.name === name);
  if (handler === undefined) {
    throw new DaybookError(
      "invalid",
      `No handler is called ${quote(name)}: name one that is set up.`,
    );
  }
  const event = {
    id: cause ?? id,
    name: cause ?? id,
    type: eventType,
    handler: name,
    hops: 0,
    repo: repo ?? handler.repo,
    payload: payload as Payload, // a dropped one may be any JSON
    taskType: type,
    channels: handler.channels,
    thread: null,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(answer === undefined ? {} : { answer }),
  };
  const target = targetFor({ origin: null, owner }, handler, defaultTarget);
  const draft = handlerTask(event, handler, { ...making, target, id, thread: null, origin: null });
  return { ...draft, key: fileKey(id), priority: priority ?? "normal" };
}

/** When it says it happened; nobody can say that it will. */
function timeOf({ created_at: text }: EventFile, now: number): number {
  try {
    const at = Temporal.Instant.from(text ?? "").epochMilliseconds;
    return Math.min(Math.max(at, 0), now);
  } catch {
    return now;
  }
}
