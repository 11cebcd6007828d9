import { createPublicKey, verify, type KeyObject, createHmac } from "node:crypto";
import { DaybookError } from "../../platform/errors.ts";
import { isSame } from "../sources/webhook.ts";

/** More than any service sends at once. */
const bytesMax = 1_048_576;

/** The whole body, or the refusal of the request. */
export async function bodyOf(request: Request): Promise<string | Response> {
  if (request.method !== "POST") return refused(405, "Send a POST.");
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) return tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > bytesMax) return tooLarge();
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function refused(status: number, sentence: string): Response {
  return new Response(`${sentence}\n`, { status });
}

function tooLarge(): Response {
  return refused(413, `The body is too large: ${bytesMax} bytes at most.`);
}

/** An older request could be a replay. */
const windowMs = 5 * 60_000;

/** The application's public key, as its page shows it: 64 hexadecimal digits. */
export function discordKey(hex: string): KeyObject {
  if (!/^[\da-f]{64}$/i.test(hex)) {
    const sentence =
      "The public key of a Discord application has 64 hexadecimal digits: copy it from the application's page.";
    throw new DaybookError("invalid", sentence);
  }
  const x = Buffer.from(hex, "hex").toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

/** Whether Discord signed this body lately. `now`: UTC epoch milliseconds. */
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

/** Whether Slack signed this body lately. `now`: UTC epoch milliseconds. */
export function isSlackSigned(
  { headers }: Request,
  body: string,
  { secret, now }: { secret: string; now: number },
): boolean {
  const seconds = headers.get("x-slack-request-timestamp") ?? "";
  if (!/^\d{1,12}$/.test(seconds)) return false;
  if (Math.abs(now - Number(seconds) * 1_000) > windowMs) return false;
  const expected = createHmac("sha256", secret).update(`v0:${seconds}:${body}`).digest("hex");
  return isSame(headers.get("x-slack-signature") ?? "", `v0=${expected}`);
}
