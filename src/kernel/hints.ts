import type { Work } from "./ledger.ts";

export interface Hints {
  onHint: Work["onHint"];
  /** Calls the listeners of these queues. */
  notify(queues: readonly string[]): void;
}

export function hints(): Hints {
  const listeners = new Map<string, Set<() => void>>();
  return {
    onHint(queue, hint) {
      // Two callers may pass the same function: each gets its own entry.
      const entry = (): void => hint();
      const entries = listeners.get(queue) ?? new Set();
      listeners.set(queue, entries.add(entry));
      return () => {
        entries.delete(entry);
        if (entries.size === 0 && listeners.get(queue) === entries) listeners.delete(queue);
      };
    },
    notify(queues) {
      for (const queue of queues) for (const hint of listeners.get(queue) ?? []) hint();
    },
  };
}
