import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { isSigned } from "../../platform/signature.ts";

/** A source that posts events to `/hooks/{name}`. */
export interface Hook {
  readonly name: string;
  /**
   * Its authentication. `hub`: GitHub's `X-Hub-Signature-256`. `standard`: Standard Webhooks, whose time is signed
   * too. `bearer`: a token in `Authorization`, as CloudEvents has it.
   */
  readonly verify: "hub" | "standard" | "bearer";
  /** Any of them is valid, so that a secret can be rotated. */
  readonly secrets: readonly string[];
}

export interface Post {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  readonly now: number;
}

/** An older request could be a replay. */
const windowMs = 5 * 60_000;

/** Why a request is not authentic; undefined when it is. */
export function verifyFault({ verify, secrets }: Hook, post: Post): string | undefined {
  const good = secrets.filter((secret) => secret !== "");
  if (good.length === 0) return "no secret is set for this hook";
  switch (verify) {
    case "hub":
      return good.some((secret) => isHubSigned(secret, post))
        ? undefined
        : "it is not signed by a secret of this hook";
    case "standard":
      return standardFault(good, post);
    case "bearer": {
      const given = /^Bearer (\S+)$/i.exec(post.headers["authorization"] ?? "")?.[1] ?? "";
      return good.some((secret) => isSame(given, secret))
        ? undefined
        : "its token is not valid for this hook";
    }
  }
}

function isHubSigned(secret: string, { headers, body }: Post): boolean {
  const expected = createHmac("sha256", secret).update(body).digest("hex");
  return isSame(headers["x-hub-signature-256"] ?? "", `sha256=${expected}`);
}

function standardFault(
  secrets: readonly string[],
  { headers, body, now }: Post,
): string | undefined {
  const { "webhook-id": id = "", "webhook-timestamp": seconds = "" } = headers;
  if (id === "" || !/^\d{1,12}$/.test(seconds)) return "it lacks webhook-id or webhook-timestamp";
  const timestamp = Number(seconds);
  const signed = { id, timestamp, body: new TextDecoder().decode(body) };
  const header = headers["webhook-signature"] ?? "";
  if (!secrets.some((secret) => isSigned(secret, signed, header))) {
    return "it is not signed by a secret of this hook";
  }
  if (Math.abs(now - timestamp * 1_000) > windowMs) return "it is too old, or a clock is wrong";
  return undefined;
}

/** In constant time. */
export function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
