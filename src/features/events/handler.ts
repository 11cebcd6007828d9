import type { LedgerRecord } from "../../kernel/record.ts";
import type { RunTemplate } from "../tasks/index.ts";
import { type Health, waitOf } from "./health.ts";
import { hopsMax, type EventKind } from "./kind.ts";

/** Who has something to do for events of some types, as it is set. */
export interface Handler {
  /** `gen-pr` */
  readonly name: string;
  /** Types of events, each as it is. */
  readonly subscribes: readonly string[];
  /** What is run; absent: workers from outside claim its tasks from the queue of its name. */
  readonly run?: RunTemplate;
  /** For one attempt. */
  readonly timeoutMs: number;
  /** How often an attempt that failed or was cut off is made again. */
  readonly retries: number;
  /** Where its work speaks when no chat asked for it; null: where such work speaks here. */
  readonly target: string | null;
  /** Where its results may ask to be told beside, as targets: `slack:C0123`. */
  readonly channels: readonly string[];
  /** For events that name none. */
  readonly repo: string | null;
}

export const retriesDefault = 2;

const nameShape = /^[a-z][a-z0-9-]{0,62}$/;

export function isHandlerName(name: string): boolean {
  return nameShape.test(name);
}

type Event = Pick<LedgerRecord<EventKind>, "body" | "priority">;
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
