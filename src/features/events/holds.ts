import { scoped } from "../../kernel/holds.ts";

// Names that are held stand in books: none may change.

/** A source of a name is asked once in a book. */
export function sourceHold(owner: string, name: string): string {
  return scoped("source:", owner, name);
}
