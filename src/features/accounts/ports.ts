import type { Book } from "../../kernel/ledger.ts";
import type { Context } from "../../kernel/operation.ts";
import { port } from "../../kernel/port.ts";
import type { Wake } from "../../kernel/unit.ts";

/** Refuses a target that the caller may not name. */
export const targetCheck =
  port<(target: string, context: Context) => Promise<void>>("accounts.targetCheck");

/** The records to wake when an owner's zone or quiet hours change, in parts that one unit can carry. */
export const profileChange =
  port<(book: Book) => Promise<readonly (readonly Wake[])[]>>("accounts.profileChange");
