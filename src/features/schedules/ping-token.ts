import { createHash, timingSafeEqual } from "node:crypto";

/** Finds a watch and proves the right to ping it, without another login. */
export interface PingToken {
  readonly owner: string;
  readonly id: string;
  readonly secret: string;
}

export const pingSecretBytes = 24;
const charsMax = 1_000;

/** The token names the owner too, because a book is found by its owner. */
export function pingToken(owner: string, id: string, secret: string): string {
  return [Buffer.from(owner).toString("base64url"), id, secret].join(".");
}

export function pingSecret(bytes: Uint8Array): string {
  if (bytes.length !== pingSecretBytes)
    throw new Error(`A secret has ${pingSecretBytes} random bytes.`);
  return Buffer.from(bytes).toString("base64url");
}

/** Undefined when the text is not a token. */
export function readPingToken(token: string): PingToken | undefined {
  if (token.length > charsMax || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return undefined;
  const [name = "", id = "", secret = ""] = token.split(".");
  const owner = Buffer.from(name, "base64url").toString();
  // Several texts decode to one owner: only the canonical one is valid.
  if (pingToken(owner, id, secret) !== token || !isName(owner) || !isName(id)) return undefined;
  return { owner, id, secret };
}

export function pingHash(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

export function isPingSecret(secret: string, hash: string): boolean {
  const [a, b] = [Buffer.from(pingHash(secret)), Buffer.from(hash)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Whether a store accepts it as a name. */
function isName(text: string): boolean {
  return text !== "" && text === text.trim() && text.length <= 256 && !text.includes("\0");
}
