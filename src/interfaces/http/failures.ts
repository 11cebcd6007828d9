import { HttpError } from "./problem.ts";

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
