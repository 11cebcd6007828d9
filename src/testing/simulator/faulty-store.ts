import type { Engine, Transport, Verb, Verbs } from "../../kernel/verbs.ts";
import type { Claim } from "../../kernel/work-unit.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow } from "../chance.ts";
import type { Faults } from "./faults.ts";
import type { Kernel, VirtualProcess } from "./kernel.ts";
import type { Marks } from "./marks.ts";

/** One call as the store saw it, at the moment it was carried out. */
export type StoreCall = {
  [V in Verb]: {
    readonly verb: V;
    readonly input: Verbs[V]["input"];
    readonly answer: Verbs[V]["answer"] | undefined;
    /** Set when the store refused. */
    readonly error: unknown;
    readonly process: VirtualProcess;
    /** The caller is never told what happened. */
    readonly isUnanswered: boolean;
  };
}[Verb];

export interface FaultyStoreOptions {
  kernel: Kernel;
  engine: Engine;
  faults: Faults;
  marks: Marks;
  /** Before the engine is asked. */
  beforeCall(verb: Verb, process: VirtualProcess): void;
  /** Hears every call that reached the engine, in the order in which they took effect. */
  recordCall(call: StoreCall): void;
}

export interface FaultyStore {
  /** How one life reaches the store. */
  transport(process: VirtualProcess): Transport;
}

interface Listener {
  queue: string;
  process: VirtualProcess;
  hint(): void;
}

export function faultyStore(options: FaultyStoreOptions): FaultyStore {
  const random = options.kernel.randomFor(2);
  const listeners = new Set<Listener>();
  // The store lives too: what it does by itself is seen by the trap.
  const home = options.kernel.spawn("store", () => undefined);
  const publishHints = (): void => publishHintsTo(options, random, listeners);
  return {
    transport: (process) => ({
      perform: (verb, input) =>
        new Promise((resolve, reject) => {
          // The request is on its way: whether its sender lives or not, it may still arrive.
          const arrive = (): void => {
            if (!process.alive && chance(random, 0.5)) return;
            const { answer, error } = carryOut(options, { verb, input, process, random });
            publishHints();
            const reply = (): void => (error === undefined ? resolve(answer) : reject(error));
            options.kernel.after(
              latencyMs(random, options.faults),
              `${verb} answers`,
              reply,
              process,
            );
          };
          options.kernel.after(latencyMs(random, options.faults), `${verb} arrives`, arrive, home);
        }),
      onHint(queue, hint) {
        const listener: Listener = { queue, process, hint };
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      close: () => Promise.resolve(),
    }),
  };
}

interface Call<V extends Verb> {
  verb: V;
  input: Verbs[V]["input"];
  process: VirtualProcess;
  random: Random;
}

interface Reply<V extends Verb> {
  answer: Verbs[V]["answer"];
  error?: Error;
}

function carryOut<V extends Verb>(options: FaultyStoreOptions, call: Call<V>): Reply<V> {
  const { kernel, faults, marks } = options;
  const { verb, input, process } = call;
  const none = undefined as Verbs[V]["answer"];
  if (chance(call.random, faults.storeDown)) {
    marks.reached(`store down on ${verb}`);
    return { answer: none, error: new DaybookError("unavailable", "The store is down.") };
  }
  if (chance(call.random, faults.busy)) {
    marks.reached("the store was busy");
    return { answer: none, error: new DaybookError("busy", "The store is locked. Try again.") };
  }
  const lost = chance(call.random, faults.commitUnknown);
  const isUnanswered = lost || !process.alive;
  options.beforeCall(verb, process);
  let reply: Reply<V>;
  try {
    const perform = options.engine[verb] as (input: Verbs[V]["input"]) => Verbs[V]["answer"];
    reply = { answer: perform(input) };
  } catch (error) {
    reply = { answer: none, error: error instanceof Error ? error : new Error(messageOf(error)) };
  }
  const summary = reply.error === undefined ? describe(reply.answer) : messageOf(reply.error);
  kernel.trace.add(kernel.now(), process.name, `${verb} ${summary}${lost ? " (answer lost)" : ""}`);
  const { answer, error } = reply;
  options.recordCall({ verb, input, answer, error, process, isUnanswered } as StoreCall);
  if (!lost) return reply;
  marks.reached(`commit unknown on ${verb}`);
  return { answer: none, error: new DaybookError("unknown", "The answer was lost.") };
}

/** Enough of an answer that two runs which differ in it have different hashes. */
function describe(answer: unknown): string {
  if (typeof answer !== "object" || answer === null) return String(answer);
  if (Array.isArray(answer)) return answer.map(describe).join(" ");
  if ("records" in answer && "nextWakeAt" in answer) {
    const { records, nextWakeAt } = answer as Claim;
    const handed = records.map(({ id, lease, attempt }) => `${id}/${lease.fence}/${attempt}`);
    return `${handed.join(" ")} next ${nextWakeAt}`;
  }
  const summary: string[] = [];
  for (const name of summaryFields) {
    if (name in answer) summary.push(String(Reflect.get(answer, name)));
  }
  return summary.join(" ");
}

const summaryFields = [
  "result",
  "id",
  "fresh",
  "state",
  "revision",
  "wakeAt",
  "cancelling",
] as const;

function publishHintsTo(
  { kernel, engine, faults, marks }: FaultyStoreOptions,
  random: Random,
  listeners: ReadonlySet<Listener>,
): void {
  for (const queue of engine.takeHints()) {
    for (const listener of listeners) {
      if (listener.queue !== queue || !listener.process.alive) continue;
      if (chance(random, faults.hintLost)) {
        marks.reached("a hint was lost");
        continue;
      }
      const ms = chance(random, faults.hintSlow) ? intBelow(random, 20_000) : intBelow(random, 3);
      const deliver = (): void => (listeners.has(listener) ? listener.hint() : undefined);
      kernel.after(ms, "hint", deliver, listener.process);
    }
  }
}

function latencyMs(random: Random, faults: Faults): number {
  if (chance(random, faults.storeSlow)) return 200 + intBelow(random, 20_000);
  return 1 + intBelow(random, 4);
}
