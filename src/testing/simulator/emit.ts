import { sleep, type Clock } from "../../base/clock.ts";
import { hasCode } from "../../base/errors.ts";
import type { Random } from "../../base/random.ts";
import type { Numbers } from "../../controllers/numbers.ts";
import { mayPass } from "../../controllers/until-answered.ts";
import type { Book, Ledger } from "../../ledger/ledger.ts";
import type { Appended } from "../../rules/unit.ts";
import { makeEvent, type EventKind } from "../../rules/when/event.ts";
import type { Health } from "../../rules/when/route.ts";
import { chance, intBelow, pick } from "../chance.ts";
import type { Oracle } from "../oracle/oracle.ts";
import { owners } from "./targets.ts";

export interface EmitterOptions {
  name: string;
  owner: string;
  ledger: Ledger;
  clock: Clock;
  random: Random;
  oracle: Oracle;
  /** Names of all that it may have told of. */
  told: string[];
  setHealth(health: Health): void;
  busy(): boolean;
}

export interface Emitter extends EmitterOptions {
  book: Book;
  numbers: Numbers;
}

const triesMax = 8;

/** Tells of it. */
export function emit(
  { book, owner, clock, random }: Emitter,
  body: EventKind["body"],
): Promise<Appended<"event">> {
  const now = Math.floor(clock.wall());
  const urgency = chance(random, 0.4) ? { priority: pick(random, ["high", "low"] as const) } : {};
  const making = { owner, home: owners[0], now: Math.max(now, 0), ...urgency };
  return book.append(makeEvent(body, making));
}

/** Asks again while the store is busy, the answer was lost, or another was quicker. */
export async function persist<T>(
  { clock, random, oracle }: Emitter,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (hasCode(error, "bug", "unsupported", "invalid")) {
        oracle.blame("no valid ask is a fault", String(error));
      }
      if (!mayPass(error) && !hasCode(error, "stale", "leased")) return undefined;
      await sleep(clock, 20 + intBelow(random, 1_000));
    }
  }
  return undefined;
}
