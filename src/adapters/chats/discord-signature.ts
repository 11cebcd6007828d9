import { createPublicKey, verify, type KeyObject } from "node:crypto";
import { DaybookError } from "../../platform/errors.ts";

/** A request that is older, or of a clock that is further off, could be one that somebody kept. */
const windowMs = 5 * 60_000;

/** The application's public key, as its page shows it: 64 hexadecimal digits. */
export function discordKey(hex: string): KeyObject {
  if (!/^[\da-f]{64}$/i.test(hex)) {
    const sentence = "The public key of a Discord application has 64 hexadecimal digits: copy it.";
    throw new DaybookError("invalid", sentence);
  }
  const x = Buffer.from(hex, "hex").toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

/** Whether Discord has signed this body, and lately. `now`: UTC epoch milliseconds. */
export function isDiscordSigned(
  { headers }: Request,
  body: string,
  { key, now }: { key: KeyObject; now: number },
): boolean {
  const seconds = headers.get("x-signature-timestamp") ?? "";
  const signature = headers.get("x-signature-ed25519") ?? "";
  if (!/^\d{1,12}$/.test(seconds) || !/^[\da-f]{128}$/i.test(signature)) return false;
  if (Math.abs(now - Number(seconds) * 1_000) > windowMs) return false;
  return verify(null, Buffer.from(`${seconds}${body}`), key, Buffer.from(signature, "hex"));
}
