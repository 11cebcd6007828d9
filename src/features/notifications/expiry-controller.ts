import type { Controller } from "../../kernel/controller.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { afterExpiry } from "./expiry.ts";

type Found = LedgerRecord<"notification"> | undefined;

/** Ends in time what waits for a listener, whether or not one comes. */
export function expirer(ledger: Ledger): Controller<"expiry", Found> {
  return {
    name: "expirer",
    kind: "expiry",
    async act({ owner, by, parent }) {
      const found = parent === null ? undefined : await ledger.of(owner, by).get(parent);
      return found?.kind === "notification" ? found : undefined;
    },
    decide: (_, found, facts) => afterExpiry(found, facts),
  };
}
