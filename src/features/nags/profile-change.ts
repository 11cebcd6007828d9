import type { Book } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { Wake } from "../../kernel/unit.ts";
import { nagKind } from "./kind.ts";

/** So many in one unit. */
const unitMax = 400;

/** Those that are counted in their owner's day, in parts that a unit can carry. */
export async function nagWakes(book: Book): Promise<readonly (readonly Wake[])[]> {
  const query = { kind: nagKind, state: "active", live: true } as const;
  const active = await Array.fromAsync(recordsIn(book, query));
  const ids = active.map(({ id }) => ({ id }));
  return Array.from({ length: Math.ceil(ids.length / unitMax) }, (_, part) =>
    ids.slice(part * unitMax, (part + 1) * unitMax),
  );
}
