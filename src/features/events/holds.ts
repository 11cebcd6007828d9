import { scopedName } from "../../kernel/holds.ts";

// Holds are stored: a name here may never change.

/** One source of a name in a book. */
export function sourceHold(owner: string, name: string): string {
  return scopedName("source:", owner, name);
}
