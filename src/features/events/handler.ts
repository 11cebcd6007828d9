import type { LedgerRecord } from "../../kernel/record.ts";
import type { Backoff } from "../../platform/backoff.ts";
import type { Rate, RunTemplate } from "../tasks/index.ts";
import { type Health, waitOf } from "./health.ts";
import { hopsMax, type EventKind } from "./kind.ts";

/** A program, agent or worker that works on events of some types, as it is configured. */
export interface Handler {
  /** `gen-pr` */
  readonly name: string;
  /** Types of events, without patterns. */
  readonly subscribes: readonly string[];
  /** What runs; absent: external workers claim its tasks from the queue of its name. */
  readonly run?: RunTemplate;
  /** The limit of one attempt. */
  readonly timeoutMs: number;
  /** The most retries after a failed or interrupted attempt. */
  readonly retries: number;
  /** The pauses before them. Absent: a minute. */
  readonly pauses?: Backoff;
  /** How often its tasks may start. Absent: no limit. */
  readonly rate?: Omit<Rate, "name">;
  /** Where its messages go if the event came from no chat; null: the default target of the installation. */
  readonly target: string | null;
  /** More targets that its results may send messages to: `slack:C0123`. */
  readonly channels: readonly string[];
  /** The repository of events without one. */
  readonly repo: string | null;
}

export const retriesDefault = 2;

const nameShape = /^[a-z][a-z0-9-]{0,62}$/;

export function isHandlerName(name: string): boolean {
  return nameShape.test(name);
}

type Event = Pick<LedgerRecord<EventKind>, "body" | "priority">;
export type Route =
  | { readonly handler: Handler }
  /** Why it is not handled. */
  | { readonly discard: string }
  /** Why it is handled later. */
  | { readonly wait: string };

/** Chooses the first handler that subscribes to the type of the event. */
export function route(
  event: Event,
  handlers: readonly Handler[],
  health: Health,
  healthReason: string | null = null,
): Route {
  const { type, hops } = event.body;
  if (hops > hopsMax)
    return { discard: `discarded: ${hops} events led to it, which looks like a loop` };
  const handler = handlers.find(({ subscribes }) => subscribes.includes(type));
  if (handler === undefined) return { discard: `discarded: no handler subscribes to ${type}` };
  const wait = waitOf(event.priority, health, healthReason);
  return wait === undefined ? { handler } : { wait };
}
