import { channelNames } from "../../features/notifications/ports.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Context } from "../../kernel/operation.ts";
import { portsFrom, provide } from "../../kernel/port.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { intBelow } from "../chance.ts";

interface Caller {
  readonly name: string;
  readonly owner: string;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly random: Random;
}

const profile = {
  zone: "UTC",
  zoneFrom: "setting",
  language: "en",
  home: null,
  quiet: null,
} as const;

/** What an operation is asked with. */
export function contextOf({ name, owner, ledger, clock, random }: Caller): Context {
  return {
    ledger,
    owner,
    by: name,
    scopes: ["read", "write"],
    origin: null,
    profile,
    readProfile: () => Promise.resolve(profile),
    ...portsFrom([provide(channelNames, () => [])]),
    now: () => clock.wall(),
    randomBytes: (count) => Uint8Array.from({ length: count }, () => intBelow(random, 256)),
  };
}
