import { createHash } from "node:crypto";
import type { Caller } from "../../kernel/operation.ts";
import type { Clock } from "../../platform/clock.ts";

/** Browsers that came in by a login link. */
export interface Browsers {
  /** The header that gives a browser its cookie. */
  enter(caller: Caller, request: Request): string;
  find(request: Request): Caller | undefined;
}

const name = "daybook_session";
const idleMs = 12 * 3_600_000;
const browsersMax = 1_000;

/** In memory: a restart asks for a new link. */
export function browsers(options: {
  clock: Pick<Clock, "wall">;
  randomBytes(count: number): Uint8Array;
}): Browsers {
  const { clock, randomBytes } = options;
  const inside = new Map<string, { caller: Caller; seenAt: number }>();
  const note = (place: string, caller: Caller): void => {
    inside.delete(place); // to stand last: the longest idle is forgotten first
    inside.set(place, { caller, seenAt: clock.wall() });
    const [oldest] = inside.keys();
    if (inside.size > browsersMax && oldest !== undefined) inside.delete(oldest);
  };
  return {
    enter(caller, request) {
      const before = cookieOf(request);
      if (before !== undefined) inside.delete(hashOf(before));
      const value = Buffer.from(randomBytes(32)).toString("base64url");
      note(hashOf(value), caller);
      const secure = isSecure(request) ? "; Secure" : "";
      return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${idleMs / 1_000}${secure}`;
    },
    find(request) {
      const value = cookieOf(request);
      if (value === undefined) return undefined;
      const place = hashOf(value);
      const found = inside.get(place);
      if (found === undefined) return undefined;
      if (clock.wall() - found.seenAt > idleMs) {
        inside.delete(place);
        return undefined;
      }
      note(place, found.caller);
      return found.caller;
    },
  };
}

function cookieOf(request: Request): string | undefined {
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** A proxy that says https is believed: it can only make the cookie stricter. */
function isSecure(request: Request): boolean {
  return request.url.startsWith("https:") || request.headers.get("x-forwarded-proto") === "https";
}

function hashOf(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}
