import { findToken, makeToken, tokenFrom, tokenId } from "../../features/accounts/index.ts";
import { systemOwner } from "../../features/nodes/index.ts";
import type { Installation } from "../../kernel/operation.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Home } from "./home.ts";

const tokenCharsMin = 32;

/**
 * Makes sure that the book has the token of this home: the one that was set, the stored one, or a new one.
 * Returns its id.
 */
export async function adminToken(
  home: Home,
  installation: Installation,
  set: string | undefined,
): Promise<string> {
  if (set !== undefined && set.length < tokenCharsMin) {
    const sentence = `DAYBOOK_TOKEN is easy to guess: give it ${tokenCharsMin} characters or more.`;
    throw new DaybookError("invalid", sentence);
  }
  const existing = set ?? home.readToken();
  if (existing !== undefined && (await isGood(installation, existing))) return tokenId(existing);
  if (set !== undefined) {
    throw new DaybookError("refused", "DAYBOOK_TOKEN was revoked or has expired: set another.");
  }
  const token = tokenFrom(installation.randomBytes(32));
  await write(installation, token);
  home.writeToken(token);
  return tokenId(token);
}

/** A token that is not in the book is written into it; a revoked one stays revoked. */
async function isGood(installation: Installation, token: string): Promise<boolean> {
  if ((await findToken(installation, token)) !== undefined) return true;
  await write(installation, token);
  return (await findToken(installation, token)) !== undefined;
}

async function write({ ledger }: Installation, token: string): Promise<void> {
  const body = { name: "home", owner: "me", principal: "me", scopes: ["admin"] as const };
  await ledger.of(systemOwner, systemOwner).append(makeToken(token, body));
}
