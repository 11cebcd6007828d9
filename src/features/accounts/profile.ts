import * as z from "zod";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { parseTarget, target } from "../../kernel/target.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { readInput } from "../../platform/input-path.ts";
import { language } from "../../platform/settings/forms.ts";
import { quote } from "../../platform/text.ts";
import { dailyHours, zone } from "../../time/settings.ts";
import { checkZone } from "../../time/zone.ts";

/** Hours in which only messages of high priority are sent, in the owner's zone. */
export type Quiet = z.output<typeof dailyHours>;

/** An owner's settings. Where a field is absent, the installation's setting applies. */
export const profileKind = defineKind({
  name: "profile",
  wakeTimeOptional: true,
  body: z.strictObject({
    timezone: zone.exactOptional(),
    language: language.exactOptional(),
    /** The default target of requests outside a chat. Null: the inbox. */
    home: target.nullable().exactOptional(),
    /** Null: none, even if the installation has quiet hours. */
    quiet: dailyHours.nullable().exactOptional(),
  }),
  outcome: z.null(),
  states: { kept: [] },
});
export interface ProfileKind extends KindOf<typeof profileKind> {}

/** The key makes a second profile of an owner impossible. */
const profileKey = "profile";

export function makeProfile(body: ProfileKind["body"]): DraftOf<ProfileKind> {
  checkProfile(body);
  return { kind: "profile", body, state: "kept", holds: [], key: { name: profileKey, asked: {} } };
}

export function checkProfile({ timezone, home, quiet }: ProfileKind["body"]): void {
  if (timezone !== undefined) readInput("timezone", () => checkZone(timezone));
  if (typeof home === "string") parseTarget(home);
  if (quiet == null) return;
  for (const time of [quiet.from, quiet.to]) {
    if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time)) {
      throw new DaybookError(
        "invalid",
        `${quote(time)} is not a time of day: write it like "22:00".`,
      );
    }
  }
  if (quiet.from === quiet.to) {
    const sentence = `Quiet hours from ${quiet.from} to ${quiet.to} never end: choose another end.`;
    throw new DaybookError("invalid", sentence);
  }
}

/** Reads `22:00-07:00`. */
export function parseQuiet(text: string): Quiet {
  const [, from, to] = /^\s*(\S+?)\s*[-–~]\s*(\S+?)\s*$/.exec(text) ?? [];
  if (from === undefined || to === undefined) {
    throw new DaybookError(
      "invalid",
      `${quote(text)} is not a range of hours: write it like "22:00-07:00", or "off".`,
    );
  }
  return { from, to };
}

/** The profile in an installation without settings. */
export const plainProfile: Profile = {
  zone: "UTC",
  zoneFrom: "host",
  language: "en",
  home: null,
  quiet: null,
};

/** The record of an owner's own settings, if it exists. */
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
