import { ledgerClosed } from "../../kernel/ledger-errors.ts";
import type { Answers, Perform, Verb, Verbs } from "../../kernel/verbs.ts";
import { rollBack, type Model } from "../memory/model.ts";
import type { Entry } from "./journal-entry.ts";

interface Waiting {
  run(): void;
  /** An upper bound of the bytes that it writes. */
  readonly weight: number;
  /** Answers the call with the result or the error of `run`. */
  answer(): void;
  reject(error: unknown): void;
}

export interface GroupCommit {
  perform: Perform;
  /** Runs a function in a commit like a verb. It must write all or nothing. */
  run<T>(call: () => T): Promise<T>;
  /** Refuses new calls. Resolves when the running ones have their answers. */
  close(): Promise<void>;
}

interface Parts {
  model: Model;
  answers: Answers;
  /** Resolves when the entry (which may be empty) is on the disk. */
  commit(entry: Entry): Promise<void>;
  /** After a commit, before its answers. */
  committed(entry: Entry): void;
  /** After a commit's answers, before the next one. */
  between(): void;
}

/** Limits of one commit: it must not hold the event loop for long. */
const callsMax = 500;
const weightMax = 8_000_000;

/**
 * Group commit without a delay: all calls made while the disk writes a commit share the next one. No call reads the
 * model between a write and its commit.
 */
export function groupCommit(parts: Parts): GroupCommit {
  const { model } = parts;
  const queue: Waiting[] = [];
  let running: Promise<void> | undefined;
  let closed = false;

  const commitGroup = async (group: readonly Waiting[]): Promise<void> => {
    try {
      for (const waiting of group) waiting.run();
      const facts = model.writes.flatMap(({ fact }) => fact ?? []);
      const entry = { seq: model.seq, facts };
      await parts.commit(entry);
      model.writes.length = 0;
      parts.committed(entry);
      for (const waiting of group) waiting.answer();
    } catch (error) {
      rollBack(model, 0);
      for (const { reject } of group) reject(error);
    }
    parts.between();
  };
  const runAll = async (): Promise<void> => {
    await Promise.resolve(); // calls of the same turn share a commit
    while (queue.length > 0) await commitGroup(queue.splice(0, groupSize(queue)));
    running = undefined;
  };
  const enqueue = <T>(weight: number, call: () => T): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      let answer = (): void => undefined;
      const run = (): void => {
        try {
          const result = call();
          answer = () => resolve(result);
        } catch (error) {
          answer = () => reject(error); // the model has rolled back
        }
      };
      queue.push({ run, answer: () => answer(), reject, weight });
      running ??= runAll();
    });
  return {
    async perform<V extends Verb>(verb: V, input: Verbs[V]["input"]) {
      if (closed) throw ledgerClosed();
      const { copy, weight } = copied(verb, input);
      return enqueue(weight, () => parts.answers[verb](copy));
    },
    async run(call) {
      if (closed) throw ledgerClosed();
      return enqueue(0, call);
    },
    async close() {
      closed = true;
      await running;
    },
  };
}

/** A copy, so that later changes by the caller have no effect. Input that is not JSON fails alone. */
function copied<V extends Verb>(
  verb: V,
  input: Verbs[V]["input"],
): { copy: Verbs[V]["input"]; weight: number } {
  if (verb === "write") {
    const chunk = input as Verbs["write"]["input"];
    const copy = { ...chunk, bytes: new Uint8Array(chunk.bytes) };
    return { copy, weight: chunk.bytes.length * 2 };
  }
  const text = JSON.stringify(input);
  return { copy: JSON.parse(text) as Verbs[V]["input"], weight: text.length };
}

function groupSize(queue: readonly Waiting[]): number {
  const first = queue.slice(0, callsMax);
  let sum = 0;
  const over = first.findIndex(({ weight }) => {
    sum += weight;
    return sum > weightMax;
  });
  return over === -1 ? first.length : Math.max(over, 1);
}
