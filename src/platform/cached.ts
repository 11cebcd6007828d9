import type { Clock } from "./clock.ts";

const keysMax = 1_000;

/** Caches the answers of `read`, each for `ms`. */
export function cached<Key, Value>(
  clock: Pick<Clock, "mono">,
  ms: number,
  read: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const entries = new Map<Key, { value: Promise<Value>; readAt: number }>();
  return (key) => {
    const now = clock.mono();
    const found = entries.get(key);
    if (found && now - found.readAt < ms) return found.value;
    if (entries.size > keysMax) entries.clear(); // a cache may forget
    const value = read(key);
    entries.set(key, { value, readAt: now });
    value.catch(() => entries.delete(key));
    return value;
  };
}
