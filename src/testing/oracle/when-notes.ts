import { eventKind, type EventKind } from "../../features/events/kind.ts";
import { questionKind } from "../../features/events/question.ts";
import { taskKind, type TaskKind } from "../../features/tasks/kind.ts";
import type { Priority } from "../../kernel/record.ts";
import { type Draft, isDraft, type DraftOf } from "../../kernel/unit.ts";
import type { Life } from "../simulator/kernel.ts";
import { handlerNamed } from "../simulator/pipeline.ts";
import type { Said } from "../simulator/work-runner.ts";

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
export interface WorkPlan {
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
  readonly hasPlace: boolean;
  /** Attempts that began, but for those that were given back. */
  starts: number;
  /** Whose attempt is the newest that has not been settled, and under which claim. */
  atWork: { readonly life: Life; readonly order: number } | null;
  /** All that was said of it. */
  readonly said: Said[];
  /** What each life said of the attempt that it was handed last, and which claim that was. */
  readonly lastSaid: Map<Life, { readonly order: number; readonly said: Said | null }>;
}

export interface WhenNotes {
  readonly events: Map<string, EventPlan>;
  readonly works: Map<string, WorkPlan>;
  /** The one line of attempts for an event and a handler. */
  readonly lines: Map<string, string>;
  /** Which task goes on with the answer to a question; null: none yet. */
  readonly questions: Map<string, string | null>;
}

export function whenNotes(): WhenNotes {
  return { events: new Map(), works: new Map(), lines: new Map(), questions: new Map() };
}

/** What was written: an event, a task of a handler, a question. */
export function takeWhen(when: WhenNotes, id: string, owner: string, draft: Draft): void {
  if (isDraft(eventKind, draft)) takeEvent(when, id, owner, draft);
  if (isDraft(taskKind, draft)) takeWork(when, id, owner, draft);
  if (isDraft(questionKind, draft) && !when.questions.has(id)) when.questions.set(id, null);
}

function takeEvent(
  when: WhenNotes,
  id: string,
  owner: string,
  { body, priority = "normal" }: DraftOf<EventKind>,
): void {
  if (when.events.has(id)) return; // told again
  const { type, hops } = body;
  when.events.set(id, { id, owner, type, hops, priority, isDispatched: false });
}

function takeWork(when: WhenNotes, id: string, owner: string, { body }: DraftOf<TaskKind>): void {
  const { event, target, turns } = body;
  if (event === undefined || when.works.has(id)) return;
  const { handler, thread, channels } = event;
  when.works.set(id, {
    id,
    owner,
    event: event.id,
    handler,
    attemptsMax: 1 + (handlerNamed(handler)?.retries ?? 0),
    thread,
    target,
    channels,
    hasPlace: turns !== undefined,
    starts: 0,
    atWork: null,
    said: [],
    lastSaid: new Map(),
  });
}
