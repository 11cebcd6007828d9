import { createHash, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import type { OwnerLimit } from "../../kernel/holds.ts";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import { moment } from "../../kernel/schemas.ts";
import { scopes, type Scope } from "../../kernel/scope.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { idFrom } from "../../platform/ids.ts";
import { nearest } from "../../platform/nearest.ts";
import { quote } from "../../platform/text.ts";

export const scopeList = z.array(z.enum(scopes)).readonly();

/** The name of an owner, a principal or a token. */
export const nameInput = z.string().trim().min(1).max(200);
export const ownerInput = nameInput
  .optional()
  .describe("the owner of the book. Default: the caller's owner");

/** The right to use the book of one owner. Tokens are in the system's book, which is read before the owner is known. */
export const tokenKind = defineKind({
  name: "token",
  body: z.strictObject({
    name: z.string(),
    /** SHA-256 of the token, hexadecimal: the token itself is shown once and not stored. */
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    /** The owner of the book. */
    owner: z.string(),
    /** The name of the caller in histories. */
    principal: z.string(),
    scopes: scopeList,
    expiresAt: moment.exactOptional(),
  }),
  outcome: z.null(),
  states: { active: [] },
});
export interface TokenKind extends KindOf<typeof tokenKind> {}

/** Reads scopes from a list, or from text with commas between them. */
export function readScopes(request: string | readonly string[]): Scope[] {
  const words = (typeof request === "string" ? request.split(",") : request).map((word) =>
    word.trim(),
  );
  const granted = scopes.filter((scope) => words.includes(scope));
  const unknown = words.find((word) => !scopes.some((scope) => scope === word));
  if (unknown === undefined && granted.length > 0) return granted;
  const meant = nearest(unknown ?? "", scopes);
  const advice =
    meant === undefined ? `choose from ${scopes.join(", ")}.` : `did you mean "${meant}"?`;
  throw new DaybookError("invalid", `Unknown scope ${quote(unknown ?? "")}: ${advice}`);
}

/** Lets scanners for leaked secrets recognize a token. */
const prefix = "daybook_";
export const tokenBytes = 32;

/** The text of a new token. */
export function tokenFrom(bytes: Uint8Array): string {
  if (bytes.length !== tokenBytes) throw new Error(`A token needs ${tokenBytes} random bytes.`);
  return `${prefix}${Buffer.from(bytes).toString("base64url")}`;
}

export function makeToken(
  token: string,
  body: Omit<TokenKind["body"], "hash">,
): DraftOf<TokenKind> & { id: string } {
  return {
    kind: "token",
    id: tokenId(token),
    body: { ...body, hash: hashOf(token) },
    state: "active",
  };
}

/** The id of a token is a hash of it. */
export function tokenId(token: string): string {
  return idFrom(token);
}

export function isToken(token: string, { hash }: TokenKind["body"]): boolean {
  const [a, b] = [Buffer.from(hashOf(token)), Buffer.from(hash)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

export const tokenLimit: OwnerLimit = {
  kind: "token",
  max: 100,
  plural: "tokens",
  advice: "revoke one first; expired tokens count too",
};
