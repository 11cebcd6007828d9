import type { Health } from "./route.ts";

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
interface Strain {
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
  readonly strains: readonly Strain[];
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
  const tooMuch = strainsOver(sample, limits.red, before === "red");
  if (tooMuch.length > 0) return strained("red", tooMuch);
  const much = strainsOver(sample, limits.yellow, before !== "green");
  return much.length > 0 ? strained("yellow", much) : well;
}

export const well: Condition = { health: "green", reason: null, strains: [] };
/** Not to know is no reason to begin anything. */
const unknown: Condition = {
  health: "red",
  reason: "it is not known how much the machine has to do",
  strains: [],
};

function strained(health: Health, strains: readonly Strain[]): Condition {
  return { health, reason: strains.map(strainWords).join(", "), strains };
}

/** `cpu 93 % > 80 %`: read alike in every language. */
function strainWords({ what, percent, limit }: Strain): string {
  return `${what} ${Math.round(percent)} % > ${limit} %`;
}

function strainsOver(sample: Sample, limits: Load, wasOver: boolean): readonly Strain[] {
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
