import type { Consequences, Who } from "../../kernel/unit.ts";
import { append } from "./append.ts";
import { cancelOne } from "./cancel.ts";
import { edit } from "./edit.ts";
import type { Model } from "./model.ts";
import { wake } from "./wake.ts";

/** Writes what follows from a write to the record `id`. Each part sees those before it. */
export function writeConsequences(
  model: Model,
  who: Who,
  id: string,
  consequences: Consequences | undefined,
): void {
  for (const draft of consequences?.append ?? []) {
    append(model, who, { ...draft, parent: draft.parent === undefined ? id : draft.parent });
  }
  for (const each of consequences?.edit ?? []) edit(model, who, each);
  for (const each of consequences?.cancel ?? []) cancelOne(model, who, each);
  for (const each of consequences?.wake ?? []) wake(model, who, each);
}
