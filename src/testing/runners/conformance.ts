import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test, type TestContext } from "node:test";
import type { Job, Ran, RunContext, Runner } from "../../features/tasks/runner.ts";

/** A runner under test, and its peer. Each case has its own. */
interface Rig {
  readonly runner: Runner;
  /** A job that completes and prints the lines `one`, `two`, `three`. */
  readonly input: Job["input"];
  /** Makes runs hang. Resolves when the next one has started. */
  hang(): Promise<unknown>;
  /** The input of a hanging run. Default: `input`. */
  readonly hanging?: Job["input"];
  /** Resolves when a run has left nothing behind: no process, no socket. */
  gone(): Promise<unknown>;
  /** The number of runs that have reached the peer. */
  arrivals(): number;
  /** Failures of the peer, and the job for each: none completes, and none throws. */
  readonly faults: Readonly<Record<string, () => Job["input"]>>;
  /** A secret that no reason may repeat; a failing peer should repeat it. */
  readonly secret: string;
}

export type MakeRunnerRig = (t: TestContext) => Rig | Promise<Rig>;

/** Longer than a runner takes to end an aborted run: its own grace, and a slow machine. */
const patienceMs = 10_000;

export function jobOf(input: Job["input"], given: Partial<Job> = {}): Job {
  return {
    id: "01980000-0000-7000-8000-000000000001",
    owner: "me",
    by: "me",
    input,
    attempt: 1,
    target: "inbox:me",
    origin: null,
    timeoutMs: 60_000,
    answers: [],
    ...given,
  };
}

/** The context of a run, which records its output. */
export function runContext(signal: AbortSignal = new AbortController().signal) {
  const written: string[] = [];
  const progress: string[] = [];
  const context: RunContext = {
    signal,
    write: (text) => void written.push(text),
    progress: (text) => void progress.push(text),
  };
  return { context, written, progress, output: () => written.join("") };
}

/** The contract of every runner. */
export function runnerSuite(name: string, make: MakeRunnerRig): void {
  void describe(`${name} as a runner`, () => {
    plainCases(make);
    abortCases(make);
    faultCases(make);
  });
}

/** The reason is one harmless line without secrets. */
function assertReadable(ran: Ran, secret: string): void {
  const text = JSON.stringify(ran);
  assert.deepEqual(JSON.parse(text), ran);
  assert.ok(!text.includes(secret), `a secret leaks: ${text}`);
  if (ran.result !== "failed") return;
  assert.notEqual(ran.reason.trim(), "");
  assert.ok(ran.reason.length <= 1_000, `${ran.reason.length} characters of reason`);
  assert.doesNotMatch(ran.reason, /[\p{Cc}\p{Bidi_Control}]/u);
}

function plainCases(make: MakeRunnerRig): void {
  void test("a job completes, with its output in order", async (t) => {
    const rig = await make(t);
    const { context, output } = runContext();
    const ran = await rig.runner.run(jobOf(rig.input), context);
    assert.equal(ran.result, "completed", JSON.stringify(ran));
    assert.deepEqual(output().split("\n").filter(Boolean), ["one", "two", "three"]);
    assertReadable(ran, rig.secret);
    await rig.gone();
  });
  void test("a finished run leaves no listener, and writes nothing more", async (t) => {
    const rig = await make(t);
    const { context, written } = runContext();
    await rig.runner.run(jobOf(rig.input), context);
    const count = written.length;
    assert.equal(getEventListeners(context.signal, "abort").length, 0);
    await rig.gone();
    assert.equal(written.length, count);
  });
  void test("concurrent runs are independent", async (t) => {
    const rig = await make(t);
    const fixtures = Array.from({ length: 3 }, () => runContext());
    const ends = await Promise.all(
      fixtures.map(({ context }) => rig.runner.run(jobOf(rig.input), context)),
    );
    for (const ran of ends) assert.equal(ran.result, "completed", JSON.stringify(ran));
    for (const { output } of fixtures) {
      assert.deepEqual(output().split("\n").filter(Boolean), ["one", "two", "three"]);
    }
    await rig.gone();
  });
}

function abortCases(make: MakeRunnerRig): void {
  void test("an abort before the run starts nothing", async (t) => {
    const rig = await make(t);
    const { context, output } = runContext(AbortSignal.abort("stopping"));
    const ran = await rig.runner.run(jobOf(rig.input), context);
    assert.ok(ran.result === "failed" && ran.retry !== false, JSON.stringify(ran));
    assert.match(ran.reason, /stopping/);
    assert.equal(rig.arrivals(), 0);
    assert.equal(output(), "");
  });
  for (const why of ["cancelled", "stopping", "the lease is lost", "time is up"]) {
    void test(`an aborted run (${why}) ends with its reason, and leaves nothing`, async (t) => {
      const rig = await make(t);
      const stopping = new AbortController();
      const { context } = runContext(stopping.signal);
      const atWork = rig.hang();
      const running = rig.runner.run(jobOf(rig.hanging ?? rig.input), context);
      await Promise.race([atWork, running]);
      stopping.abort(why);
      const ran = await within(running, "the run was aborted");
      assert.ok(ran.result === "failed" && ran.retry !== false, JSON.stringify(ran));
      assert.ok(ran.reason.includes(why), ran.reason);
      assertReadable(ran, rig.secret);
      await within(rig.gone(), "the run has ended");
      assert.equal(getEventListeners(context.signal, "abort").length, 0);
    });
  }
  void test("a run past its timeout is ended", async (t) => {
    const rig = await make(t);
    const late = new AbortController();
    const { context } = runContext(late.signal);
    const atWork = rig.hang();
    const job = jobOf(rig.hanging ?? rig.input, { timeoutMs: 1_500 });
    const running = rig.runner.run(job, context);
    await Promise.race([atWork, running]);
    // The task controller aborts too: a runner without a clock depends on that.
    const timer = setTimeout(() => late.abort("time is up"), job.timeoutMs + 500);
    t.after(() => clearTimeout(timer));
    const ran = await within(running, "the time is up");
    assert.ok(ran.result === "failed" && ran.reason.includes("time is up"), JSON.stringify(ran));
    await within(rig.gone(), "the run has ended");
  });
}

function faultCases(make: MakeRunnerRig): void {
  void test("no failure completes, throws or repeats a secret", async (t) => {
    const { faults } = await make(t);
    for (const name of Object.keys(faults)) {
      const rig = await make(t);
      const input = rig.faults[name]?.() ?? null;
      const ran = await rig.runner.run(jobOf(input), runContext().context);
      assert.equal(ran.result, "failed", `${name}: ${JSON.stringify(ran)}`);
      assertReadable(ran, rig.secret);
      await rig.gone();
    }
    assert.ok(Object.keys(faults).length > 0, "the rig has at least one failure");
  });
  void test("an unreadable input fails without a retry", async (t) => {
    const rig = await make(t);
    for (const input of [null, 7, "text", [], {}, { command: [], http: 1, agent: "" }]) {
      const ran = await rig.runner.run(jobOf(input), runContext().context);
      assert.ok(ran.result === "failed" && ran.retry === false, JSON.stringify([input, ran]));
      assertReadable(ran, rig.secret);
    }
    assert.equal(rig.arrivals(), 0);
  });
}

/** Rejects if the promise takes too long, even for a busy machine. */
async function within<T>(promise: Promise<T>, since: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`not settled ${patienceMs} ms after ${since}`)),
    patienceMs,
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
