import type { LedgerRecord, Priority } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import {
  makeNotification,
  type NotificationKind,
  type SeedType,
  isThread,
} from "../notifications/index.ts";
import type { TaskKind } from "./kind.ts";
import type { TaskEvent } from "./task-event.ts";

type Draft = DraftOf<NotificationKind>;

/** A task of a handler. */
export type HandlerTask = Pick<LedgerRecord<TaskKind>, "id" | "by" | "body"> & {
  body: { event: TaskEvent };
};

/** What begins the thread of a task; nothing: it speaks in a thread that is there already. */
export function startMessage(
  task: Pick<HandlerTask, "id"> & {
    body: Pick<HandlerTask["body"], "event" | "target" | "origin">;
  },
  now: number,
): Draft | undefined {
  const { target, event } = task.body;
  if (isThread(target)) return undefined;
  const { handler, type, repo, payload } = event;
  const title = [payload["subject_title"], payload["summary"], payload["text"]].find(
    (each) => typeof each === "string",
  );
  const about = `${type}${repo === null ? "" : ` (${repo})`}`;
  const message = `📋 ${handler}: ${about}${typeof title === "string" ? `\n${title}` : ""}`;
  return said(task, "thread_start", { message, now });
}

interface Words {
  message: string;
  now: number;
  target?: string;
  channelName?: string;
  final?: true;
  priority?: Priority;
  questionId?: string;
}

/** Something that a task says: in its thread, unless it goes elsewhere. */
export function said(
  { id, body }: { id: string; body: Pick<HandlerTask["body"], "event" | "target" | "origin"> },
  seedType: SeedType,
  { message, now, target, channelName, final, priority, questionId: question }: Words,
): Draft {
  const { thread } = body.event;
  const isInThread = target === undefined && thread !== null && seedType !== "thread_start";
  const request: NotificationKind["body"] = {
    message: message.toWellFormed().replaceAll("\0", "\uFFFD"),
    at: now,
    atText: "now",
    target: target ?? body.target,
    origin: body.origin,
    type: question === undefined ? "run" : "question",
    relatedTaskId: id,
    seedType,
    ...(question === undefined ? {} : { relatedQuestionId: question }),
    ...(isInThread ? { thread: { of: thread } } : {}),
    ...(final === undefined ? {} : { final }),
    ...(channelName === undefined ? {} : { channelName }),
  };
  return makeNotification(request, priority === undefined ? {} : { priority });
}
