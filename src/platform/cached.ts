import type { Clock } from "./clock.ts";

const keysMax = 1_000;

/** Reads what is needed all the time, and remembers each answer for a moment: changes are heard of after that. */
export function cached<Key, Value>(
  clock: Pick<Clock, "mono">,
  ms: number,
  read: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const known = new Map<Key, { value: Promise<Value>; readAt: number }>();
  return (key) => {
    const now = clock.mono();
    const found = known.get(key);
    if (found && now - found.readAt < ms) return found.value;
    if (known.size > keysMax) known.clear(); // a memory, not a copy
    const value = read(key);
    known.set(key, { value, readAt: now });
    value.catch(() => known.delete(key));
    return value;
  };
}
