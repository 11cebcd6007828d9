import type { Book } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { Wake } from "../../kernel/unit.ts";
import { nagKind } from "./kind.ts";

/** Wakes in one unit at most. */
const unitMax = 400;

/** Active nags are planned in their owner's day: wakes for all of them, in parts that one unit can carry. */
export async function nagWakes(book: Book): Promise<readonly (readonly Wake[])[]> {
  const query = { kind: nagKind, state: "active", live: true } as const;
  const active = await Array.fromAsync(recordsIn(book, query));
  const ids = active.map(({ id }) => ({ id }));
  return Array.from({ length: Math.ceil(ids.length / unitMax) }, (_, part) =>
    ids.slice(part * unitMax, (part + 1) * unitMax),
  );
}
