import type { Ledger } from "../ledger/ledger.ts";
import type { RunAbout } from "../rules/again/run-count.ts";
import type { Claimed } from "../rules/record.ts";
import type { RunAttempt } from "../rules/runs/run-result.ts";
import { countMessages } from "../rules/when/ending.ts";
import { dayOf } from "../rules/zone.ts";
import type { Numbers } from "./numbers.ts";
import { placeWaiters } from "./place-waiters.ts";

type Task = Claimed<"task">;

/** Reads what must be known at the end of a task of a handler. */
export function whenAbout(options: {
  ledger: Ledger;
  numbers?: Numbers;
}): (record: Task, made: RunAttempt, zone: string) => Promise<Pick<RunAbout, "when">> {
  const { ledger, numbers } = options;
  const nextFor = placeWaiters(ledger);
  const idsFor = async (record: Task, made: RunAttempt, zone: string): Promise<string[]> => {
    const ids: string[] = [];
    if (numbers === undefined) return ids;
    const day = dayOf(record.lease.claimedAt, zone);
    for (let left = countMessages(record, made); left > 0; left -= 1) {
      ids.push(await numbers.label("msg", day));
    }
    return ids;
  };
  return async (record, made, zone) => {
    const { event, slot } = record.body;
    const book = ledger.of(record.owner, record.by);
    // A slot of a schedule handles no event, whatever there is of that name.
    const id = slot === undefined ? event?.id : undefined;
    const found = id === undefined ? undefined : await book.get(id);
    const isLive = found?.kind === "event" && found.endedAt === null;
    return {
      when: {
        event: isLive ? found : undefined,
        messageIds: await idsFor(record, made, zone),
        next: await nextFor(record),
      },
    };
  };
}
