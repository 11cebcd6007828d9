import * as z from "zod";
import type { Claimed, Priority } from "../../kernel/record.ts";
import { about } from "../../platform/settings/about.ts";
import type { TaskKind } from "../tasks/index.ts";

/** How much of a machine is used, in percent. */
export interface Load {
  readonly cpu: number;
  readonly memory: number;
  readonly disk: number;
}

/** Over the first much is used, and only what is urgent is begun; over the second nothing is. 100: never. */
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

/** How a machine is, and why. */
export interface Condition {
  readonly health: Health;
  /** Null: all is well. */
  readonly reason: string | null;
  /** Empty when it is not well: it is not known how it is. */
  readonly overloads: readonly Overload[];
}

export const sampleEveryMs = 30_000;
/** What was measured longer ago says nothing any more: two rounds, and the time that one takes. */
export const sampleMsMax = 2 * sampleEveryMs + 5_000;
/** By so much a measure must fall under a limit that it was over, or a load just there would flap. */
const marginPercent = 5;

const measures = ["cpu", "memory", "disk"] as const satisfies readonly (keyof Load)[];

/** How a machine is by what was measured, when it was like `before` until now. */
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
  return much.length > 0 ? overloaded("yellow", much) : well;
}

export const well: Condition = { health: "green", reason: null, overloads: [] };
/** Not to know is no reason to begin anything. */
const unknown: Condition = {
  health: "red",
  reason: "it is not known how much the machine has to do",
  overloads: [],
};

function overloaded(health: Health, strains: readonly Overload[]): Condition {
  return { health, reason: strains.map(overloadText).join(", "), overloads: strains };
}

/** `cpu 93 % > 80 %`: read alike in every language. */
function overloadText({ what, percent, limit }: Overload): string {
  return `${what} ${Math.round(percent)} % > ${limit} %`;
}

function overloadsOver(sample: Sample, limits: Load, wasOver: boolean): readonly Overload[] {
  return measures.flatMap((what) => {
    const limit = limits[what];
    // A limit that is never reached stays so.
    const from = wasOver && limit < 100 ? limit - marginPercent : limit;
    return sample[what] > from ? [{ what, percent: sample[what], limit }] : [];
  });
}

/** A clock that was set back makes no sample younger than now. */
function isKnown(sample: Sample, now: number): boolean {
  const isMeasured = measures.every((what) => Number.isFinite(sample[what]) && sample[what] >= 0);
  return isMeasured && Math.abs(now - sample.at) <= sampleMsMax;
}

const percentForm = "a number from 1 to 100; 100 is never";

function percent(words: string, otherwise: number) {
  const schema = z.number().min(1).max(100).default(otherwise);
  return schema.register(about, { summary: words, write: percentForm });
}

const { yellow, red } = healthDefault;

/** From how much on the machine has much to do, or too much. */
export const health = z
  .strictObject({
    yellow: z
      .strictObject({
        cpu: percent("Over this only what is urgent is begun: processors, in percent.", yellow.cpu),
        memory: percent("Memory, in percent.", yellow.memory),
        disk: percent("The disk of the home, in percent.", yellow.disk),
      })
      .prefault({})
      .register(about, { summary: "Over these only what is urgent is begun." }),
    red: z
      .strictObject({
        cpu: percent("Over this nothing is begun: processors, in percent.", red.cpu),
        memory: percent("Memory, in percent.", red.memory),
        disk: percent("The disk of the home, in percent.", red.disk),
      })
      .prefault({})
      .register(about, { summary: "Over these nothing is begun." }),
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

/** Why a task of a handler is not begun now; undefined: it is begun. */
export function overloadFor(
  { body, outcome, priority }: Task,
  { health, reason }: Condition,
): string | undefined {
  // With its place it is about to begin; with its callback, only its end is read.
  if (outcome?.hasTurn === true || outcome?.callback !== undefined) return undefined;
  // Somebody asked for it just now, and sees how the machine is; or answered, and waits.
  if (body.slot !== undefined && body.slot.because !== "cadence") return undefined;
  if (body.event?.answer !== undefined) return undefined;
  return waitOf(priority, health, reason);
}

/** How the machine is: all is taken on, only what is urgent, nothing. */
export type Health = "green" | "yellow" | "red";

/** Why nothing that is as urgent as this is begun now; undefined: it is. */
export function waitOf(
  priority: Priority,
  health: Health,
  reason: string | null,
): string | undefined {
  const because = reason === null ? "" : ` (${reason})`;
  if (health === "red") return `waits: the machine has too much to do${because}`;
  if (health === "green" || priority === "high") return undefined;
  return `waits: the machine has much to do, and only what is urgent is begun${because}`;
}
