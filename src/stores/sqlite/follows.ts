import type { Act } from "../../kernel/change-row.ts";
import type { Follows } from "../../kernel/unit.ts";
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
export type WriteFollows = (act: Act, cause: string, follows: Follows | undefined) => void;

export function following({ append, edit, cancel, wake }: Writers): WriteFollows {
  return (act, cause, follows) => {
    for (const draft of follows?.append ?? []) append(act, draft, cause);
    for (const each of follows?.edit ?? []) edit(act, each);
    for (const each of follows?.cancel ?? []) cancel(act, each);
    for (const each of follows?.wake ?? []) wake(act, each);
  };
}
