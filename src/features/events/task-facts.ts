import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Claimed } from "../../kernel/record.ts";
import { dayOf } from "../../time/zone.ts";
import type { Numbers } from "../notifications/counter.ts";
import type { TaskKind } from "../tasks/kind.ts";
import type { RunAttempt } from "../tasks/outcome.ts";
import { placeWaiters } from "./capacity-waiters.ts";
import { eventKind } from "./kind.ts";
import { countMessages, type HandlerFacts } from "./task-end.ts";

type Task = Claimed<TaskKind>;

/** Reads what must be known at the end of a task of a handler. */
export function handlerFacts(options: {
  ledger: Ledger;
  /** What gives its messages their names; absent: the store. */
  numbers?: Numbers;
}): (record: Task, made: RunAttempt, zone: string) => Promise<HandlerFacts> {
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
    const isLive = is(eventKind, found) && found.endedAt === null;
    return {
      event: isLive ? found : undefined,
      messageIds: await idsFor(record, made, zone),
      next: await nextFor(record),
    };
  };
}
