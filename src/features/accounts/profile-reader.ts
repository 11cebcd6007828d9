import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { cached } from "../../platform/cached.ts";
import type { Clock } from "../../platform/clock.ts";
import { type ProfileKind, profileKind } from "./profile.ts";

/** Of an installation where nothing is set. */
export const plainProfile: Profile = {
  zone: "UTC",
  zoneFrom: "host",
  language: "en",
  home: null,
  quiet: null,
};

/** The record of an owner's own settings, once there is one. */
export async function findProfile(
  ledger: Ledger,
  owner: string,
): Promise<LedgerRecord<ProfileKind> | undefined> {
  const query = { kind: profileKind, live: true, limit: 1 } as const;
  const { records } = await ledger.of(owner, owner).list(query);
  return records[0];
}

export async function readProfile(
  ledger: Ledger,
  owner: string,
  defaults: (owner: string) => Profile,
): Promise<Profile> {
  const given = defaults(owner);
  const own = (await findProfile(ledger, owner))?.body ?? {};
  return {
    zone: own.timezone ?? given.zone,
    zoneFrom: own.timezone === undefined ? given.zoneFrom : "profile",
    language: own.language ?? given.language,
    home: own.home === undefined ? given.home : own.home,
    quiet: own.quiet === undefined ? given.quiet : own.quiet,
  };
}

/** Changes of a profile are heard after this long. */
const rememberedMs = 1_000;

/** Reads profiles for those who need them all the time, and remembers each for a moment. */
export function profileReader(
  read: (owner: string) => Promise<Profile>,
  clock: Pick<Clock, "mono">,
): (owner: string) => Promise<Profile> {
  return cached(clock, rememberedMs, read);
}
