import { eventKind, type EventKind } from "../../features/events/kind.ts";
import { questionKind } from "../../features/events/question.ts";
import { taskKind, type TaskKind } from "../../features/tasks/kind.ts";
import type { Priority } from "../../kernel/record.ts";
import { type Draft, isDraft, type DraftOf } from "../../kernel/unit.ts";
import { handlerNamed } from "../simulator/event-handlers.ts";
import type { TaskResult } from "../simulator/handler-runner.ts";
import type { VirtualProcess } from "../simulator/kernel.ts";

/** What is known of an event, from what was told. */
export interface EventPlan {
  readonly id: string;
  readonly owner: string;
  readonly type: string;
  readonly hops: number;
  readonly priority: Priority;
  isDispatched: boolean;
}

/** What is known of a task of a handler, from the unit that made it. */
export interface TaskPlan {
  readonly id: string;
  readonly owner: string;
  readonly event: string;
  readonly handler: string;
  readonly attemptsMax: number;
  /** The message that begins its thread; null: it speaks where its target is. */
  readonly thread: string | null;
  readonly target: string;
  /** Where it may ask to be told beside. */
  readonly channels: readonly string[];
  /** It takes one of the places for work. */
  readonly takesCapacity: boolean;
  /** Attempts that began, but for those that were given back. */
  starts: number;
  /** Whose attempt is the newest that has not been settled, and under which claim. */
  atWork: { readonly process: VirtualProcess; readonly order: number } | null;
  /** All that was said of it. */
  readonly results: TaskResult[];
  /** What each life said of the attempt that it was handed last, and which claim that was. */
  readonly lastResults: Map<
    VirtualProcess,
    { readonly order: number; readonly result: TaskResult | null }
  >;
}

export interface EventWork {
  readonly events: Map<string, EventPlan>;
  readonly tasks: Map<string, TaskPlan>;
  /** The one line of attempts for an event and a handler. */
  readonly lines: Map<string, string>;
  /** Which task goes on with the answer to a question; null: none yet. */
  readonly questions: Map<string, string | null>;
}

export function emptyEventWork(): EventWork {
  return { events: new Map(), tasks: new Map(), lines: new Map(), questions: new Map() };
}

/** What was written: an event, a task of a handler, a question. */
export function recordWhen(eventWork: EventWork, id: string, owner: string, draft: Draft): void {
  if (isDraft(eventKind, draft)) recordEvent(eventWork, id, owner, draft);
  if (isDraft(taskKind, draft)) recordWork(eventWork, id, owner, draft);
  if (isDraft(questionKind, draft) && !eventWork.questions.has(id))
    eventWork.questions.set(id, null);
}

function recordEvent(
  eventWork: EventWork,
  id: string,
  owner: string,
  { body, priority = "normal" }: DraftOf<EventKind>,
): void {
  if (eventWork.events.has(id)) return; // told again
  const { type, hops } = body;
  eventWork.events.set(id, { id, owner, type, hops, priority, isDispatched: false });
}

function recordWork(
  eventWork: EventWork,
  id: string,
  owner: string,
  { body }: DraftOf<TaskKind>,
): void {
  const { event, target, turns } = body;
  if (event === undefined || eventWork.tasks.has(id)) return;
  const { handler, thread, channels } = event;
  eventWork.tasks.set(id, {
    id,
    owner,
    event: event.id,
    handler,
    attemptsMax: 1 + (handlerNamed(handler)?.retries ?? 0),
    thread,
    target,
    channels,
    takesCapacity: turns !== undefined,
    starts: 0,
    atWork: null,
    results: [],
    lastResults: new Map(),
  });
}
