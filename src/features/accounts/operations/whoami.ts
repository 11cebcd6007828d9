import * as z from "zod";
import { operation, type Context, type Reader } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import { pauseView, restingFor, restLines } from "../../book/pauses.ts";
import { notificationKind } from "../../notifications/kind.ts";
import { inboxOf } from "../../notifications/routing.ts";
import { textsOf } from "../../texts/texts.ts";
import { findProfile } from "../profile-reader.ts";
import type { Quiet } from "../profile.ts";
import { scopes } from "../token.ts";

const from = z.enum(["profile", "setting", "host"]).describe("whose word it is");

/** An owner's settings, each with where it comes from. */
export const profileView = z.object({
  timezone: z.object({ value: z.string(), from }),
  language: z.object({ value: z.enum(["en", "ko"]), from }),
  home: z.object({ value: z.string().nullable(), from }),
  quiet: z.object({ value: z.string().nullable(), from }),
});
export type ProfileView = z.infer<typeof profileView>;

const output = z.object({
  owner: z.string(),
  principal: z.string(),
  scopes: z.array(z.enum(scopes)),
  profile: profileView,
  inbox: z.object({ target: z.string(), waiting: z.number(), more: z.boolean() }),
  resting: z.array(pauseView).optional().describe("what is paused, if anything is"),
});

const waitingMax = 500;

export const whoami = operation({
  name: "whoami",
  words: "Show who asks, in whose book, and its settings.",
  input: z.strictObject({}),
  output,
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/whoami" },
  command: { name: "whoami", positionals: [] },
  tool: "on request",
  async run(_, context): Promise<z.infer<typeof output>> {
    const { owner, by: principal } = context;
    const profile = await profileOf(context);
    const inbox = await inboxFor(context);
    const resting = await restingFor(context);
    const known = { owner, principal, scopes: [...context.scopes], profile, inbox };
    return resting.length === 0 ? known : { ...known, resting };
  },
  say({ owner, principal, scopes, profile, inbox, resting = [] }, reader) {
    const texts = textsOf(reader.language);
    const count = `${inbox.waiting}${inbox.more ? "+" : ""}`;
    return [
      texts.whoYouAre({ owner, principal, scopes: scopes.join(", ") }),
      ...settingLines(profile, reader),
      texts.waiting(count),
      ...restLines(resting, reader),
    ].join("\n");
  },
});

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

/** What has come due for the owner's inbox and was not taken out yet. */
async function inboxFor(context: Context): Promise<z.infer<typeof output>["inbox"]> {
  const target = inboxOf(context.owner);
  const query = { kind: notificationKind, live: true, limit: waitingMax } as const;
  const { records, next } = await bookOf(context).list(query);
  const now = context.now();
  const waiting = records.filter(({ body }) => body.target === target && body.at <= now);
  return { target, waiting: waiting.length, more: next !== null };
}
