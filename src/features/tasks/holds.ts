import { slots, type Slots } from "../../kernel/holds.ts";

// Names that are held stand in books: none may change.

/** One of the slots for runs of this name at once. */
export function runSlot(name: string, concurrency: number): Slots {
  return slots(`running:${name}`, concurrency);
}

/** One of the slots for tasks of handlers at work at once, over all owners. */
export function handlerCapacity(count: number): Slots {
  return slots("soldier", count);
}
