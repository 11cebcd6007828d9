import { AsyncLocalStorage } from "node:async_hooks";
import { seededRandom, type Random } from "../../platform/random.ts";
import { traceOf, type Trace } from "./trace.ts";

/** One life of a virtual machine. A crash ends it; a restart is another life with an empty memory. */
export interface VirtualProcess {
  readonly name: string;
  readonly generation: number;
  /** A restart has another one: `node-0.2`. */
  readonly label: string;
  alive: boolean;
  /** Runs something as code of this life. */
  readonly enter: (run: () => void) => void;
  /** Nothing of it runs before this time (SIGSTOP, a long collection, a closed lid). */
  pausedUntil: number;
}

export function processName(process: VirtualProcess | undefined | null): string {
  return process?.label ?? "-";
}

/** Virtual time: one queue of completions, one run at a time, in an order that the seed alone decides. */
export interface Kernel {
  readonly trace: Trace;
  now(): number;
  /** A stream of chance of its own, so that one part's draws never shift another's. */
  randomFor(salt: number): Random;
  /** Runs something later in a life (by default the one that asks); the answer cancels it. */
  after(ms: number, what: string, run: () => void, process?: VirtualProcess | null): () => void;
  /** Begins a life; `start` is its first code. */
  spawn(name: string, start: (process: VirtualProcess) => void): VirtualProcess;
  /** Runs something in a life now, as a signal to its process does. */
  within(process: VirtualProcess, run: () => void): void;
  crash(process: VirtualProcess): void;
  pause(process: VirtualProcess, ms: number): void;
  /** Completes one thing after another until nothing is left, the time is reached, or `done` says so. */
  runUntil(until: number, done?: () => boolean): Promise<void>;
  events(): number;
}

const contexts = new AsyncLocalStorage<VirtualProcess>();
/** The one that nobody has trapped: the kernel waits by it. */
const { nextTick } = process;

/** Which life the running code belongs to; undefined for the kernel and whatever is outside it. */
export function currentProcess(): VirtualProcess | undefined {
  return contexts.getStore();
}

function newProcess(name: string, generation: number): VirtualProcess {
  const state = { name, generation, label: `${name}.${generation}`, alive: true, pausedUntil: 0 };
  const process: VirtualProcess = { ...state, enter: () => undefined };
  // Made once: to begin a context takes longer than most of what is run in one.
  contexts.run(process, () => Object.assign(process, { enter: AsyncLocalStorage.snapshot() }));
  return process;
}

interface Completion {
  at: number;
  tie: number;
  order: number;
  what: string;
  process: VirtualProcess | null;
  run: (() => void) | null;
}

/** Virtual time starts at 2027-01-15T08:00:00Z. */
export const startOfTime = 1_800_000_000_000;

/**
 * Waits until every microtask is done, however many awaits were nested. A tick runs only when the
 * microtasks are drained, and nothing else may use ticks here (the trap sees to it); now and then a
 * whole turn of the event loop lets the outside world (a terminal, a test's time limit) have a look.
 */
function barrier(events: number): Promise<void> {
  return new Promise((resolve) => {
    if (events % 1_000 === 0) setImmediate(resolve);
    else nextTick(resolve);
  });
}

export function kernel(seed: number, keepLines: boolean, startAt = startOfTime): Kernel {
  const ties = seededRandom(seed);
  const trace = traceOf(keepLines);
  const queue: Completion[] = [];
  const generations = new Map<string, number>();
  let now = startAt;
  let order = 0;
  let events = 0;

  const after: Kernel["after"] = (ms, what, run, process = currentProcess() ?? null) => {
    order += 1;
    const completion: Completion = { at: now + ms, tie: ties.bits(), order, what, process, run };
    push(queue, completion);
    return () => {
      completion.run = null;
    };
  };
  /** Runs the next completion; false when it was cancelled, belonged to a dead life, or had to wait. */
  const complete = (next: Completion): boolean => {
    const { run, process } = next;
    if (run === null || process?.alive === false) return false;
    if (process !== null && process.pausedUntil > now) {
      next.at = process.pausedUntil;
      push(queue, next);
      return false;
    }
    events += 1;
    trace.add(now, processName(process), next.what);
    if (process === null) run();
    else process.enter(run);
    return true;
  };

  return {
    trace,
    after,
    now: () => now,
    randomFor: (salt) => seededRandom(seed + salt * 2 ** 32),
    events: () => events,
    spawn(name, start) {
      const generation = (generations.get(name) ?? 0) + 1;
      generations.set(name, generation);
      const process = newProcess(name, generation);
      process.enter(() => start(process));
      return process;
    },
    within: (process, run) => process.enter(run),
    crash(process) {
      process.alive = false;
    },
    pause(process, ms) {
      process.pausedUntil = now + ms;
    },
    async runUntil(until, done) {
      await barrier(0);
      for (let next = queue[0]; next !== undefined && next.at <= until; next = queue[0]) {
        pop(queue);
        now = Math.max(now, next.at);
        if (!complete(next)) continue;
        await barrier(events);
        if (done?.()) return;
      }
      if (queue[0] !== undefined) now = Math.max(now, until);
    },
  };
}

function before(a: Completion, b: Completion): boolean {
  if (a.at !== b.at) return a.at < b.at;
  return a.tie === b.tie ? a.order < b.order : a.tie < b.tie;
}

function push(heap: Completion[], item: Completion): void {
  let at = heap.length;
  heap.push(item);
  while (at > 0) {
    const up = (at - 1) >> 1;
    const parent = heap[up];
    if (parent === undefined || !before(item, parent)) break;
    heap[at] = parent;
    at = up;
  }
  heap[at] = item;
}

function pop(heap: Completion[]): void {
  const item = heap.pop();
  if (item === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let down = 2 * at + 1;
    const left = heap[down];
    const right = heap[down + 1];
    if (left === undefined) break;
    if (right !== undefined && before(right, left)) down += 1;
    const child = heap[down];
    if (child === undefined || !before(child, item)) break;
    heap[at] = child;
    at = down;
  }
  heap[at] = item;
}
