import type { Ledger } from "../ledger/ledger.ts";
import type { RunAbout } from "../rules/again/run-count.ts";
import { priorities, type Claimed, type LedgerRecord } from "../rules/record.ts";
import type { RunAttempt } from "../rules/runs/run-result.ts";
import { countMessages } from "../rules/when/ending.ts";
import { dayOf } from "../rules/zone.ts";
import type { Numbers } from "./numbers.ts";

type Task = Claimed<"task">;

/** The owner's oldest tasks are looked through for one that waits for the place that becomes free. */
const waitingMax = 50;

/** Reads what must be known at the end of a task of a handler. */
export function whenAbout(options: {
  ledger: Ledger;
  numbers?: Numbers;
}): (record: Task, made: RunAttempt, zone: string) => Promise<Pick<RunAbout, "when" | "others">> {
  const { ledger, numbers } = options;
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
    const { event, slot, turns } = record.body;
    const book = ledger.of(record.owner, record.by);
    // A slot of a schedule handles no event, whatever there is of that name.
    const id = slot === undefined ? event?.id : undefined;
    const found = id === undefined ? undefined : await book.get(id);
    const isLive = found?.kind === "event" && found.endedAt === null;
    const query = { kind: "task", live: true, limit: waitingMax } as const;
    const others = turns === undefined ? [] : (await book.list(query)).records;
    return {
      others: inOrder(others.filter(({ id, lease }) => id !== record.id && lease === null)),
      when: {
        event: isLive ? found : undefined,
        messageIds: await idsFor(record, made, zone),
      },
    };
  };
}

function inOrder(tasks: readonly LedgerRecord<"task">[]): readonly LedgerRecord<"task">[] {
  return tasks
    .filter(({ body }) => body.event !== undefined)
    .toSorted((a, b) => priorities.indexOf(a.priority) - priorities.indexOf(b.priority));
}
