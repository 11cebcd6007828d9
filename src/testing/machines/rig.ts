import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import type { TestContext } from "node:test";
import type { StartContext, Machines, MachineSpec } from "../../features/workspaces/machines.ts";
import { systemClock } from "../../platform/clock.ts";
import { DaybookError, type ErrorCode } from "../../platform/errors.ts";
import { ids } from "../../platform/ids.ts";
import type { ProgramEnd, ProgramRun } from "../../platform/process.ts";
import { systemRandom } from "../../platform/random.ts";

/** Machines under test, and interventions from outside. */
export interface MachinesRig {
  readonly machines: Machines;
  /** Another node with the same engine. */
  readonly other: Machines;
  /** The image of machines; it has `/bin/sh` with `cat`, `sleep`, `kill`, `ln`, `mkdir`, `touch` and `env`. */
  readonly imageRef: string;
  /** Kills a machine from outside, as a crash would. Resolves when it has ended. */
  kill(id: string): Promise<void>;
  /** Creates a foreign object with the workspace's name; the answer throws if it was touched. Absent: names cannot clash. */
  occupy?(id: string, what: "machine" | "volume"): Promise<() => Promise<void>>;
  /** Machines of an engine that does not answer. Absent: there is no engine. */
  unreachable?(): Promise<Machines>;
  /** The expected `details.endpoint`. */
  readonly endpoint?: string;
}

export type MakeMachines = (t: TestContext) => MachinesRig | Promise<MachinesRig>;

/** Longer than any call takes on a slow machine. */
const patienceMs = 30_000;

const nextId = ids(systemClock(), systemRandom());

/** One workspace, removed when its case ends. */
export interface Bench extends MachinesRig {
  readonly id: string;
  readonly spec: MachineSpec;
  readonly volume: { readonly id: string; readonly owner: string };
  readonly signal: AbortSignal;
  readonly fixture: StartContext;
  /** Runs a script in the machine. */
  sh(script: string, given?: Partial<ProgramRun>): Promise<ProgramEnd>;
  /** The output of a script that must succeed. */
  printed(script: string, given?: Partial<ProgramRun>): Promise<string>;
  /** Creates the volume and starts the machine. */
  running(): Promise<void>;
}

export async function benchOf(t: TestContext, make: MakeMachines): Promise<Bench> {
  const rig = await make(t);
  const id = nextId();
  const { signal } = new AbortController();
  const volume = { id, owner: "me" };
  const limits = { memoryMb: 256, cpus: 1, pids: 128 };
  const spec = { ...volume, name: "bench", imageRef: rig.imageRef, limits };
  const fixture = { signal, progress: () => undefined };
  t.after(() => tidy(rig.machines, id));
  const sh: Bench["sh"] = (script, given = {}) =>
    inTime(rig.machines.exec(id)(programOf(script, { signal, ...given })), script);
  return {
    ...rig,
    id,
    spec,
    volume,
    signal,
    fixture,
    sh,
    async printed(script, given) {
      const end = await sh(script, given);
      assert.ok(end.started && end.status === 0, `${script}: ${JSON.stringify(end)}`);
      return end.output;
    },
    async running() {
      await rig.machines.volumes.provision(volume, signal);
      await rig.machines.start(spec, fixture);
    },
  };
}

async function tidy(machines: Machines, id: string): Promise<void> {
  const { signal } = new AbortController();
  try {
    await machines.remove(id, signal);
    await machines.volumes.remove(id, signal);
  } catch (error) {
    // The test that created a foreign object removes it.
    if (!(error instanceof DaybookError) || error.code !== "refused") throw error;
  }
}

export function programOf(script: string, given: Partial<ProgramRun>): ProgramRun {
  return {
    file: "/bin/sh",
    args: ["-c", script],
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    input: "",
    bytesMax: 1_000_000,
    signal: new AbortController().signal,
    ...given,
  };
}

/** The promise rejects with a `DaybookError` of one of these codes, if any, and a sentence. */
export async function assertThrows(
  run: Promise<unknown>,
  ...codes: ErrorCode[]
): Promise<DaybookError> {
  const error: unknown = await inTime(run, "a call that must throw").then(
    (answer) => assert.fail(`it answered ${JSON.stringify(answer)}`),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof DaybookError, `not a DaybookError: ${String(error)}`);
  assert.ok(codes.length === 0 || codes.includes(error.code), `${error.code}: ${error.message}`);
  assert.match(error.message, /\S+ \S+ .*\.$/su, "the message is a sentence with advice");
  return error;
}

export function assertNoListener(signal: AbortSignal): void {
  assert.equal(getEventListeners(signal, "abort").length, 0, "a listener is left on the signal");
}

/** Rejects if the promise takes too long, even for a busy machine. */
export async function inTime<T>(promise: Promise<T>, what: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`not settled after ${patienceMs} ms: ${what}`)),
    patienceMs,
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Collects output until it contains this text. */
export function outputWith(words: string): {
  found: Promise<void>;
  onOutput: NonNullable<ProgramRun["onOutput"]>;
  text(): string;
} {
  const { promise: found, resolve } = Promise.withResolvers<void>();
  let text = "";
  return {
    found,
    onOutput(more) {
      text += more;
      if (text.includes(words)) resolve();
    },
    text: () => text,
  };
}
