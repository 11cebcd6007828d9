import type { Book } from "../../../kernel/ledger.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import { nagKind } from "../kind.ts";
import { nextOf, type Nag } from "./view.ts";

/** So many are looked through at most. */
const nagsMax = 10_000;

/** What is said next until then. What is being said is a notification already. */
export async function comingNags(
  book: Book,
  until: number,
): Promise<readonly { readonly at: number; readonly nag: Nag }[]> {
  const query = { kind: nagKind, state: "active", live: true } as const;
  const active = await Array.fromAsync(recordsIn(book, query, nagsMax));
  return active.flatMap((nag) => {
    const at = nextOf(nag);
    return at === null || at > until ? [] : [{ at, nag }];
  });
}
