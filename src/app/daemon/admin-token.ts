import { findToken, makeToken, tokenFrom, tokenId } from "../../features/accounts/index.ts";
import { systemOwner } from "../../features/nodes/index.ts";
import type { Installation } from "../../kernel/operation.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Home } from "./home.ts";

const tokenCharsMin = 32;

/**
 * The token of this home works in the book: the one that was set, the one that is kept, or a fresh one.
 * Answers its id.
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
  const known = set ?? home.readToken();
  if (known !== undefined && (await isGood(installation, known))) return tokenId(known);
  if (set !== undefined) {
    throw new DaybookError("refused", "DAYBOOK_TOKEN was revoked or is over: set another.");
  }
  const token = tokenFrom(installation.randomBytes(32));
  await write(installation, token);
  home.writeToken(token);
  return tokenId(token);
}

/** A token that the book does not know yet is written into it; one that was revoked stays so. */
async function isGood(installation: Installation, token: string): Promise<boolean> {
  if ((await findToken(installation, token)) !== undefined) return true;
  await write(installation, token);
  return (await findToken(installation, token)) !== undefined;
}

async function write({ ledger }: Installation, token: string): Promise<void> {
  const body = { name: "home", owner: "me", principal: "me", scopes: ["admin"] as const };
  await ledger.of(systemOwner, systemOwner).append(makeToken(token, body));
}
