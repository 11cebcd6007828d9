import type { Health } from "../../features/events/health.ts";
import { makeEvent, type EventKind } from "../../features/events/kind.ts";
import type { Numbers } from "../../features/notifications/counter.ts";
import type { Book, Ledger } from "../../kernel/ledger.ts";
import type { Appended } from "../../kernel/unit.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { chance, pick } from "../chance.ts";
import type { Oracle } from "../oracle/oracle.ts";
import { owners } from "./targets.ts";

export interface EventClientOptions {
  name: string;
  owner: string;
  ledger: Ledger;
  clock: Clock;
  random: Random;
  oracle: Oracle;
  /** Names of all that it may have eventNames of. */
  eventNames: string[];
  setHealth(health: Health): void;
  busy(): boolean;
}

export interface EventClient extends EventClientOptions {
  book: Book;
  numbers: Numbers;
}

/** Tells of it. */
export function emit(
  { book, owner, clock, random }: EventClient,
  body: EventKind["body"],
): Promise<Appended<EventKind>> {
  const now = Math.floor(clock.wall());
  const urgency = chance(random, 0.4) ? { priority: pick(random, ["high", "low"] as const) } : {};
  const options = { owner, home: owners[0], now: Math.max(now, 0), ...urgency };
  return book.append(makeEvent(body, options));
}
