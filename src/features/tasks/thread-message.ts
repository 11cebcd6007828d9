import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf, Placement } from "../../kernel/unit.ts";
import { present } from "../../platform/json.ts";
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

/** A task of a handler, or the draft of one. */
interface Sender {
  id: string;
  body: Pick<HandlerTask["body"], "event" | "target" | "origin">;
}

/** The message that starts the thread of a task; undefined if its target is a thread already. */
export function startMessage(task: Sender, now: number): Draft | undefined {
  const { target, event } = task.body;
  if (isThread(target)) return undefined;
  const { handler, type, repo, payload } = event;
  const title = [payload["subject_title"], payload["summary"], payload["text"]].find(
    (each) => typeof each === "string",
  );
  const about = `${type}${repo === null ? "" : ` (${repo})`}`;
  const message = `📋 ${handler}: ${about}${typeof title === "string" ? `\n${title}` : ""}`;
  return threadMessage(task, "thread_start", { message, now });
}

interface ThreadMessage extends Pick<Placement, "priority"> {
  message: string;
  now: number;
  /** Another target than the thread. */
  target?: string;
  channelName?: string;
  final?: true;
  questionId?: string;
}

/** A message of a task: in its thread, unless it has another target. */
export function threadMessage(
  { id, body }: Sender,
  seedType: SeedType,
  { message, now, target, channelName, final, priority, questionId }: ThreadMessage,
): Draft {
  const { thread } = body.event;
  const isInThread = target === undefined && thread !== null && seedType !== "thread_start";
  const notification = present({
    message: message.toWellFormed().replaceAll("\0", "\uFFFD"),
    at: now,
    atText: "now",
    target: target ?? body.target,
    origin: body.origin,
    type: questionId === undefined ? "run" : "question",
    relatedTaskId: id,
    seedType,
    relatedQuestionId: questionId,
    thread: isInThread ? { of: thread } : undefined,
    final,
    channelName,
  });
  return makeNotification(notification, present({ priority }));
}
