import { createCipheriv, createDecipheriv } from "node:crypto";

/** AES-256-GCM. The version is the first byte, so that another cipher can follow. */
const cipher = "aes-256-gcm";
const version = 1;
const tagBytes = 16;
export const keyBytes = 32;
export const nonceBytes = 12;

interface Sealed {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** What the text is for: it opens only for the same context. */
  readonly context: string;
}

/** Encrypts a text; the nonce must be random, and never used again with the same key. */
export function seal(
  text: string,
  { key, context, nonce }: Sealed & { nonce: Uint8Array },
): string {
  const encrypt = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes });
  encrypt.setAAD(boundTo(context));
  const bytes = [encrypt.update(text, "utf8"), encrypt.final()];
  return Buffer.concat([Buffer.of(version), nonce, ...bytes, encrypt.getAuthTag()]).toString(
    "base64url",
  );
}

/** The text; undefined when it was sealed with another key or for another context, or was changed since. */
export function unseal(sealed: string, { key, context }: Sealed): string | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes[0] !== version || bytes.length < 1 + nonceBytes + tagBytes) return undefined;
  // One text has one form: what Buffer skips in it would be a change that nobody notices.
  if (bytes.toString("base64url") !== sealed) return undefined;
  const nonce = bytes.subarray(1, 1 + nonceBytes);
  const decrypt = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes });
  decrypt.setAAD(boundTo(context));
  decrypt.setAuthTag(bytes.subarray(-tagBytes));
  try {
    const text = decrypt.update(bytes.subarray(1 + nonceBytes, -tagBytes));
    return Buffer.concat([text, decrypt.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

/** The version is bound too. */
function boundTo(context: string): Buffer {
  return Buffer.concat([Buffer.of(version), Buffer.from(context, "utf8")]);
}
