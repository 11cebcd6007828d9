import type { Controller } from "../../kernel/controller.ts";
import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { afterExpiry, type ExpiryKind, expiryKind } from "./expiry.ts";
import { type NotificationKind, notificationKind } from "./kind.ts";

type Found = LedgerRecord<NotificationKind> | undefined;

/** Ends in time what waits for a listener, whether or not one comes. */
export function expirer(ledger: Ledger): Controller<ExpiryKind, Found> {
  return {
    name: "expirer",
    kind: expiryKind,
    async act({ owner, by, parent }) {
      const found = parent === null ? undefined : await ledger.of(owner, by).get(parent);
      return is(notificationKind, found) ? found : undefined;
    },
    decide: (_, found, facts) => afterExpiry(found, facts),
  };
}
