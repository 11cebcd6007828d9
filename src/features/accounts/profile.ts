import { defineKind, type Kind } from "../../kernel/kind.ts";
import { parseTarget } from "../../kernel/target.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { atPath } from "../../platform/at-path.ts";
import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import type { Language } from "../../time/times.ts";
import { checkZone } from "../../time/zone.ts";

/** What an owner has set for their own book. What is absent is the installation's. */
export interface ProfileKind {
  name: "profile";
  body: {
    timezone?: string;
    language?: Language;
    /** Where things go that were asked for outside a chat: `channel:address`. Null: the inbox. */
    home?: string | null;
    /** Null: none, whatever the installation says. */
    quiet?: Quiet | null;
  };
  outcome: null;
  live: "kept";
  end: "cancelled";
}

export const profileKind: Kind<ProfileKind> = defineKind({
  name: "profile",
  states: { kept: [] },
});

/** From when to when, in the owner's zone, only what is urgent is said: `HH:MM`. */
export interface Quiet {
  from: string;
  to: string;
}

/** An owner has one, and its key finds it. */
const profileKey = "profile";

export function makeProfile(body: ProfileKind["body"]): DraftOf<ProfileKind> {
  checkProfile(body);
  return { kind: "profile", body, state: "kept", holds: [], key: { name: profileKey, asked: {} } };
}

export function checkProfile({ timezone, home, quiet }: ProfileKind["body"]): void {
  if (timezone !== undefined) atPath("timezone", () => checkZone(timezone));
  if (typeof home === "string") parseTarget(home);
  if (quiet == null) return;
  for (const time of [quiet.from, quiet.to]) {
    if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time)) {
      throw new DaybookError("invalid", `${quote(time)} is no time of day: write it like "22:00".`);
    }
  }
  if (quiet.from === quiet.to) {
    throw new DaybookError("invalid", "Quiet hours that never end: let them end at another time.");
  }
}

/** Reads `22:00-07:00`. */
export function parseQuiet(text: string): Quiet {
  const [, from, to] = /^\s*(\S+?)\s*[-–~]\s*(\S+?)\s*$/.exec(text) ?? [];
  if (from === undefined || to === undefined) {
    throw new DaybookError(
      "invalid",
      `${quote(text)} is no time of quiet: write it like "22:00-07:00", or "off".`,
    );
  }
  return { from, to };
}
