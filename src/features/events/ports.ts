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
import type { EventFacts } from "./kind.ts";
import type { EventFilter } from "./poll-result.ts";
import type { Source } from "./source.ts";
import type { WorkerEnd } from "./workers.ts";

/** What the operations on events need besides the book. */
export interface EventContext extends Pick<EventFacts, "home"> {
  /** As they are set now; the first one that subscribes to a type gets its events. */
  readonly handlers: readonly Handler[];
  /** The most tasks of handlers that run at once; null: any number. */
  readonly capacity: number | null;
  /** Decides the end of a task that an external worker had. */
  readonly ends: WorkerEnd;
  /** Cached long lists of tasks that wait for workers. */
  readonly waiting: Map<string, WaitingList>;
  pause(ms: number): Promise<void>;
}

/** The settings of events, as they are now. */
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
  readonly filter: EventFilter;
}

/** The configured sources: the same array as long as the settings have not changed. */
export const eventSources = port<readonly OwnedSource[]>("events.sources", []);

/** Owners who have events from elsewhere than sources, such as webhooks. */
export const eventOwners = port<readonly string[]>("events.owners", []);

/** How the load of this machine is measured, and its limits; undefined: it is always healthy. */
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

/** Absent in a process that handles no events. */
export const eventContext = port<EventContext | undefined>("events.handling", undefined);

export function eventContextOf(context: Context): EventContext {
  const found = context.use(eventContext);
  if (found !== undefined) return found;
  const sentence = "This process handles no events: send the request to a running daemon.";
  throw new DaybookError("unsupported", sentence);
}

/** Writes a task under the next id of the day in the owner's zone. An id that another program took is skipped. */
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

/** The handler of that name in the current settings. */
export function handlerNamed(context: Context, name: string): Handler | undefined {
  return context.use(eventContext)?.handlers.find((each) => each.name === name);
}

export function noHandler(name: string): DaybookError {
  const sentence = `There is no handler ${quote(name)}: give the name of one under "handlers" in the settings.`;
  return new DaybookError("not_found", sentence, { details: { handler: name } });
}

/** Ids of tasks that waited for workers a moment ago, the next first. Each id is handed out once. */
export interface WaitingList {
  readonly ids: string[];
  readonly until: number;
}
