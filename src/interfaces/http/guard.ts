import { HttpError } from "./problem.ts";

/**
 * A page whose name was made to point at this machine (rebinding) still says its own name: only
 * those that were listed are answered. A host listed without a port is good for every port.
 */
export function checkHost(request: Request, hosts: readonly string[]): void {
  const { host } = new URL(request.url);
  const named = [host, request.headers.get("host") ?? host];
  if (named.every((each) => isListed(each.toLowerCase(), hosts))) return;
  const message = "This name is not served here: set DAYBOOK_PUBLIC_URL to the one that is used.";
  throw new HttpError(421, "refused", message);
}

function isListed(host: string, hosts: readonly string[]): boolean {
  const name = host.replace(/:\d+$/, "");
  return hosts.some((listed) => [host, name].includes(listed.toLowerCase()));
}

/** What a browser was told to send by another site's page is not what its owner asked for. */
export function checkOrigin(request: Request, isRequired: boolean): void {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const host = request.headers.get("host") ?? new URL(request.url).host;
  const isOurs = origin === null ? !isRequired : URL.parse(origin)?.host === host.toLowerCase();
  if (isOurs && (site === null || site === "same-origin" || site === "none")) return;
  throw new HttpError(403, "refused", "This came from another site's page: ask from our own.");
}

const headers: readonly (readonly [name: string, value: string])[] = [
  ["cache-control", "no-store"],
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'"],
  ["cross-origin-resource-policy", "same-origin"],
  ["referrer-policy", "no-referrer"],
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
];

/** The answer with what every answer says; what it says itself stays. */
export function guarded(answer: Response, requestId: string): Response {
  const all = new Headers(answer.headers);
  for (const [name, value] of headers) if (!all.has(name)) all.set(name, value);
  all.set("x-request-id", requestId);
  return new Response(answer.body, { status: answer.status, headers: all });
}

/** How often an address may be wrong: so many at once, and then one every `everyMs`. */
export interface Failures {
  /** Throws when the address has been wrong too often. */
  check(address: string): void;
  count(address: string): void;
}

const most = 10;
const everyMs = 6_000;
const addressesMax = 10_000;

export function failures(mono: () => number): Failures {
  /** When the address is back at no failure. */
  const freeAt = new Map<string, number>();
  return {
    check(address) {
      const waitMs = (freeAt.get(address) ?? 0) - mono() - (most - 1) * everyMs;
      if (waitMs <= 0) return;
      throw new HttpError(429, "busy", "Too many wrong logins from here: wait a minute.", {
        "retry-after": String(Math.ceil(waitMs / 1_000)),
      });
    },
    count(address) {
      const from = Math.max(freeAt.get(address) ?? 0, mono());
      freeAt.delete(address); // to stand last: the oldest is forgotten first
      freeAt.set(address, from + everyMs);
      const [oldest] = freeAt.keys();
      if (freeAt.size > addressesMax && oldest !== undefined) freeAt.delete(oldest);
    },
  };
}
