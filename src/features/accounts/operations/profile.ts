import * as z from "zod";
import { bookOf, retryIfStale } from "../../../kernel/book.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { operation, type Context, type Reader } from "../../../kernel/operation.ts";
import type { Wake } from "../../../kernel/unit.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { profileChange, targetCheck } from "../ports.ts";
import {
  findProfile,
  checkProfile,
  makeProfile,
  parseQuiet,
  type ProfileKind,
  type Quiet,
} from "../profile.ts";
import { textsOf } from "../texts.ts";
const from = z.enum(["profile", "setting", "host"]).describe("the source of the value");

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

export async function profileOf({ ledger, owner, readProfile }: Context): Promise<ProfileView> {
  const profile = await readProfile(owner);
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

const unset = '"default" resets it to the setting of the installation';

const input = z.strictObject({
  timezone: z.string().optional().describe(`the owner's time zone, such as "Asia/Seoul"; ${unset}`),
  language: z
    .enum(["en", "ko", "default"])
    .optional()
    .describe(`the language of answers; ${unset}`),
  home: z
    .string()
    .optional()
    .describe(`the default target of requests outside a chat; "off" means the inbox, ${unset}`),
  quiet: z
    .string()
    .optional()
    .describe(
      `hours with high-priority messages only, such as "22:00-07:00"; "off" means none, ${unset}`,
    ),
});

export const setProfile = operation({
  name: "set_profile",
  summary: "Show or set the owner's time zone, language, home and quiet hours.",
  input,
  output: profileView,
  example: { timezone: "Asia/Seoul", quiet: "22:00-07:00" },
  route: { method: "PATCH", path: "/v1/profile" },
  command: { name: "profile", positionals: [] },
  async run(request, context) {
    const { home } = request;
    if (home !== undefined && home !== "off" && home !== "default") {
      await context.use(targetCheck)(home, context);
    }
    if (Object.keys(request).length > 0) await retryIfStale(() => writeProfile(request, context));
    return profileOf({ ...context, profile: await context.readProfile(context.owner) });
  },
  render: (profile, reader) => settingLines(profile, reader).join("\n"),
});

type Body = ProfileKind["body"];

/**
 * Appends the profile, or edits the existing one. A change of zone or quiet hours wakes the records that depend on
 * them: the first batch in the same commit, the others after it.
 */
async function writeProfile(request: z.infer<typeof input>, context: Context): Promise<void> {
  const book = bookOf(context);
  const isDayChange = request.timezone !== undefined || request.quiet !== undefined;
  const [wake = [], ...more] = isDayChange ? await context.use(profileChange)(book) : [];
  const found = await findProfile(context.ledger, context.owner);
  const body = changed(found?.body ?? {}, request);
  checkProfile(body);
  if (found === undefined) {
    const { fresh, id } = await book.append(makeProfile(body), { wake });
    if (fresh) return wakeRest(book, id, more);
    throw new DaybookError(
      "stale",
      "Another request wrote the settings at the same time: try again.",
    );
  }
  await book.edit({ kind: "profile", id: found.id, ifRevision: found.revision, body }, { wake });
  await wakeRest(book, found.id, more);
}

async function wakeRest(book: Book, id: string, more: readonly (readonly Wake[])[]): Promise<void> {
  for (const wake of more) await book.edit({ kind: "profile", id }, { wake });
}

function changed(before: Body, { timezone, language, home, quiet }: z.infer<typeof input>): Body {
  const body = { ...before };
  if (timezone === "default") delete body.timezone;
  else if (timezone !== undefined) body.timezone = timezone;
  if (language === "default") delete body.language;
  else if (language !== undefined) body.language = language;
  if (home === "default") delete body.home;
  else if (home !== undefined) body.home = home === "off" ? null : home;
  if (quiet === "default") delete body.quiet;
  else if (quiet !== undefined) body.quiet = quiet === "off" ? null : parseQuiet(quiet);
  return body;
}
