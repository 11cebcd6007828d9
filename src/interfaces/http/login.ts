import { createHash } from "node:crypto";
import type { Caller } from "../../kernel/operation.ts";
import type { Clock } from "../../platform/clock.ts";

/** One-time links: who opens one is who it was made for. */
export interface LoginPort {
  /** Who the code was made for, once and for ten minutes. */
  redeem(code: string): Promise<Caller | undefined>;
  /** A fresh code for the caller; for the one who was given at first, unless told. */
  issue(caller?: Caller): string;
}

export interface LoginOptions {
  clock: Pick<Clock, "wall">;
  randomBytes(count: number): Uint8Array;
  /** Whose link it is when nobody else is named. */
  caller: Caller;
}

const codeBytes = 24;
const codeMs = 10 * 60_000;
const codesMax = 64;

/** Codes that were given out and not used yet, in memory: a restart forgets them. */
export function logins({ clock, randomBytes, caller: first }: LoginOptions): LoginPort {
  const waiting = new Map<string, { caller: Caller; until: number }>();
  return {
    redeem(code) {
      const name = hashOf(code);
      const found = waiting.get(name);
      waiting.delete(name);
      return Promise.resolve(found && clock.wall() < found.until ? found.caller : undefined);
    },
    issue(caller = first) {
      const code = Buffer.from(randomBytes(codeBytes)).toString("base64url");
      waiting.set(hashOf(code), { caller, until: clock.wall() + codeMs });
      const [oldest] = waiting.keys();
      if (waiting.size > codesMax && oldest !== undefined) waiting.delete(oldest);
      return code;
    },
  };
}

/** Found by its hash, so that no comparison tells how much of a guess was right. */
function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
