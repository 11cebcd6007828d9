import type { Ledger } from "../../../kernel/ledger.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import type { Context } from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import { type Claimed, type LedgerRecord, priorities } from "../../../kernel/record.ts";
import type { Verdict } from "../../../kernel/verdict.ts";
import { DaybookError, fromErrorData, hasCode, type ErrorCode } from "../../../platform/errors.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { type TaskKind, taskKind, type TaskEvent } from "../../tasks/index.ts";
import { isForWorkers } from "../event-task.ts";
import { handlingIn, type WaitingTasks } from "../ports.ts";
import type { Result } from "../result.ts";

type Task = LedgerRecord<TaskKind>;
/** A task that workers outside take. */
export type WorkersTask = Task & { body: { event: TaskEvent } };

/** Who has it, as the history says. */
export function holderOf({ by }: Pick<Context, "by">, worker: string): string {
  return `worker:${by}:${worker}`;
}

/** The task under the ticket that was given for it. Refuses any other. */
export async function heldTask(
  context: Context,
  id: string,
  ticket: number,
): Promise<Claimed<TaskKind>> {
  const record = await find(bookOf(context), taskKind, id);
  const { state, endedAt, lease, wakeAt } = record;
  if (endedAt !== null) {
    const sentence = `${id} has ended, being ${state}: what is said of it now is not taken. Claim another.`;
    throw new DaybookError("ended", sentence, { details: { state } });
  }
  const [, worker = ""] = /:([^:]*)$/.exec(lease?.holder ?? "") ?? [];
  const isOurs = lease?.holder === holderOf(context, worker);
  if (!isOurs || lease.fence !== ticket || wakeAt === null) throw notYours(id);
  return { ...record, lease, wakeAt };
}

function notYours(id: string): DaybookError {
  const sentence = `You do not have ${id}, or not any more: the ticket is of another claim. Stop working on it, and claim it anew.`;
  return new DaybookError("stale", sentence, { details: { id } });
}

const triesMax = 8;
const restMs = 20;
/** What is around it has changed, is being looked at, or has the name of what follows: it is decided anew. */
const passing: readonly ErrorCode[] = ["stale", "ended", "leased", "not_found", "held", "conflict"];

/** Settles a task as its worker says, with all that follows; null: the worker went away without a word. */
export async function endTask(
  context: Context,
  task: Claimed<TaskKind>,
  said: Result | null,
): Promise<void> {
  const when = handlingIn(context);
  let record = task;
  for (let tries = 1; ; tries += 1) {
    const settled = await settle(context.ledger, record, await when.ends(record, said));
    if (settled === "settled") return;
    if (settled === "stale") throw notYours(task.id);
    if (settled instanceof DaybookError) {
      if (tries >= triesMax || !hasCode(settled, ...passing)) throw settled;
      await when.pause(restMs * tries);
    } else {
      if (tries >= triesMax) throw changedAgain(task.id);
      record = settled;
    }
  }
}

export async function settle(
  { work }: Ledger,
  { id, revision, lease }: Claimed<TaskKind>,
  verdict: Verdict<TaskKind>,
): Promise<"settled" | "stale" | DaybookError | Claimed<TaskKind>> {
  const [answer] = await work.settle<TaskKind>([{ id, revision, fence: lease.fence, ...verdict }]);
  if (answer?.result === "moved") return answer.record;
  if (answer?.result === "refused") return fromErrorData(answer.error);
  return answer?.result ?? "stale";
}

function changedAgain(id: string): DaybookError {
  return new DaybookError("busy", `${id} was changed again and again: say it once more.`);
}

/** Why one that was asked for by its id cannot be had. */
export function claimRefusal(record: Task, now: number): DaybookError {
  const { id, state, endedAt, lease, wakeAt, body } = record;
  const details = { id, state };
  if (endedAt !== null) {
    return new DaybookError("ended", `${id} has ended, being ${state}: claim another.`, {
      details,
    });
  }
  if (!isForWorkers(record)) {
    const sentence = `${id} is run here, by ${body.name}: only tasks of handlers without "run" are for workers.`;
    return new DaybookError("refused", sentence, { details });
  }
  if (lease !== null && wakeAt !== null && wakeAt > now) {
    const sentence = `${lease.holder} has ${id} until ${isoOf(wakeAt)}: claim another, or wait.`;
    return new DaybookError("leased", sentence, { details });
  }
  const later = wakeAt === null ? "it waits for somebody" : `it is due at ${isoOf(wakeAt)}`;
  return new DaybookError("held", `${id} is not to be had yet: ${later}.`, { details });
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

function* taken({ ids }: WaitingTasks): Generator<string, void> {
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
