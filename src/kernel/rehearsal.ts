import { hasCode } from "../platform/errors.ts";
import type { Book } from "./ledger.ts";
import type { Appended, Draft } from "./unit.ts";

/**
 * Whether records could be written now as one unit, without writing them: the unit ends with a write that cannot succeed,
 * and a unit is all or nothing. Undefined: they could. Otherwise the record that the first one's key stands for already.
 * Throws what refuses the unit. No record ever has the `unusedId`.
 */
export async function rehearseAppend(
  book: Book,
  [first, ...others]: readonly [Draft, ...Draft[]],
  unusedId: string,
): Promise<Appended | undefined> {
  try {
    return await book.append(first, { append: others, wake: [{ id: unusedId }] });
  } catch (error) {
    if (hasCode(error, "not_found") && error.details["id"] === unusedId) return undefined;
    throw error;
  }
}
