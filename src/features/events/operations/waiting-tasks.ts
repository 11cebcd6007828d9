import { recordsIn } from "../../../kernel/list-all.ts";
import type { Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import { priorities, type LedgerRecord } from "../../../kernel/record.ts";
import { taskKind } from "../../tasks/kind.ts";
import { isForWorkers } from "../event-task.ts";
import { handlingIn } from "../ports.ts";
import type { WorkersTask } from "./worker.ts";

/** What waited for workers a moment ago: the next first. Each id is given to one who asks. */
export interface Waiting {
  readonly ids: string[];
  readonly until: number;
}

/** What waits is looked through this far: behind that, urgency does not count. */
const waitingMax = 10_000;
/** A list that is longer than this is not made anew for everybody who asks. */
const rememberedMin = 200;
/** What is urgent comes so much later at most, behind a long list. */
const rememberedMs = 1_000;

/** Tasks of a handler that are due, by priority, then by age: in the asker's own book and nobody else's. */
export async function* waitingFor(context: Context, handler: string): AsyncGenerator<string, void> {
  const { waiting } = handlingIn(context);
  const name = JSON.stringify([context.owner, handler]);
  const known = waiting.get(name);
  const leftMs = (known?.until ?? 0) - context.now();
  if (known !== undefined && leftMs > 0 && leftMs <= rememberedMs) yield* taken(known);
  const ids = (await dueTasks(context, handler)).map(({ id }) => id);
  const fresh = { ids, until: context.now() + rememberedMs };
  if (ids.length > rememberedMin) waiting.set(name, fresh);
  else waiting.delete(name);
  yield* taken(fresh);
}

function* taken({ ids }: Waiting): Generator<string, void> {
  for (let id = ids.shift(); id !== undefined; id = ids.shift()) yield id;
}

async function dueTasks(context: Context, handler: string): Promise<readonly WorkersTask[]> {
  const query = { kind: taskKind, state: "pending", live: true } as const;
  const now = context.now();
  const found: WorkersTask[] = [];
  for await (const record of recordsIn(bookOf(context), query, waitingMax)) {
    // One that was cancelled while its worker went away is ended by the claim.
    const isDue = record.wakeAt !== null && record.wakeAt <= now;
    if (isDue && isForWorkers(record) && record.body.name === handler) found.push(record);
  }
  const place = ({ priority }: LedgerRecord): number => priorities.indexOf(priority);
  return found.toSorted((a, b) => place(a) - place(b));
}
