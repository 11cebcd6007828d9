import type { LeaseHandle } from "../../kernel/controller.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Clock } from "../../platform/clock.ts";
import { withDeadline } from "../../platform/deadline.ts";
import { messageOf } from "../../platform/errors.ts";
import { present } from "../../platform/json.ts";
import { cut, harmless } from "../../platform/text.ts";
import { attemptOf, type NotifyPolicy, outputStream, type TaskKind } from "./kind.ts";
import { messageCharsMax } from "./notice.ts";
import { type Completed, withoutMarker } from "./notify-marker.ts";
import { timedOutMark, type RunAttempt, type RunResult, emptyOutcome } from "./outcome.ts";
import { outputOf, type Output } from "./output.ts";
import { progressOf } from "./progress.ts";
import type { Job, Ran, RunContext, Runner } from "./runner.ts";
import { taskJson } from "./task-event.ts";

type Task = Claimed<TaskKind>;

interface AttemptOptions {
  ledger: Ledger;
  clock: Clock;
  outputBytesMax: number;
}

/** How long a runner may take to return after its signal aborted. */
const graceMs = 10_000;
const progressCharsMax = 200;

/** Makes one attempt, in a workspace if it has one. The output is durable when this resolves. */
type MakeAttempt = (workspaceId?: string) => Promise<RunAttempt>;

/** Reads everything that an attempt needs, so that the attempt starts at once when it is made. */
export function attemptWith(
  runner: Runner,
  options: AttemptOptions,
): (record: Task, handle: LeaseHandle<TaskKind>) => Promise<MakeAttempt> {
  const { clock } = options;
  return async (record, handle) => {
    const output = await openOutput(record, handle, options);
    return (workspaceId) =>
      makeAttempt(runner, jobFrom(record, workspaceId), { record, handle, output, clock });
  };
}

interface OpenAttempt {
  record: Task;
  handle: LeaseHandle<TaskKind>;
  output: Output;
  clock: Clock;
}

async function makeAttempt(runner: Runner, job: Job, open: OpenAttempt): Promise<RunAttempt> {
  const { record, handle, output, clock } = open;
  const startedAt = record.lease.claimedAt;
  const progress = progressOf(clock, (text) =>
    handle.save({ ...(record.outcome ?? emptyOutcome), startedAt, progress: text }, text),
  );
  const context = {
    write: output.write,
    progress: (text: string) => progress.report(cut(harmless(text), progressCharsMax)),
  };
  const ran = await run(runner, job, { context, handle, clock });
  await progress.end();
  if (ran.result === "completed") writeText(ran, output, record.body.slot?.notify);
  return present({ ran, startedAt, output: await output.end(), callback: job.callback });
}

/**
 * The text of the result is the output of a run that wrote none. Beside other output it stands below a line, if it is
 * too long for a message: a channel sends all of it from there.
 */
function writeText(ran: Completed, output: Output, policy: NotifyPolicy | undefined): void {
  const nothing = { bytes: 0, isCut: false, isMarked: false, text: "" };
  if (output.isEmpty()) return output.write(withoutMarker(undefined, ran, nothing).message);
  const { message } = withoutMarker(policy, ran, nothing);
  if (cut(message, messageCharsMax) !== message) output.write(`\n--- result ---\n${message}`);
}

interface RunParts {
  context: Omit<RunContext, "signal">;
  handle: LeaseHandle<TaskKind>;
  clock: Clock;
}

/** Runs the job until it ends, its time is up or the lease is over. */
async function run(
  runner: Runner,
  job: Job,
  { context, handle, clock }: RunParts,
): Promise<RunResult> {
  // Reading took time: another node may hold the lease by now.
  if (handle.signal.aborted || !handle.isTrusted()) return { result: "stopped" };
  let isOverdue = false;
  const deadline = { clock, timeoutMs: job.timeoutMs, graceMs, signal: handle.signal };
  const answer = await withDeadline(deadline, (stop) => {
    stop.addEventListener("abort", () => (isOverdue = !handle.signal.aborted), { once: true });
    return Promise.try(() =>
      runner.run(job, { ...context, signal: withReason(stop, handle.signal) }),
    );
  }).catch((error: unknown): { done: Ran } => ({
    done: { result: "failed", reason: messageOf(error) },
  }));
  const ran = "done" in answer ? storable(answer.done) : undefined;
  if (ran !== undefined && ran.result !== "failed") return ran;
  if (isOverdue) return timedOut(job, ran);
  if (!handle.signal.aborted) return ran ?? { result: "stopped" };
  return present({ result: "stopped", usage: ran?.usage });
}

/** JSON has no endless number: the pause would be read back as null. */
function storable(ran: Ran): Ran {
  if (ran.result !== "failed") return ran;
  const { retryAfterMs = Number.NaN, ...rest } = ran;
  if (Number.isNaN(retryAfterMs)) return rest;
  return { ...rest, retryAfterMs: Math.min(Math.max(retryAfterMs, 0), Number.MAX_SAFE_INTEGER) };
}

function timedOut(job: Job, ran: (Ran & { result: "failed" }) | undefined): RunResult {
  const time = `${timedOutMark} ${job.timeoutMs / 1_000} s`;
  if (ran === undefined) return { result: "failed", reason: `${time}, and did not stop when told` };
  // The reason of the runner may repeat that time is up; its progress may follow.
  const rest = ran.reason.replace(/^time is up\s*/, "");
  return { ...ran, reason: rest === "" ? time : `${time}: ${rest}` };
}

/** The same signal with a reason: that time is up, or why the lease is over. */
function withReason(stop: AbortSignal, lease: AbortSignal): AbortSignal {
  const own = new AbortController();
  const abort = (): void => own.abort(lease.aborted ? lease.reason : stop.reason);
  if (stop.aborted) abort();
  else stop.addEventListener("abort", abort, { once: true });
  return own.signal;
}

async function openOutput(
  record: Task,
  handle: LeaseHandle<TaskKind>,
  { ledger, clock, outputBytesMax }: AttemptOptions,
): Promise<Output> {
  const { id, owner, by, lease, body } = record;
  const query = { id, stream: outputStream, offset: 0, limit: 1 };
  const before = lease.fence === 1 ? 0 : (await ledger.of(owner, by).read(query)).size;
  const attempt = attemptOf(record);
  return outputOf({
    clock,
    bytesMax: outputBytesMax,
    heading: attempt > 1 ? `${before > 0 ? "\n" : ""}--- attempt ${attempt} ---\n` : "",
    readsMarker: body.slot?.notify === "conditional",
    before,
    send: (bytes) => handle.write(outputStream, bytes),
  });
}

function jobFrom(record: Task, workspaceId: string | undefined): Job {
  const { id, owner, by, body, outcome } = record;
  const event = body.event === undefined ? undefined : taskJson(record);
  return present({
    id,
    owner,
    by,
    // A handler's function without an input of its own gets the task.
    input: body.input ?? event ?? null,
    event,
    attempt: attemptOf(record),
    target: body.target,
    origin: body.origin,
    timeoutMs: body.timeoutMs,
    answers: body.answers ?? [],
    slot: body.slot,
    workspaceId,
    callback: outcome?.callback,
  });
}
