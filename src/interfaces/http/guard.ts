import { HttpError } from "../../platform/http-error.ts";

/**
 * Against DNS rebinding: a page whose name points at this machine still sends its own name, so only
 * listed hosts are answered. A host without a port stands for every port.
 */
export function checkHost(request: Request, hosts: readonly string[]): void {
  const { host } = new URL(request.url);
  const named = [host, request.headers.get("host") ?? host];
  if (named.every((each) => isListed(each.toLowerCase(), hosts))) return;
  const message =
    "This host name is not served here. Set DAYBOOK_PUBLIC_URL to the address that clients use.";
  throw new HttpError(421, "refused", message);
}

function isListed(host: string, hosts: readonly string[]): boolean {
  const name = host.replace(/:\d+$/, "");
  return hosts.some((listed) => [host, name].includes(listed.toLowerCase()));
}

/** Refuses requests that a browser sends for another site's page. */
export function checkOrigin(request: Request, isRequired: boolean): void {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const host = request.headers.get("host") ?? new URL(request.url).host;
  const isOurs = origin === null ? !isRequired : URL.parse(origin)?.host === host.toLowerCase();
  if (isOurs && (site === null || site === "same-origin" || site === "none")) return;
  throw new HttpError(
    403,
    "refused",
    "The request came from a page of another site. Send it from a page of this server.",
  );
}

const headers: readonly (readonly [name: string, value: string])[] = [
  ["cache-control", "no-store"],
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'"],
  ["cross-origin-resource-policy", "same-origin"],
  ["referrer-policy", "no-referrer"],
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
];

/** Adds the security headers that the response does not set itself. */
export function withSecurityHeaders(answer: Response, requestId: string): Response {
  const all = new Headers(answer.headers);
  for (const [name, value] of headers) if (!all.has(name)) all.set(name, value);
  all.set("x-request-id", requestId);
  return new Response(answer.body, { status: answer.status, headers: all });
}

/** A credential that was wrong: who presented it, and where. */
interface WrongCredential {
  readonly address: string;
  readonly credential: "token" | "code" | "secret";
  /** The route that takes the credential. Absent for tokens: every path takes them, and their guesses count together. */
  readonly path?: string;
}

/**
 * Limits failed authentication per address, credential and path: a burst of `most`, then one every `everyMs`. Only what
 * was found to be wrong is counted, so a correct credential always passes, whatever others behind the address do.
 */
export interface FailureLimit {
  /** Throws when the address has failed too often. */
  count(wrong: WrongCredential): void;
}

const most = 10;
const everyMs = 6_000;
const countsMax = 10_000;

export function failureLimit(mono: () => number): FailureLimit {
  /** The time at which a count is back at no failure. */
  const freeAt = new Map<string, number>();
  return {
    count({ address, credential, path = "" }) {
      const name = `${address} ${credential} ${path}`;
      const from = Math.max(freeAt.get(name) ?? 0, mono());
      const waitMs = from - mono() - (most - 1) * everyMs;
      if (waitMs > 0) throw tooOften(waitMs);
      freeAt.delete(name); // to the end: the oldest is removed first
      freeAt.set(name, from + everyMs);
      const [oldest] = freeAt.keys();
      if (freeAt.size > countsMax && oldest !== undefined) freeAt.delete(oldest);
    },
  };
}

function tooOften(waitMs: number): HttpError {
  return new HttpError(429, "busy", "Too many failed logins from this address. Wait a minute.", {
    "retry-after": String(Math.ceil(waitMs / 1_000)),
  });
}
