import { slots, type Slots } from "../../kernel/holds.ts";

// Held names are stored in books: none may change.

/** One of the slots for runs of this name. */
export function runSlot(name: string, concurrency: number): Slots {
  return slots(`running:${name}`, concurrency);
}

/** One of the slots for running tasks of handlers, over all owners. */
export function handlerCapacity(count: number): Slots {
  return slots("soldier", count);
}
