import type { Context } from "../../../kernel/operation.ts";
import type { Claimed } from "../../../kernel/record.ts";
import type { Verdict } from "../../../kernel/verdict.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { dayOf } from "../../../time/zone.ts";
import type { Numbered } from "../../notifications/counter.ts";
import type { TaskKind } from "../../tasks/kind.ts";
import type { HandledTasks } from "../../tasks/operations/ports.ts";
import type { Handler } from "../handler.ts";
import type { Result } from "../result.ts";
import type { Waiting } from "./waiting-tasks.ts";

/** What asks about events and what is done for them, beside the book. */
export interface WhenDesk {
  /** The installation's own owner, whose events are called as their sources call them. */
  readonly home: string;
  /** As they are set now, in the order in which they are asked. */
  readonly handlers: readonly Handler[];
  /** Tasks of handlers at work at once; null: as many as there are. */
  readonly places: number | null;
  /** What tasks of handlers add to operations on tasks. */
  readonly tasks: HandledTasks;
  /** The next name of a day: `task-20260207-001`. */
  label(what: Numbered, day: string): Promise<string>;
  /** Where a worker outside leaves a task that it had; null: it went away without a word. */
  ends(task: Claimed<TaskKind>, said: Result | null): Promise<Verdict<TaskKind>>;
  /** Long lists of what waits for workers, for a moment. */
  readonly waiting: Map<string, Waiting>;
  rest(ms: number): Promise<void>;
}

export function whenOf({ when }: Context): WhenDesk {
  if (when !== undefined) return when;
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
    const id = await whenOf(context).label("task", dayOf(now(), profile.zone));
    try {
      return await write(id);
    } catch (error) {
      if (!hasCode(error, "conflict") || error.details["id"] !== id) throw error;
    }
  }
}

/** A handler as it is set now. */
export function handlerNamed(context: Context, name: string): Handler | undefined {
  return context.when?.handlers.find((each) => each.name === name);
}

export function noHandler(name: string): DaybookError {
  const sentence = `No handler is called ${quote(name)}: name one that stands under "handlers" in the settings.`;
  return new DaybookError("not_found", sentence, { details: { handler: name } });
}
