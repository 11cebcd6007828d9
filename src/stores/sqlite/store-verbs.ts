import type { Verb, Verbs } from "../../kernel/verbs.ts";

/** The fifteen verbs inside a transaction that is open already, at one time of the store's clock. */
export type StoreVerbs = {
  readonly [V in Verb]: (input: Verbs[V]["input"], now: number) => Verbs[V]["answer"];
};
