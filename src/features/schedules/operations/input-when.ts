import { atPath } from "../../../platform/at-path.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { readCadence, readWhen, type CadenceInput, type Cadence } from "../../../time/cadence.ts";
import type { MomentOptions } from "../../accounts/index.ts";
import type { WhenInput } from "./inputs.ts";

export interface When {
  readonly cadence: Cadence;
  /** The words it was asked in. */
  readonly whenText: string;
  readonly assumed?: string;
}

/** A recurrence rule, which nobody says in words: its parts may come in any order. */
const isRule = /^\s*RRULE:|\bFREQ=/i;

/** When it was asked for; undefined when nothing was said of it. */
export function readWhenInput({ when, cadence }: WhenInput, look: MomentOptions): When | undefined {
  if (when !== undefined && cadence !== undefined) {
    throw new DaybookError("invalid", '"when" and "cadence" say the same: give one of them.', {
      details: { path: "cadence" },
    });
  }
  if (when !== undefined && isRule.test(when)) {
    const rule = { type: "rrule", rule: when } as const;
    const read = (): Cadence => atPath("cadence", () => readCadence(rule, look));
    return { cadence: withTime({ when }, read), whenText: when };
  }
  if (when !== undefined) {
    return { ...atPath("when", () => readWhen(when, look)), whenText: when };
  }
  if (cadence === undefined) return undefined;
  const read = atPath("cadence", () => readCadence(cadence, look));
  return { cadence: read, whenText: textOf(cadence) };
}

/** The same, where something must have been said. */
export function requireWhen(request: WhenInput, look: MomentOptions): When {
  const when = readWhenInput(request, look);
  if (when !== undefined) return when;
  throw new DaybookError("invalid", 'Say when it runs, such as "every weekday 9am".', {
    details: { path: "when" },
  });
}

/** Reads or makes something by a time. Inside it is a cadence: what is wrong is told of what was typed. */
export function withTime<Made>(request: TimeInput, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    const typed = (["every", "when"] as const).find((name) => request[name] !== undefined);
    const isOfTime = hasCode(error, "invalid") && /^cadence\b/.test(String(error.details["path"]));
    if (!isOfTime || typed === undefined) throw error;
    const details = { ...error.details, path: typed };
    throw new DaybookError(error.code, error.message, { cause: error, details });
  }
}

interface TimeInput {
  readonly when?: string | undefined;
  /** Where a length alone is taken too. */
  readonly every?: string | number | undefined;
}

function textOf(cadence: CadenceInput): string {
  switch (cadence.type) {
    case "once":
      return cadence.at;
    case "cron":
      return cadence.expression;
    case "interval":
      return typeof cadence.every === "number"
        ? `every ${cadence.every} s`
        : `every ${cadence.every}`;
    case "rrule":
      return cadence.rule;
  }
}
