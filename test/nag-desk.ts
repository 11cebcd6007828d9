import { channelNames } from "../src/features/notifications/ports.ts";
import type { Context } from "../src/kernel/operation.ts";
import { provide, type Provision } from "../src/kernel/port.ts";
import { nagStage, owner, type NagStage } from "../src/testing/nag-stage.ts";
import { inZone } from "../src/time/zone.ts";
import { desk, using } from "./desk.ts";

/** A stage on which things are said until they are done, and somebody who asks there. */
export interface NagDesk extends NagStage {
  readonly mina: Context;
  readonly jun: Context;
}

const hourMs = 3_600_000;

/** Ten in the morning in UTC, which is Mina's zone; both controllers are at work. */
export async function nagDesk(...provisions: readonly Provision[]): Promise<NagDesk> {
  const at = nagStage();
  const { hour } = inZone(at.kernel.now(), "UTC");
  await at.pass(((34 - hour) % 24) * hourMs);
  await at.plans();
  await at.says();
  const { mina } = desk();
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
