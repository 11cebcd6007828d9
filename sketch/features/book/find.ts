import type { Feature, KindActions } from "../../kernel/feature.ts";
import type { Context } from "../../kernel/operation.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { DaybookError } from "../../platform/errors.ts";

/** What the features can do to a record by its kind. */
export function actionsFor(
  features: readonly Feature[],
  { kind }: LedgerRecord,
): KindActions | undefined {
  return features
    .flatMap((each) => each.actions ?? [])
    .find((actions) => actions.kind.name === kind);
}

/** A record by its id, or by a name that one of the features knows. */
export async function find(
  features: readonly Feature[],
  which: string,
  context: Context,
): Promise<LedgerRecord> {
  const record = await context.book.get(which);
  if (record !== undefined) return record;
  for (const { findByName } of features.flatMap((each) => each.actions ?? [])) {
    const named = await findByName?.(which, context);
    if (named !== undefined) return named;
  }
  throw new DaybookError("not_found", `There is no record "${which}".`);
}
