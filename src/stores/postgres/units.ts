import type { Refused } from "../../kernel/work-unit.ts";
import { DaybookError, toErrorData } from "../../platform/errors.ts";
import type { Session } from "./transactions.ts";

/** Units that follow each other and are all plain, or one that is not. */
export type Run<Unit> = { readonly plain: boolean; readonly units: readonly Unit[] };

/** In their order, because a unit may write to the record of a later one. */
export function runsOf<Unit extends { id: string }>(
  units: readonly Unit[],
  isPlain: (unit: Unit) => boolean,
  namesOf: (unit: Unit) => readonly string[] = ({ id }) => [id],
): readonly Run<Unit>[] {
  const runs: { plain: boolean; units: Unit[] }[] = [];
  const seen = new Set<string>();
  for (const unit of units) {
    // A statement sees each record once: who names one again comes after it.
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

/** One unit with an answer of its own: if it is refused, it touches no other. */
export async function refusing<Answer>(
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
