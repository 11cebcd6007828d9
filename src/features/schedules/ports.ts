import type { Installation } from "../../kernel/operation.ts";
import { port } from "../../kernel/port.ts";
import type { Backoff } from "../../platform/backoff.ts";
import type { DaybookError } from "../../platform/errors.ts";
import type { Rate, RunInput, RunTemplate, Payload } from "../tasks/index.ts";
import type { Step } from "./declared/plan.ts";
import type { ScheduleKind } from "./kind.ts";
import type { WhenInput } from "./operations/inputs.ts";

/** The limits of the settings. */
export interface ScheduleLimits {
  /** The smallest gap between two runs of a schedule. Default: 60 s. */
  readonly minGapMs?: number;
  /** How many schedules an owner may have. Default: 50. */
  readonly schedulesMax?: number;
  /** Runs in a row whose output cannot be delivered, until the schedule is paused; 0: never. Default: 5. */
  readonly undeliverableMax?: number;
}

export const scheduleLimits = port<ScheduleLimits>("schedules.limits", {});

/** The schedules that the settings declare. */
export const declaredSchedules = port<DeclaredSchedules>("schedules.declared", {
  source: "",
  owners: [],
  schedules: {},
});

/** Reloads the settings and applies their schedules; undefined where no daemon runs with them. */
export const reloadSettings = port<(() => Promise<Reloaded<MadeSchedules>>) | undefined>(
  "schedules.reload",
  undefined,
);

/** The installation with the settings as they are in the file now; throws if they are invalid. */
export const writtenSettings = port<(() => Installation) | undefined>(
  "schedules.writtenSettings",
  undefined,
);

/** The result of a reload of the settings. */
export type Reloaded<More = unknown> =
  | ({
      ok: true;
      /** The keys that changed since the last load. */
      changed: readonly string[];
      /** The keys that changed since the start and still have their old values. */
      needsRestart: readonly string[];
    } & More)
  | { ok: false; problems: readonly string[] };

/** The result of applying the declared schedules. */
export interface MadeSchedules {
  readonly steps: readonly Applied[];
  /** Why they were not applied. */
  readonly refused?: DaybookError;
}

/** Schedules that a file or a program declares, by name. */
export interface DeclaredSchedules {
  /** Where they are declared. Schedules of other sources are not changed. */
  readonly source: string;
  /** The owners whose books are searched for schedules that are no longer declared. */
  readonly owners: readonly string[];
  readonly schedules: Readonly<Record<string, DeclaredEntry>>;
}

/** A step of a plan, with its owner. */
export type Applied = Step & { readonly owner: string; readonly secret?: string | undefined };

/** The declaration of one schedule. */
export interface DeclaredEntry extends Pick<
  ScheduleKind["body"],
  | "notify"
  | "misfire"
  | "overlap"
  | "rerun"
  | "notifyAfterFailures"
  | "disableAfterFailures"
  | "budget"
> {
  readonly owner: string;
  /** Default: its key. */
  readonly name?: string;
  readonly when?: string;
  readonly cadence?: WhenInput["cadence"];
  readonly timezone?: string;
  readonly run: RunInput;
  readonly target?: string;
  readonly timeout?: string | number;
  readonly adopt: boolean;
  /** The handler that the schedule belongs to. */
  readonly of?: OfHandler;
  /** Its position: `daybook.yaml:14:3`. */
  readonly place?: string;
}

/** The declaration of a handler's schedule. */
export interface OfHandler {
  readonly handler: {
    readonly name: string;
    /** Absent: outside workers claim its tasks. */
    readonly run?: RunTemplate;
    readonly channels: readonly string[];
    readonly retries: number;
    readonly pauses?: Backoff;
    readonly rate?: Omit<Rate, "name">;
    readonly timeoutMs: number;
  };
  /** Its name in the handler. */
  readonly name: string;
  readonly taskType: string;
  readonly payload: Payload;
  readonly repo: string | null;
  /** How many tasks of handlers may run at once. */
  readonly capacity: number;
}
