import * as z from "zod";
import { bookOf, findRecord, recordOf } from "../../../kernel/book.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import type { Claimed } from "../../../kernel/record.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { isoOr, fromIso } from "../../../platform/iso-time.ts";
import { inWords } from "../../../time/times.ts";
import {
  waitForTurn,
  nextStep,
  takeTurn,
  attemptOf,
  type TaskKind,
  taskKind,
  taskJson,
} from "../../tasks/index.ts";
import { isForWorkers } from "../event-task.ts";
import { eventContextOf, handlerNamed, noHandler } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { waitingFor, endTask, holderOf, claimRefusal, settle, type WorkersTask } from "./worker.ts";

const input = z.strictObject({
  handler: z.string().optional().describe("the name of the handler whose next task is claimed"),
  id: z.string().optional().describe("the id of one task. Default: the next task of the handler"),
  worker: z
    .string()
    .regex(/^[\w.@-]{1,60}$/)
    .default("worker")
    .describe("the name of the worker, for the history. Default: worker"),
  wait_seconds: z.coerce
    .number()
    .min(0)
    .max(20)
    .default(0)
    .describe("how long to wait for a task, in seconds, at most 20. Default: 0"),
});

const output = z.object({
  id: z.string().nullable(),
  task: z.unknown().describe("the task as a local program gets it; null: there is none"),
  ticket: z.number().nullable().describe("send it with each heartbeat and with the result"),
  attempt: z.number().nullable(),
  lease_seconds: z.number().nullable(),
  lease_until: z
    .string()
    .nullable()
    .describe("when the lease ends; a heartbeat before this time extends it"),
});
type Output = z.infer<typeof output>;

const pollMs = 250;

export const claimTask = operation({
  name: "claim_task",
  summary: "Claim a task of a handler to work on it: the next one, or one by its id.",
  input,
  output,
  aliases: { task_id: "id" },
  example: { handler: "gen-docs", worker: "docs-1" },
  route: { method: "POST", path: "/v1/tasks/claim", also: "/v1/tasks/{id}/claim" },
  command: { name: "worker claim", positionals: ["handler"] },
  async run({ handler, id, worker, wait_seconds: seconds }, context): Promise<Output> {
    const holder = holderOf(context, worker);
    if (id !== undefined) return shown(await claimById(context, id, { holder, handler }));
    if (handler === undefined) {
      throw new DaybookError(
        "invalid",
        "There is nothing to claim: give a handler or the id of a task.",
      );
    }
    const set = handlerNamed(context, handler);
    if (set === undefined) throw noHandler(handler);
    const until = context.now() + seconds * 1_000;
    for (;;) {
      const claimed = await claimNext(context, handler, holder);
      // Tasks made before the handler had a "run" are still for workers.
      if (claimed === undefined && set.run !== undefined) throw runsHere(handler);
      if (claimed !== undefined || context.now() >= until) return shown(claimed);
      await eventContextOf(context).pause(Math.min(pollMs, until - context.now()));
    }
  },
  render({ id, ticket, lease_until: until }, { language, zone }) {
    const texts = textsOf(language);
    if (id === null || until === null) return texts.nothingToClaim();
    const when = `${inWords(fromIso(until), zone, language)} ${zone}`;
    return texts.claimed({ id, ticket: String(ticket), until: when });
  },
});

function runsHere(handler: string): DaybookError {
  const sentence = `${handler} runs on this installation: workers take tasks of handlers without "run".`;
  return new DaybookError("refused", sentence, { details: { handler } });
}

async function claimById(
  context: Context,
  id: string,
  { holder, handler }: { holder: string; handler: string | undefined },
): Promise<Claimed<TaskKind>> {
  const record = await findRecord(bookOf(context), taskKind, id);
  const isItsTask = isForWorkers(record) && (handler ?? record.body.name) === record.body.name;
  const claimed = isItsTask ? await claimOne(context, record, holder) : undefined;
  if (claimed !== undefined) return claimed;
  throw claimRefusal(await findRecord(bookOf(context), taskKind, record.id), context.now());
}

async function claimNext(
  context: Context,
  handler: string,
  holder: string,
): Promise<Claimed<TaskKind> | undefined> {
  const book = bookOf(context);
  for await (const id of waitingFor(context, handler)) {
    const record = await recordOf(book, taskKind, id);
    if (record === undefined || !isForWorkers(record)) continue;
    const claimed = await claimOne(context, record, holder);
    if (claimed !== undefined) return claimed;
  }
  return undefined;
}

/** A task without attempts left ends instead. */
async function claimOne(
  context: Context,
  record: WorkersTask,
  holder: string,
): Promise<Claimed<TaskKind> | undefined> {
  const { id, queue, body } = record;
  if (record.endedAt !== null || !(await hasLane(context, record))) return undefined;
  const { timeoutMs: leaseMs } = body;
  const request = { kind: taskKind, queue, lane: id, holder, leaseMs, limit: 1 } as const;
  const claim = async (): Promise<Claimed<TaskKind> | undefined> =>
    (await context.ledger.work.claim(request)).records[0];
  let claimed = await claim();
  if (claimed !== undefined && nextStep(claimed, undefined, context.now()) === "turn") {
    claimed = (await hasTurn(context, claimed)) ? await claim() : undefined;
  }
  if (claimed === undefined || attemptOf(claimed) <= (body.retry?.attempts ?? 1)) return claimed;
  await endTask(context, claimed, null);
  return undefined;
}

/** Runs of one schedule take turns, on nodes and workers alike. */
async function hasTurn(context: Context, claimed: Claimed<TaskKind>): Promise<boolean> {
  const { ledger, now } = context;
  const [byte = 0] = context.randomBytes(1);
  const facts = { now: now(), jitter: byte / 256 };
  const taken = await settle(ledger, claimed, takeTurn(claimed, undefined, facts));
  if (taken === "settled") return true;
  if (taken instanceof DaybookError && taken.code === "held") {
    const name = String(taken.details["name"]);
    await settle(ledger, claimed, waitForTurn(claimed, name, facts));
  } else {
    const { id, lease } = claimed; // it changed meanwhile: the next claim decides again
    await ledger.work.settle([{ id, fence: lease.fence, unstarted: true, wakeAt: facts.now }]);
  }
  return false;
}

/** A claim names a lane to get this task and no other; slots of schedules have no lane of their own yet. */
async function hasLane(context: Context, { id, lane, revision }: WorkersTask): Promise<boolean> {
  if (lane === id) return true;
  try {
    await bookOf(context).edit({ kind: "task", id, ifRevision: revision, lane: id });
    return true;
  } catch (error) {
    if (hasCode(error, "stale", "ended")) return false; // another worker was faster
    throw error;
  }
}

function shown(claimed: Claimed<TaskKind> | undefined): Output {
  return {
    id: claimed?.id ?? null,
    task: claimed === undefined ? null : taskJson(claimed),
    ticket: claimed?.lease.fence ?? null,
    attempt: claimed === undefined ? null : attemptOf(claimed),
    lease_seconds: claimed === undefined ? null : claimed.body.timeoutMs / 1_000,
    lease_until: isoOr(claimed?.wakeAt),
  };
}
