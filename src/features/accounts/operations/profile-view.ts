import * as z from "zod";
import type { Context, Reader } from "../../../kernel/operation.ts";
import { findProfile } from "../profile-reader.ts";
import type { Quiet } from "../profile.ts";
import { textsOf } from "../texts.ts";

const from = z.enum(["profile", "setting", "host"]).describe("whose word it is");

/** An owner's settings, each with where it comes from. */
export const profileView = z.object({
  timezone: z.object({ value: z.string(), from }),
  language: z.object({ value: z.enum(["en", "ko"]), from }),
  home: z.object({ value: z.string().nullable(), from }),
  quiet: z.object({ value: z.string().nullable(), from }),
});
export type ProfileView = z.infer<typeof profileView>;

export function settingLines(profile: ProfileView, { language }: Reader): string[] {
  const names = ["timezone", "language", "home", "quiet"] as const;
  return names.map((name) => textsOf(language).setting({ name, ...profile[name] }));
}

export async function profileOf({ ledger, owner, profile }: Context): Promise<ProfileView> {
  const own = (await findProfile(ledger, owner))?.body ?? {};
  const source = (value: unknown): "profile" | "setting" =>
    value === undefined ? "setting" : "profile";
  return {
    timezone: { value: profile.zone, from: profile.zoneFrom },
    language: { value: profile.language, from: source(own.language) },
    home: { value: profile.home, from: source(own.home) },
    quiet: { value: hoursOf(profile.quiet), from: source(own.quiet) },
  };
}

function hoursOf(quiet: Quiet | null): string | null {
  return quiet === null ? null : `${quiet.from}-${quiet.to}`;
}
