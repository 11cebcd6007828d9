import { channelNames } from "../src/features/notifications/ports.ts";
import type { Context } from "../src/kernel/operation.ts";
import { provide, type Provision } from "../src/kernel/port.ts";
import { owner, runningFixture, type NagFixture } from "../src/testing/nag-fixture.ts";
import { bookFixture, using } from "./book-fixture.ts";

/** The controllers that send nags, and two callers of the operations. */
export interface NagBook extends NagFixture {
  readonly mina: Context;
  readonly jun: Context;
}

/** At ten in the morning in UTC, which is Mina's zone; both controllers are running. */
export async function nagBook(...provisions: readonly Provision[]): Promise<NagBook> {
  const at = await runningFixture();
  const { mina } = bookFixture();
  const contextOf = (caller: string): Context => ({
    ...using(
      mina,
      provide(channelNames, () => ["fake", "inbox"]),
      ...provisions,
    ),
    owner: caller,
    by: `${caller}-at-cli`,
    ledger: at.ledger,
    now: at.kernel.now,
    origin: null,
    profile: { ...mina.profile, zone: "UTC", home: `fake:${caller}` },
  });
  return Object.assign(at, { mina: contextOf(owner), jun: contextOf("jun") });
}
