import type { Refused } from "../../kernel/work-unit.ts";
import { DaybookError, toErrorData } from "../../platform/errors.ts";
import type { Database } from "./database.ts";
import type { Session } from "./transactions.ts";

/** Consecutive units that are all plain, or one that is not. */
export type Run<Unit> = { readonly plain: boolean; readonly units: readonly Unit[] };

/** The order stays, because a unit may write to the record of a later one. */
export function runsOf<Unit extends { id: string }>(
  units: readonly Unit[],
  isPlain: (unit: Unit) => boolean,
  namesOf: (unit: Unit) => readonly string[] = ({ id }) => [id],
): readonly Run<Unit>[] {
  const runs: { plain: boolean; units: Unit[] }[] = [];
  const seen = new Set<string>();
  for (const unit of units) {
    // A statement writes each record once: a unit that names a record again runs after it.
    const names = namesOf(unit);
    const isFirst = new Set(names).size === names.length && !names.some((name) => seen.has(name));
    const plain = isFirst && isPlain(unit);
    const last = runs.at(-1);
    if (plain && last?.plain) last.units.push(unit);
    else runs.push({ plain, units: [unit] });
    for (const name of names) seen.add(name);
  }
  return runs;
}

/** Runs one unit. A refusal is its answer, and does not touch other units. */
export async function orRefused<Answer>(
  session: Session,
  run: () => Promise<Answer>,
): Promise<Answer | Refused> {
  try {
    return await session.unit(run);
  } catch (error) {
    if (error instanceof DaybookError) return { result: "refused", error: toErrorData(error) };
    throw error;
  }
}

/** Writes the runs of one call: a single plain run is one statement, others share a transaction. */
export async function inRuns<Unit, Answer>(
  { once, write }: Database,
  runs: readonly Run<Unit>[],
  each: (session: Session, run: Run<Unit>) => Promise<readonly Answer[]>,
): Promise<readonly Answer[]> {
  const [first] = runs;
  if (first === undefined) return [];
  if (runs.length === 1 && first.plain) return once((session) => each(session, first));
  return write(async (session) => {
    const answers: Answer[] = [];
    for (const run of runs) answers.push(...(await each(session, run)));
    return answers;
  });
}
