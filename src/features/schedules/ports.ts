import type { Installation } from "../../kernel/operation.ts";
import { port } from "../../kernel/port.ts";
import type { DaybookError } from "../../platform/errors.ts";
import type { RunInput, RunTemplate, Payload } from "../tasks/index.ts";
import type { Step } from "./declared.ts";
import type { ScheduleKind } from "./kind.ts";
import type { WhenInput } from "./operations/inputs.ts";

/** What the settings allow. */
export interface ScheduleLimits {
  /** The least that lies between two runs of a schedule: 60 s when absent. */
  readonly minGapMs?: number;
  /** The most schedules that an owner may have: 50 when absent. */
  readonly schedulesMax?: number;
}

export const scheduleLimits = port<ScheduleLimits>("schedules.limits", {});

/** Schedules that stand in the settings. */
export const declaredSchedules = port<DeclaredSchedules>("schedules.declared", {
  source: "",
  owners: [],
  schedules: {},
});

/** Reads the settings again, and makes the schedules as they say; undefined where nobody runs by them. */
export const reloadSettings = port<(() => Promise<Reloaded<MadeSchedules>>) | undefined>(
  "schedules.reload",
  undefined,
);

/** The installation under the settings as they are written now; throws what is wrong with them. */
export const writtenSettings = port<(() => Installation) | undefined>(
  "schedules.writtenSettings",
  undefined,
);

/** What came of reading the settings again. */
export type Reloaded<More = unknown> =
  | ({
      ok: true;
      /** By key, since the last time. */
      changed: readonly string[];
      /** Since the start: what runs is still the old one. */
      needsRestart: readonly string[];
    } & More)
  | { ok: false; problems: readonly string[] };

/** What became of the schedules that stand in the settings. */
export interface MadeSchedules {
  readonly steps: readonly Applied[];
  /** Why they were not made so. */
  readonly refused?: DaybookError;
}

/** Schedules as somebody keeps them set down, by name. */
export interface DeclaredSchedules {
  /** Where they stand: what another place sets down is not touched. */
  readonly source: string;
  /** In whose books is looked for what no longer stands there. */
  readonly owners: readonly string[];
  readonly schedules: Readonly<Record<string, DeclaredEntry>>;
}

/** What became of one, or would. */
export type Applied = Step & { readonly owner: string; readonly secret?: string };

/** One schedule as it is set down. */
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
  /** As its key, when absent. */
  readonly name?: string;
  readonly when?: string;
  readonly cadence?: WhenInput["cadence"];
  readonly timezone?: string;
  readonly run: RunInput;
  readonly target?: string;
  readonly timeout?: string | number;
  readonly adopt: boolean;
  /** Of a handler's own. */
  readonly of?: OfHandler;
  /** Where it stands: `daybook.yaml:14:3`. */
  readonly place?: string;
}

/** What a handler does again and again, as it is set down. */
export interface OfHandler {
  readonly handler: {
    readonly name: string;
    /** Absent: workers from outside claim its tasks. */
    readonly run?: RunTemplate;
    readonly channels: readonly string[];
    readonly retries: number;
    readonly timeoutMs: number;
  };
  /** What it is called there. */
  readonly name: string;
  readonly taskType: string;
  readonly payload: Payload;
  readonly repo: string | null;
  /** How many tasks of handlers may be at work at once. */
  readonly capacity: number;
}
