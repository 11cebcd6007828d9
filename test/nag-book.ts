import { channelNames } from "../src/features/notifications/ports.ts";
import type { Context } from "../src/kernel/operation.ts";
import { provide, type Provision } from "../src/kernel/port.ts";
import { nagFixture, owner, type NagFixture } from "../src/testing/nag-fixture.ts";
import { inZone } from "../src/time/zone.ts";
import { bookFixture, using } from "./book-fixture.ts";

/** Everything that sends nags, and a caller of the operations on them. */
export interface NagBook extends NagFixture {
  readonly mina: Context;
  readonly jun: Context;
}

const hourMs = 3_600_000;

/** Ten in the morning in UTC, which is Mina's zone; both controllers are at work. */
export async function nagBook(...provisions: readonly Provision[]): Promise<NagBook> {
  const at = nagFixture();
  const { hour } = inZone(at.kernel.now(), "UTC");
  await at.pass(((34 - hour) % 24) * hourMs);
  await at.plans();
  await at.says();
  const { mina } = bookFixture();
  const asks = (who: string): Context => ({
    ...using(
      mina,
      provide(channelNames, () => ["fake", "inbox"]),
      ...provisions,
    ),
    owner: who,
    by: `${who}-at-cli`,
    ledger: at.ledger,
    now: at.kernel.now,
    origin: null,
    profile: { ...mina.profile, zone: "UTC", home: `fake:${who}` },
  });
  return Object.assign(at, { mina: asks(owner), jun: asks("jun") });
}
