import { DaybookError } from "../../base/errors.ts";
import { readCadence, readWhen, type AskedCadence, type Cadence } from "../../rules/cadence.ts";
import type { Look } from "../notification-view.ts";
import type { AskedWhen } from "./inputs.ts";

export interface When {
  readonly cadence: Cadence;
  /** The words it was asked in. */
  readonly whenText: string;
  readonly assumed?: string;
}

/** A recurrence rule, which nobody says in words: its parts may come in any order. */
const isRule = /^\s*RRULE:|\bFREQ=/i;

/** When it was asked for; undefined when nothing was said of it. */
export function whenAsked({ when, cadence }: AskedWhen, look: Look): When | undefined {
  if (when !== undefined && cadence !== undefined) {
    throw new DaybookError("invalid", '"when" and "cadence" say the same: give one of them.');
  }
  if (when !== undefined && isRule.test(when)) {
    return { cadence: readCadence({ type: "rrule", rule: when }, look), whenText: when };
  }
  if (when !== undefined) return { ...readWhen(when, look), whenText: when };
  if (cadence === undefined) return undefined;
  return { cadence: readCadence(cadence, look), whenText: wordsOf(cadence) };
}

/** The same, where something must have been said. */
export function whenNeeded(asked: AskedWhen, look: Look): When {
  const when = whenAsked(asked, look);
  if (when !== undefined) return when;
  throw new DaybookError("invalid", 'Say when it runs, such as "every weekday 9am".');
}

function wordsOf(cadence: AskedCadence): string {
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
