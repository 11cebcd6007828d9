import { held } from "../../kernel/refusals.ts";
import type { Hold } from "../../kernel/unit.ts";
import type { Model } from "./model.ts";
import type { Row } from "./row.ts";

/** The row with the names it asks for in place of those it had; `held` when another has one. */
export function holding(model: Model, row: Row, request: readonly Hold[] | undefined): Row {
  if (request === undefined) return row;
  const names = new Set<string>();
  for (const hold of request) names.add(nameFor(model, row, hold, names));
  return { ...row, holds: [...names] };
}

function nameFor(model: Model, row: Row, hold: Hold, taken: ReadonlySet<string>): string {
  const names = typeof hold === "string" ? [hold] : hold.oneOf;
  const found =
    names.find((name) => taken.has(name) || row.holds.includes(name)) ??
    names.find((name) => !model.names.has(name));
  if (found !== undefined) return found;
  const [name = ""] = names;
  throw held(name, model.names.get(name) ?? null);
}
