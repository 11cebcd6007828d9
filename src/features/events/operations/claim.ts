import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import type { Claimed } from "../../../kernel/record.ts";
import { DaybookError, hasCode } from "../../../platform/errors.ts";
import { isoOf, fromIso } from "../../../platform/iso-time.ts";
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
import { handlerNamed, noHandler, handlingIn } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { waitingFor, endTask, holderOf, claimRefusal, settle, type WorkersTask } from "./worker.ts";

const input = z.strictObject({
  handler: z.string().optional().describe("whose next task, by its name; or name a task by its id"),
  id: z.string().optional().describe("which task, by its id; the handler's next when absent"),
  worker: z
    .string()
    .regex(/^[\w.@-]{1,60}$/)
    .default("worker")
    .describe("who works, for the history"),
  wait_seconds: z.coerce
    .number()
    .min(0)
    .max(20)
    .default(0)
    .describe("how long to wait for one when there is none: at most 20"),
});

const output = z.object({
  id: z.string().nullable(),
  task: z.unknown().describe("the task, as a program on this machine is given it; null: none"),
  ticket: z.number().nullable().describe("say it with every heartbeat and the result"),
  attempt: z.number().nullable(),
  lease_seconds: z.number().nullable(),
  lease_until: z.string().nullable().describe("a heartbeat before this moment keeps it longer"),
});
type Given = z.infer<typeof output>;

const lookMs = 250;

export const claimTask = operation({
  name: "claim_task",
  summary:
    "Take a task of a handler that runs elsewhere, the next or one by its id, to work on it.",
  input,
  output,
  aliases: { task_id: "id" },
  example: { handler: "gen-docs", worker: "docs-1" },
  route: { method: "POST", path: "/v1/tasks/claim", also: "/v1/tasks/{id}/claim" },
  command: { name: "worker claim", positionals: ["handler"] },
  async run({ handler, id, worker, wait_seconds: seconds }, context): Promise<Given> {
    const holder = holderOf(context, worker);
    if (id !== undefined) return given(await claimById(context, id, { holder, handler }));
    if (handler === undefined) {
      throw new DaybookError("invalid", "Name a handler, or a task by its id.");
    }
    const set = handlerNamed(context, handler);
    if (set === undefined) throw noHandler(handler);
    const until = context.now() + seconds * 1_000;
    for (;;) {
      const claimed = await claimNext(context, handler, holder);
      // What was for workers before it had a "run" still is.
      if (claimed === undefined && set.run !== undefined) throw runsHere(handler);
      if (claimed !== undefined || context.now() >= until) return given(claimed);
      await handlingIn(context).pause(Math.min(lookMs, until - context.now()));
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
  const sentence = `${handler} runs here: workers take tasks of handlers without "run".`;
  return new DaybookError("refused", sentence, { details: { handler } });
}

async function claimById(
  context: Context,
  id: string,
  { holder, handler }: { holder: string; handler: string | undefined },
): Promise<Claimed<TaskKind>> {
  const record = await find(bookOf(context), taskKind, id);
  const isAsked = isForWorkers(record) && (handler ?? record.body.name) === record.body.name;
  const claimed = isAsked ? await claimOne(context, record, holder) : undefined;
  if (claimed !== undefined) return claimed;
  throw claimRefusal(await find(bookOf(context), taskKind, id), context.now());
}

async function claimNext(
  context: Context,
  handler: string,
  holder: string,
): Promise<Claimed<TaskKind> | undefined> {
  const book = bookOf(context);
  for await (const id of waitingFor(context, handler)) {
    const record = await book.get(id);
    if (!is(taskKind, record) || !isForWorkers(record)) continue;
    const claimed = await claimOne(context, record, holder);
    if (claimed !== undefined) return claimed;
  }
  return undefined;
}

/** One that was tried as often as it may be ends instead, and is nobody's. */
async function claimOne(
  context: Context,
  record: WorkersTask,
  holder: string,
): Promise<Claimed<TaskKind> | undefined> {
  const { id, queue, body } = record;
  if (record.endedAt !== null || !(await hasLane(context, record))) return undefined;
  const request = {
    kind: taskKind,
    queue,
    lane: id,
    holder,
    leaseMs: body.timeoutMs,
    limit: 1,
  } as const;
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

/** Runs of one schedule take turns, whoever runs them. */
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
    const { id, lease } = claimed; // changed meanwhile: whoever asks next looks at it anew
    await ledger.work.settle([{ id, fence: lease.fence, unstarted: true, wakeAt: facts.now }]);
  }
  return false;
}

/** Slots of schedules are not written into lanes of their own. */
async function hasLane(context: Context, { id, lane, revision }: WorkersTask): Promise<boolean> {
  if (lane === id) return true;
  try {
    await bookOf(context).edit({ kind: "task", id, ifRevision: revision, lane: id });
    return true;
  } catch (error) {
    if (hasCode(error, "stale", "ended")) return false; // somebody else has it by now
    throw error;
  }
}

function given(claimed: Claimed<TaskKind> | undefined): Given {
  if (claimed === undefined) {
    const none = { attempt: null, lease_seconds: null, lease_until: null };
    return { id: null, task: null, ticket: null, ...none };
  }
  const { id, lease, wakeAt, body } = claimed;
  return {
    id,
    task: taskJson(claimed),
    ticket: lease.fence,
    attempt: attemptOf(claimed),
    lease_seconds: body.timeoutMs / 1_000,
    lease_until: isoOf(wakeAt),
  };
}
