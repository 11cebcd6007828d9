import type { LeaseHandle } from "../../kernel/controller.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Clock } from "../../platform/clock.ts";
import { withDeadline } from "../../platform/deadline.ts";
import { messageOf } from "../../platform/errors.ts";
import { cut, harmless } from "../../platform/text.ts";
import { attemptOf, outputStream, type TaskKind } from "./kind.ts";
import { withoutMarker } from "./notify-marker.ts";
import { timedOutMark, type RunAttempt, type RunResult, emptyOutcome } from "./outcome.ts";
import { outputOf, type Output } from "./output.ts";
import { progressOf } from "./progress.ts";
import type { Job, Ran, RunContext, Runner } from "./runner.ts";
import { taskJson } from "./task-event.ts";

type Task = Claimed<TaskKind>;

interface OnceOptions {
  ledger: Ledger;
  clock: Clock;
  outputBytesMax: number;
}

/** How long a runner may take to report after its signal aborted. */
const graceMs = 10_000;
const progressCharsMax = 200;

/** Makes one attempt, in a workspace if it has one: its output is durable when this resolves. */
export type MakeAttempt = (workspaceId?: string) => Promise<RunAttempt>;

/** Reads what one attempt needs, so that it begins at once when it is made. */
export function runOnce(
  runner: Runner,
  options: OnceOptions,
): (record: Task, handle: LeaseHandle<TaskKind>) => Promise<MakeAttempt> {
  const { clock } = options;
  return async (record, handle) => {
    const output = await openOutput(record, handle, options);
    return (workspaceId) =>
      makeAttempt(runner, jobFrom(record, workspaceId), { record, handle, output, clock });
  };
}

interface Opened {
  record: Task;
  handle: LeaseHandle<TaskKind>;
  output: Output;
  clock: Clock;
}

async function makeAttempt(runner: Runner, job: Job, opened: Opened): Promise<RunAttempt> {
  const { record, handle, output, clock } = opened;
  const startedAt = record.lease.claimedAt;
  const progress = progressOf(clock, (text) =>
    handle.save({ ...(record.outcome ?? emptyOutcome), startedAt, progress: text }),
  );
  const context = {
    write: output.write,
    progress: (text: string) => progress.tell(cut(harmless(text), progressCharsMax)),
  };
  const ran = await attempt(runner, job, { context, handle, clock });
  await progress.end();
  if (ran.result === "completed" && output.isEmpty()) output.write(resultText(ran));
  const { callback } = job;
  const attempted = { ran, startedAt, output: await output.end() };
  return callback === undefined ? attempted : { ...attempted, callback };
}

/** The text of its result is its output, when it wrote none. */
function resultText(ran: Ran & { result: "completed" }): string {
  return withoutMarker(undefined, ran, { bytes: 0, isCut: false, isMarked: false, text: "" })
    .message;
}

interface At {
  context: Omit<RunContext, "signal">;
  handle: LeaseHandle<TaskKind>;
  clock: Clock;
}

async function attempt(
  runner: Runner,
  job: Job,
  { context, handle, clock }: At,
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
  const ran = "done" in answer ? answer.done : undefined;
  if (ran !== undefined && ran.result !== "failed") return ran;
  if (isOverdue) return timedOut(job, ran);
  if (!handle.signal.aborted) return ran ?? { result: "stopped" };
  return { result: "stopped", ...(ran?.usage === undefined ? {} : { usage: ran.usage }) };
}

function timedOut(job: Job, ran: (Ran & { result: "failed" }) | undefined): RunResult {
  const time = `${timedOutMark} ${job.timeoutMs / 1_000} s`;
  if (ran === undefined) return { result: "failed", reason: `${time}, and did not stop when told` };
  // The runner's own sentence may repeat that time is up; its progress may follow.
  const rest = ran.reason.replace(/^time is up\s*/, "");
  return { ...ran, reason: rest === "" ? time : `${time}: ${rest}` };
}

/** The same signal with a reason: time is up, or why the lease is over. */
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
  { ledger, clock, outputBytesMax }: OnceOptions,
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
  const callback = outcome?.callback;
  const event = body.event === undefined ? undefined : taskJson(record);
  return {
    id,
    owner,
    by,
    // What a handler's function is given when nothing else is set.
    input: body.input ?? event ?? null,
    ...(event === undefined ? {} : { event }),
    attempt: attemptOf(record),
    target: body.target,
    origin: body.origin,
    timeoutMs: body.timeoutMs,
    answers: body.answers ?? [],
    ...(body.slot === undefined ? {} : { slot: body.slot }),
    ...(workspaceId === undefined ? {} : { workspaceId }),
    ...(callback === undefined ? {} : { callback }),
  };
}
