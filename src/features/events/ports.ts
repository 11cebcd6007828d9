import type { Context } from "../../kernel/operation.ts";
import { port } from "../../kernel/port.ts";
import { DaybookError, hasCode } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { dayOf } from "../../time/zone.ts";
import { dayNumbers } from "../notifications/index.ts";
import type { RouterSettings } from "./controller.ts";
import type { Handler } from "./handler.ts";
import type { HealthWatch } from "./health-watch.ts";
import type { HealthLimits, Load } from "./health.ts";
import type { EventFilter } from "./poll-result.ts";
import type { Source } from "./source.ts";
import type { WorkerEnd } from "./workers.ts";

/** What asks about events and what is done for them, beside the book. */
export interface EventHandling {
  /** The installation's own owner, whose events are called as their sources call them. */
  readonly home: string;
  /** As they are set now, in the order in which they are asked. */
  readonly handlers: readonly Handler[];
  /** Tasks of handlers at work at once; null: as many as there are. */
  readonly capacity: number | null;
  /** Where a worker outside leaves a task that it had; null: it went away without a word. */
  readonly ends: WorkerEnd;
  /** Long lists of what waits for workers, for a moment. */
  readonly waiting: Map<string, WaitingTasks>;
  pause(ms: number): Promise<void>;
}

/** What is set for events at this moment. */
export type EventRules = Omit<RouterSettings, "health" | "healthReason">;

export const eventRules = port<EventRules>("events.rules", {
  handlers: [],
  defaultTarget: null,
  capacity: null,
});

/** Whether this node gives events to handlers; otherwise they wait for a node that does. */
export const routesEvents = port<boolean>("events.routes", false);

/** A source that is polled, and in whose book its events are written. */
export interface OwnedSource {
  readonly source: Source;
  readonly owner: string;
  readonly everyMs: number;
  readonly interest: EventFilter;
}

/** The sources that are set up: the same list as long as nothing has changed. */
export const eventSources = port<readonly OwnedSource[]>("events.sources", []);

/** Owners who have events besides those of the sources, such as those of webhooks. */
export const eventOwners = port<readonly string[]>("events.owners", []);

/** How the load of this machine is measured, and its limits; undefined: it is always well. */
export const machine = port<{ limits(): HealthLimits; measure(): Promise<Load> } | undefined>(
  "events.machine",
  undefined,
);

/** The condition of this machine. */
export const health = port<HealthWatch>("events.health");

/** Decides the end of a task that an external worker had. */
export const workerEnds = port<WorkerEnd>("events.workerEnds");

/** Removes files from before a time that lie beside the records; undefined where the store has none. */
export const folderSweep = port<((before: number) => Promise<number>) | undefined>(
  "events.folderSweep",
  undefined,
);

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
