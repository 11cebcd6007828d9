import type { Ledger } from "./ledger.ts";
import { type bookVerbs, ledgerOver, type Verb, type Verbs } from "./verbs.ts";

/** Books inside a transaction that the caller began and will commit. */
export interface Within extends Pick<Ledger, "of"> {
  /** To be called after the commit: tells the nodes at once. Without it they find the work at their next poll. */
  hint(): void;
}

type BookVerb = (typeof bookVerbs)[number];

/** The verbs of those who ask, as a store does them inside a transaction. */
export type BookVerbs = {
  readonly [V in BookVerb]: (input: Verbs[V]["input"]) => Promise<Verbs[V]["answer"]>;
};

/** The same checks as in a book outside. */
export function withinOver(verbs: BookVerbs, hint: () => void): Within {
  const { of } = ledgerOver({
    // Only books are handed out, and they have no other verbs.
    perform: <V extends Verb>(verb: V, input: Verbs[V]["input"]) =>
      (verbs[verb as BookVerb] as (input: unknown) => Promise<Verbs[V]["answer"]>)(input),
    onHint: () => () => undefined,
    close: () => Promise.resolve(),
  });
  return { of, hint };
}
