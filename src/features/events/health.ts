import * as z from "zod";
import type { Claimed, Priority } from "../../kernel/record.ts";
import { about } from "../../platform/settings/about.ts";
import type { TaskKind } from "../tasks/index.ts";

/** The load of a machine, in percent. */
export interface Load {
  readonly cpu: number;
  readonly memory: number;
  readonly disk: number;
}

/** Over yellow only work of high priority starts; over red none does. 100: never. */
export interface HealthLimits {
  readonly yellow: Load;
  readonly red: Load;
}

export const healthDefault: HealthLimits = {
  yellow: { cpu: 60, memory: 60, disk: 85 },
  red: { cpu: 80, memory: 80, disk: 95 },
};

export interface Sample extends Load {
  /** When it was measured: UTC epoch milliseconds. */
  readonly at: number;
}

/** One measure that is over its limit. */
interface Overload {
  readonly what: keyof Load;
  readonly percent: number;
  readonly limit: number;
}

/** The health of a machine, and why. */
export interface Condition {
  readonly health: Health;
  /** Null: it is healthy. */
  readonly reason: string | null;
  /** Empty and not healthy: the load is unknown. */
  readonly overloads: readonly Overload[];
}

export const sampleEveryMs = 30_000;
/** An older sample is ignored: two rounds, and the time that one takes. */
export const sampleMsMax = 2 * sampleEveryMs + 5_000;
/** A measure must fall this far under a limit to be healthy again, so that a load near the limit does not flap. */
const marginPercent = 5;

const measures = ["cpu", "memory", "disk"] as const satisfies readonly (keyof Load)[];

/** The health of a machine by its last sample, and by its health until now. */
export function healthOf(
  sample: Sample | undefined,
  limits: HealthLimits,
  now: number,
  before: Health = "green",
): Condition {
  if (sample === undefined || !isKnown(sample, now)) return unknown;
  const tooMuch = overloadsOver(sample, limits.red, before === "red");
  if (tooMuch.length > 0) return overloaded("red", tooMuch);
  const much = overloadsOver(sample, limits.yellow, before !== "green");
  return much.length > 0 ? overloaded("yellow", much) : healthy;
}

export const healthy: Condition = { health: "green", reason: null, overloads: [] };
/** Nothing starts while the load is unknown. */
const unknown: Condition = {
  health: "red",
  reason: "the load of the machine is not known",
  overloads: [],
};

function overloaded(health: Health, overloads: readonly Overload[]): Condition {
  return { health, reason: overloads.map(overloadText).join(", "), overloads };
}

/** `cpu 93 % > 80 %`: the same in every language. */
function overloadText({ what, percent, limit }: Overload): string {
  return `${what} ${Math.round(percent)} % > ${limit} %`;
}

function overloadsOver(sample: Sample, limits: Load, wasOver: boolean): readonly Overload[] {
  return measures.flatMap((what) => {
    const limit = limits[what];
    // A limit of 100 has no margin: it is never reached.
    const from = wasOver && limit < 100 ? limit - marginPercent : limit;
    return sample[what] > from ? [{ what, percent: sample[what], limit }] : [];
  });
}

/** The difference counts in both directions: the clock may have been set back. */
function isKnown(sample: Sample, now: number): boolean {
  const isMeasured = measures.every((what) => Number.isFinite(sample[what]) && sample[what] >= 0);
  return isMeasured && Math.abs(now - sample.at) <= sampleMsMax;
}

const percentForm = "a number from 1 to 100; 100 means never";

function percent(summary: string, otherwise: number) {
  const schema = z.number().min(1).max(100).default(otherwise);
  return schema.register(about, { summary, write: percentForm });
}

const { yellow, red } = healthDefault;

/** The settings of the limits. */
export const health = z
  .strictObject({
    yellow: z
      .strictObject({
        cpu: percent(
          "Processor load over which only handlers of high priority start, in percent.",
          yellow.cpu,
        ),
        memory: percent("The same for used memory, in percent.", yellow.memory),
        disk: percent("The same for the disk of the data directory, in percent.", yellow.disk),
      })
      .prefault({})
      .register(about, { summary: "Over one of these limits only work of high priority starts." }),
    red: z
      .strictObject({
        cpu: percent("Processor load over which no handlers start, in percent.", red.cpu),
        memory: percent("The same for used memory, in percent.", red.memory),
        disk: percent("The same for the disk of the data directory, in percent.", red.disk),
      })
      .prefault({})
      .register(about, { summary: "Over one of these limits no work starts." }),
  })
  .superRefine((limits, context) => {
    for (const what of ["cpu", "memory", "disk"] as const) {
      const [much, tooMuch] = [limits.yellow[what], limits.red[what]];
      if (much <= tooMuch) continue;
      const advice = `raise health.red.${what}, or lower health.yellow.${what}`;
      const says = `has ${what} red over ${tooMuch} and yellow over ${much}: ${advice}`;
      context.addIssue({ code: "custom", params: { says } });
    }
  });

type Task = Claimed<TaskKind>;

/** Why a task of a handler does not start now; undefined: it starts. */
export function overloadFor(
  { body, outcome, priority }: Task,
  { health, reason }: Condition,
): string | undefined {
  // A task with its turn has started; after a callback only the end is read.
  if (outcome?.hasTurn === true || outcome?.callback !== undefined) return undefined;
  // A person requested the run, or answered its question, and waits for it.
  if (body.slot !== undefined && body.slot.because !== "cadence") return undefined;
  if (body.event?.answer !== undefined) return undefined;
  return waitOf(priority, health, reason);
}

/** green: all work starts; yellow: only work of high priority; red: none. */
export type Health = "green" | "yellow" | "red";

/** Why work of this priority does not start now; undefined: it starts. */
export function waitOf(
  priority: Priority,
  health: Health,
  reason: string | null,
): string | undefined {
  const detail = reason === null ? "" : ` (${reason})`;
  if (health === "red") return `waits: the machine is overloaded${detail}`;
  if (health === "green" || priority === "high") return undefined;
  return `waits: the machine is busy, so only urgent work starts${detail}`;
}
