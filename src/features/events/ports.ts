import type { Context } from "../../kernel/operation.ts";
import { port } from "../../kernel/port.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import { DaybookError, hasCode } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { dayOf } from "../../time/zone.ts";
import { dayNumbers } from "../notifications/index.ts";
import type { TaskKind } from "../tasks/index.ts";
import type { Handler } from "./handler.ts";
import type { Result } from "./result.ts";

/** What asks about events and what is done for them, beside the book. */
export interface EventHandling {
  /** The installation's own owner, whose events are called as their sources call them. */
  readonly home: string;
  /** As they are set now, in the order in which they are asked. */
  readonly handlers: readonly Handler[];
  /** Tasks of handlers at work at once; null: as many as there are. */
  readonly capacity: number | null;
  /** Where a worker outside leaves a task that it had; null: it went away without a word. */
  ends(task: Claimed<TaskKind>, said: Result | null): Promise<Verdict<TaskKind>>;
  /** Long lists of what waits for workers, for a moment. */
  readonly waiting: Map<string, WaitingTasks>;
  pause(ms: number): Promise<void>;
}

/** Absent where nobody handles events. */
export const eventHandling = port<EventHandling | undefined>("events.handling", undefined);

export function handlingIn(context: Context): EventHandling {
  const handling = context.use(eventHandling);
  if (handling !== undefined) return handling;
  const sentence = "Nothing is set up here that handles events: ask where Daybook runs.";
  throw new DaybookError("unsupported", sentence);
}

/** Writes a task under the next name of the owner's own day. One that another program took is passed over. */
export async function underTaskId<T>(
  context: Context,
  write: (taskId: string) => Promise<T>,
): Promise<T> {
  const { now, profile } = context;
  for (;;) {
    const id = await context.use(dayNumbers).label("task", dayOf(now(), profile.zone));
    try {
      return await write(id);
    } catch (error) {
      if (!hasCode(error, "conflict") || error.details["id"] !== id) throw error;
    }
  }
}

/** A handler as it is set now. */
export function handlerNamed(context: Context, name: string): Handler | undefined {
  return context.use(eventHandling)?.handlers.find((each) => each.name === name);
}

export function noHandler(name: string): DaybookError {
  const sentence = `No handler is called ${quote(name)}: name one that stands under "handlers" in the settings.`;
  return new DaybookError("not_found", sentence, { details: { handler: name } });
}

/** What waited for workers a moment ago: the next first. Each id is given to one who asks. */
export interface WaitingTasks {
  readonly ids: string[];
  readonly until: number;
}
