import { withoutUndefined } from "../platform/json.ts";
import type { Consequences } from "./unit.ts";
import type { Settle } from "./work-unit.ts";

/** Drops the properties that are `undefined`: those of the write itself, of its body and of its outcome. */
export function compactWrite<W extends object & { body?: unknown; outcome?: unknown }>(
  write: W,
): W {
  const body = withoutUndefined(write.body);
  const outcome = withoutUndefined(write.outcome);
  const isCompact = body === write.body && outcome === write.outcome;
  return withoutUndefined(isCompact ? write : { ...write, body, outcome });
}

export function compactConsequences<C extends Consequences | undefined>(consequences: C): C {
  if (consequences === undefined) return consequences;
  return withoutUndefined({
    ...consequences,
    append: consequences.append?.map(compactWrite),
    edit: consequences.edit?.map(compactWrite),
    cancel: consequences.cancel?.map(withoutUndefined),
  });
}

export function compactSettle(unit: Settle): Settle {
  if ("unstarted" in unit || unit.consequences === undefined) return compactWrite(unit);
  return compactWrite({ ...unit, consequences: compactConsequences(unit.consequences) });
}
