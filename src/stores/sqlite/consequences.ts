import type { Act } from "../../kernel/change-row.ts";
import type { Consequences } from "../../kernel/unit.ts";
import type { AppendOne } from "./append.ts";
import type { CancelOne } from "./cancel.ts";
import type { EditOne } from "./edit.ts";
import type { WakeOne } from "./wake.ts";

export interface Writers {
  append: AppendOne;
  edit: EditOne;
  cancel: CancelOne;
  wake: WakeOne;
}

/** Writes what follows from a unit's own record (the cause), in the order the contract fixes. */
export type WriteConsequences = (
  act: Act,
  cause: string,
  consequences: Consequences | undefined,
) => void;

export function consequenceWriter({ append, edit, cancel, wake }: Writers): WriteConsequences {
  return (act, cause, consequences) => {
    for (const draft of consequences?.append ?? []) append(act, draft, cause);
    for (const each of consequences?.edit ?? []) edit(act, each);
    for (const each of consequences?.cancel ?? []) cancel(act, each);
    for (const each of consequences?.wake ?? []) wake(act, each);
  };
}
