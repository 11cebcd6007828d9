import { bookOf, findRecord } from "../../../kernel/book.ts";
import type { Ledger } from "../../../kernel/ledger.ts";
import { recordsIn } from "../../../kernel/list-all.ts";
import type { Context } from "../../../kernel/operation.ts";
import { type Claimed, type LedgerRecord, priorities } from "../../../kernel/record.ts";
import type { Verdict } from "../../../kernel/verdict.ts";
import { DaybookError, fromErrorData, hasCode, type ErrorCode } from "../../../platform/errors.ts";
import { isoOf } from "../../../platform/iso-time.ts";
import { type TaskKind, taskKind, type TaskEvent } from "../../tasks/index.ts";
import { isForWorkers } from "../event-task.ts";
import { eventContextOf, type WaitingList } from "../ports.ts";
import type { Result } from "../result.ts";

type Task = LedgerRecord<TaskKind>;
/** A task for external workers. */
export type WorkersTask = Task & { body: { event: TaskEvent } };

/** The holder of a worker's lease, as the history shows it. */
export function holderOf({ by }: Pick<Context, "by">, worker: string): string {
  return `worker:${by}:${worker}`;
}

/** The task that the caller holds with this ticket. */
export async function heldTask(
  context: Context,
  typed: string,
  ticket: number,
): Promise<Claimed<TaskKind>> {
  const record = await findRecord(bookOf(context), taskKind, typed);
  const { id, state, endedAt, lease, wakeAt } = record;
  if (endedAt !== null) {
    const sentence = `${id} has ended (${state}), so no report is accepted: claim another task.`;
    throw new DaybookError("ended", sentence, { details: { state } });
  }
  const [, worker = ""] = /:([^:]*)$/.exec(lease?.holder ?? "") ?? [];
  const isHolder = lease?.holder === holderOf(context, worker);
  if (!isHolder || lease.fence !== ticket || wakeAt === null) throw notHeld(id);
  return { ...record, lease, wakeAt };
}

function notHeld(id: string): DaybookError {
  const sentence = `You do not hold ${id} with this ticket: stop working on it and claim it again.`;
  return new DaybookError("stale", sentence, { details: { id } });
}

const triesMax = 8;
const retryMs = 20;
/** A record around it was changed or leased, or a new id or hold was taken: the end is decided again. */
const passing: readonly ErrorCode[] = ["stale", "ended", "leased", "not_found", "held", "conflict"];

/** Settles a task by the worker's result, with its consequences; null: the worker sent no result. */
export async function endTask(
  context: Context,
  task: Claimed<TaskKind>,
  result: Result | null,
): Promise<void> {
  const { ends, pause } = eventContextOf(context);
  let record = task;
  for (let tries = 1; ; tries += 1) {
    const settled = await settle(context.ledger, record, await ends(record, result));
    if (settled === "settled") return;
    if (settled === "stale") throw notHeld(task.id);
    if (settled instanceof DaybookError) {
      if (tries >= triesMax || !hasCode(settled, ...passing)) throw settled;
      await pause(retryMs * tries);
    } else {
      if (tries >= triesMax) throw keepsChanging(task.id);
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

function keepsChanging(id: string): DaybookError {
  return new DaybookError("busy", `${id} was edited during every try: send the result again.`);
}

/** Why a task cannot be claimed by its id. */
export function claimRefusal(record: Task, now: number): DaybookError {
  const { id, state, endedAt, lease, wakeAt, body } = record;
  const refusal = (code: ErrorCode, sentence: string) =>
    new DaybookError(code, sentence, { details: { id, state } });
  if (endedAt !== null) return refusal("ended", `${id} has ended (${state}): claim another task.`);
  if (!isForWorkers(record)) {
    const sentence = `${id} runs on this installation, by ${body.name}: workers take tasks of handlers without "run".`;
    return refusal("refused", sentence);
  }
  if (lease !== null && wakeAt !== null && wakeAt > now) {
    const sentence = `${lease.holder} holds ${id} until ${isoOf(wakeAt)}: claim another task, or wait.`;
    return refusal("leased", sentence);
  }
  const reason = wakeAt === null ? "it waits for a person" : `it is due at ${isoOf(wakeAt)}`;
  return refusal("held", `${id} cannot be claimed yet: ${reason}.`);
}

/** Priority counts among this many waiting tasks, the oldest. */
const waitingMax = 10_000;
/** A longer list is cached, so that many workers do not all read it. */
const uncachedMax = 200;
/** An urgent task is seen this much later behind a cached list. */
const cachedMs = 1_000;

/** The due tasks of a handler in the caller's own book, by priority, then by age. */
export async function* waitingFor(context: Context, handler: string): AsyncGenerator<string, void> {
  const { waiting } = eventContextOf(context);
  const name = JSON.stringify([context.owner, handler]);
  const cached = waiting.get(name);
  const leftMs = (cached?.until ?? 0) - context.now();
  if (cached !== undefined && leftMs > 0 && leftMs <= cachedMs) yield* takenFrom(cached);
  const ids = (await dueTasks(context, handler)).map(({ id }) => id);
  const fresh = { ids, until: context.now() + cachedMs };
  if (ids.length > uncachedMax) waiting.set(name, fresh);
  else waiting.delete(name);
  yield* takenFrom(fresh);
}

function* takenFrom({ ids }: WaitingList): Generator<string, void> {
  for (let id = ids.shift(); id !== undefined; id = ids.shift()) yield id;
}

async function dueTasks(context: Context, handler: string): Promise<readonly WorkersTask[]> {
  const query = { kind: taskKind, state: "pending", live: true } as const;
  const now = context.now();
  const found: WorkersTask[] = [];
  for await (const record of recordsIn(bookOf(context), query, waitingMax)) {
    // An abandoned task that was cancelled is due too: the claim ends it.
    const isDue = record.wakeAt !== null && record.wakeAt <= now;
    if (isDue && isForWorkers(record) && record.body.name === handler) found.push(record);
  }
  const rank = ({ priority }: LedgerRecord): number => priorities.indexOf(priority);
  return found.toSorted((a, b) => rank(a) - rank(b));
}
