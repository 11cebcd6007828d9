import type { LedgerRecord, Priority } from "../../kernel/record.ts";
import type { Handler } from "./handler.ts";
import { hopsMax, type EventKind } from "./kind.ts";

type Event = Pick<LedgerRecord<EventKind>, "body" | "priority">;

/** How the machine is: all is taken on, only what is urgent, nothing. */
export type Health = "green" | "yellow" | "red";

export type Routed =
  | { readonly handler: Handler }
  /** Nobody does anything for it. */
  | { readonly discard: string }
  /** Somebody will, but not now. */
  | { readonly wait: string };

/** Who handles an event: the first who subscribes to its type. */
export function route(
  event: Event,
  handlers: readonly Handler[],
  health: Health,
  /** Of the health. */
  reason: string | null = null,
): Routed {
  const { type, hops } = event.body;
  if (hops > hopsMax) return { discard: `discarded: ${hops} events led to it, as in a loop` };
  const handler = handlers.find(({ subscribes }) => subscribes.includes(type));
  if (handler === undefined) return { discard: `discarded: nobody subscribes to ${type}` };
  const wait = waitOf(event.priority, health, reason);
  return wait === undefined ? { handler } : { wait };
}

/** Why nothing that is as urgent as this is begun now; undefined: it is. */
export function waitOf(
  priority: Priority,
  health: Health,
  reason: string | null,
): string | undefined {
  const because = reason === null ? "" : ` (${reason})`;
  if (health === "red") return `waits: the machine has too much to do${because}`;
  if (health === "green" || priority === "high") return undefined;
  return `waits: the machine has much to do, and only what is urgent is begun${because}`;
}
