import { createHash } from "node:crypto";
import type { Caller } from "../../kernel/operation.ts";
import type { Clock } from "../../platform/clock.ts";

/** Sessions of browsers that opened a login link. */
export interface BrowserSessions {
  /** Opens a session; returns the `Set-Cookie` header. */
  open(caller: Caller, request: Request): string;
  find(request: Request): Caller | undefined;
}

const name = "daybook_session";
const idleMs = 12 * 3_600_000;
const browsersMax = 1_000;

/** Kept in memory: after a restart a new link is needed. */
export function browserSessions(options: {
  clock: Pick<Clock, "wall">;
  randomBytes(count: number): Uint8Array;
}): BrowserSessions {
  const { clock, randomBytes } = options;
  const sessions = new Map<string, { caller: Caller; seenAt: number }>();
  const touch = (hash: string, caller: Caller): void => {
    sessions.delete(hash); // to the end: the longest idle is removed first
    sessions.set(hash, { caller, seenAt: clock.wall() });
    const [oldest] = sessions.keys();
    if (sessions.size > browsersMax && oldest !== undefined) sessions.delete(oldest);
  };
  return {
    open(caller, request) {
      const before = cookieOf(request);
      if (before !== undefined) sessions.delete(hashOf(before));
      const value = Buffer.from(randomBytes(32)).toString("base64url");
      touch(hashOf(value), caller);
      const secure = isSecure(request) ? "; Secure" : "";
      return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${idleMs / 1_000}${secure}`;
    },
    find(request) {
      const value = cookieOf(request);
      if (value === undefined) return undefined;
      const hash = hashOf(value);
      const found = sessions.get(hash);
      if (found === undefined) return undefined;
      if (clock.wall() - found.seenAt > idleMs) {
        sessions.delete(hash);
        return undefined;
      }
      touch(hash, found.caller);
      return found.caller;
    },
  };
}

function cookieOf(request: Request): string | undefined {
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** A proxy header is trusted here: it can only make the cookie stricter. */
function isSecure(request: Request): boolean {
  return request.url.startsWith("https:") || request.headers.get("x-forwarded-proto") === "https";
}

function hashOf(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}
