import type { Book } from "../../kernel/ledger.ts";
import type { Caller, Context } from "../../kernel/operation.ts";
import { port } from "../../kernel/port.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Wake } from "../../kernel/unit.ts";
import { plainProfile } from "./profile.ts";

/** Throws if the caller may not name the target. */
export const targetCheck =
  port<(target: string, context: Context) => Promise<void>>("accounts.targetCheck");

/** The records to wake when an owner's zone or quiet hours change, in batches of at most one unit. */
export const profileChange =
  port<(book: Book) => Promise<readonly (readonly Wake[])[]>>("accounts.profileChange");

/** The installation's settings for an owner. */
export const profileDefaults = port<(owner: string) => Profile>(
  "accounts.profileDefaults",
  () => plainProfile,
);

/** The owner of the installation itself. */
export const homeOwner = port<string>("accounts.homeOwner", "me");

/** Makes a link that signs a browser in as the caller; undefined where no pages are served. */
export type LoginLinks = (caller: Caller) => { readonly url: string; readonly expiresAt: number };
export const loginLinks = port<LoginLinks | undefined>("accounts.loginLinks", undefined);
