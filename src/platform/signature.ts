import { createHmac, timingSafeEqual } from "node:crypto";

/** A message for Standard Webhooks: the time in seconds, and the body as it is sent. */
interface Signed {
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
}

const secretShape = /^whsec_([A-Za-z0-9+/]{22,}={0,2})$/;

/** Whether it is `whsec_` and base64. */
export function isSigningSecret(secret: string): boolean {
  return secretShape.test(secret);
}

/** The header `webhook-signature`; nothing when the secret is not `whsec_` and base64. */
export function signatureOf(secret: string, { id, timestamp, body }: Signed): string | undefined {
  const [, encoded] = secretShape.exec(secret) ?? [];
  if (encoded === undefined) return undefined;
  const key = Buffer.from(encoded, "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}

/** All three headers. */
export function signedHeaders(
  secret: string,
  { id, body, now }: { id: string; body: string; now: number },
): Record<string, string> | undefined {
  const timestamp = Math.floor(now / 1_000);
  const signature = signatureOf(secret, { id, timestamp, body });
  if (signature === undefined) return undefined;
  return {
    "webhook-id": id,
    "webhook-timestamp": `${timestamp}`,
    "webhook-signature": signature,
  };
}

/** Whether one of the signatures in the header is valid. */
export function isSigned(secret: string, signed: Signed, header: string): boolean {
  const ours = Buffer.from(signatureOf(secret, signed) ?? "");
  return header.split(" ").some((each) => {
    const theirs = Buffer.from(each);
    return ours.length > 0 && theirs.length === ours.length && timingSafeEqual(theirs, ours);
  });
}
