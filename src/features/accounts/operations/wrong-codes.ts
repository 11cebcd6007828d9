import { DaybookError } from "../../../platform/errors.ts";

/** How often somebody may say a wrong code: so many at once, and then one every `everyMs`. */
export interface WrongCodes {
  /** Counts one; throws when it was one too many. */
  count(sender: string): void;
}

const most = 10;
const everyMs = 6_000;
const sendersMax = 10_000;

export function wrongCodes(mono: () => number): WrongCodes {
  /** When the sender is back at no wrong code. */
  const freeAt = new Map<string, number>();
  return {
    count(sender) {
      const from = Math.max(freeAt.get(sender) ?? 0, mono());
      if (from - mono() > (most - 1) * everyMs) {
        throw new DaybookError("busy", "Too many wrong codes: wait a minute.");
      }
      freeAt.delete(sender); // to stand last: the oldest is forgotten first
      freeAt.set(sender, from + everyMs);
      const [oldest] = freeAt.keys();
      if (freeAt.size > sendersMax && oldest !== undefined) freeAt.delete(oldest);
    },
  };
}
