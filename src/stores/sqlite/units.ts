import type { Consequences } from "../../kernel/unit.ts";
import type { Refused } from "../../kernel/work-unit.ts";
import { DaybookError, toErrorData } from "../../platform/errors.ts";
import type { Savepoint } from "./transactions.ts";

/** Runs one unit. Without consequences it refuses before it writes, and needs no savepoint. */
export function runUnit<T>(
  savepoint: Savepoint,
  consequences: Consequences | undefined,
  run: () => T,
): T {
  return consequences === undefined ? run() : savepoint(run);
}

/** Many units in one call, each with its own answer: one that is refused touches no other. */
export function eachUnit<Unit extends { id: string }, Answer>(
  savepoint: Savepoint,
  one: (unit: Unit, now: number) => Answer,
): (units: readonly Unit[], now: number) => readonly (Answer | Refused)[] {
  const attempt = (unit: Unit, now: number): Answer | Refused => {
    try {
      const consequences =
        "consequences" in unit ? (unit.consequences as Consequences | undefined) : undefined;
      return runUnit(savepoint, consequences, () => one(unit, now));
    } catch (error) {
      if (error instanceof DaybookError) return { result: "refused", error: toErrorData(error) };
      throw error;
    }
  };
  return (units, now) => units.map((unit) => attempt(unit, now));
}
