import type { DatabaseSync } from "node:sqlite";
import { bookVerbs, type Engine, type Verb, type Verbs, workVerbs } from "../../kernel/verbs.ts";
import {
  DaybookError,
  type ErrorData,
  fromErrorData,
  messageOf,
  toErrorData,
} from "../../platform/errors.ts";
import type { Ids } from "../../platform/ids.ts";
import { type DatabaseOptions, openDatabase } from "./database.ts";
import { faultOf, isFull } from "./faults.ts";
import { statements } from "./statements.ts";
import { RunAgain, type Step, transactions } from "./transactions.ts";
import { type StoreVerbs, storeVerbs } from "./verbs.ts";

export interface EngineOptions {
  now: () => number;
  ids: Ids;
  /** For crash tests. */
  onStep?: (step: Step) => void;
}

export type Call = { readonly [V in Verb]: readonly [verb: V, input: Verbs[V]["input"]] }[Verb];
export type Answer = { readonly answer: unknown } | { readonly error: ErrorData };

export interface SqliteEngine extends Engine {
  /** Many calls in one transaction, each with its own answer. A call that throws writes nothing. */
  batch(calls: readonly Call[]): readonly Answer[];
  /** Changes when another connection, of this process or another, has committed. */
  dataVersion(): number;
  /** A commit failed: nothing more is written until the file is opened again. */
  isBroken(): boolean;
  close(): void;
}

const readers: ReadonlySet<Verb> = new Set(["get", "list", "changes", "read", "inQueue", "stats"]);

/** The synchronous store in a file, or in ":memory:". */
export function sqliteEngine(
  options: EngineOptions & DatabaseOptions & { path: string },
): SqliteEngine {
  return engineOver(openDatabase(options.path, options), options);
}

/** Every call is a transaction; `batch` makes many calls one. */
export function engineOver(database: DatabaseSync, options: EngineOptions): SqliteEngine {
  const sql = statements(database);
  const work = transactions(database, sql, options.onStep);
  const verbs = storeVerbs(sql, work, options.ids);
  const version = sql.one<{ data_version: number }>("pragma data_version");
  const { batch, isBroken } = commitBatches(work, (call) => perform(verbs, call, options.now()));
  return {
    ...verbsOver(batch),
    batch,
    isBroken,
    takeHints: work.takeHints,
    dataVersion: () => version()?.data_version ?? 0,
    close() {
      if (database.isOpen) database.close();
    },
  };
}

function commitBatches(
  work: ReturnType<typeof transactions>,
  run: (call: Call) => unknown,
): Pick<SqliteEngine, "batch" | "isBroken"> {
  let broken: DaybookError | undefined;

  const attempt = (call: Call): Answer => {
    try {
      return { answer: run(call) };
    } catch (error) {
      // A refusal is thrown before the first write, or after a rollback of the unit.
      if (error instanceof DaybookError && error.code !== "bug")
        return { error: toErrorData(error) };
      throw error;
    }
  };
  const commit = (): void => {
    try {
      work.commit();
    } catch (error) {
      work.rollback();
      if (isFull(error)) throw error; // nothing was written
      // A failed fsync must not be tried again: the state of the disk is unknown until a restart.
      broken = new DaybookError("unavailable", "A commit failed: check the disk, then restart.");
      throw lost(error);
    }
  };
  const batch = (calls: readonly Call[]): readonly Answer[] => {
    try {
      if (broken !== undefined) throw broken;
      work.begin(calls.some(writes));
      const answers = calls.map(attempt);
      work.flush();
      commit();
      return answers;
    } catch (error) {
      work.rollback();
      if (error instanceof RunAgain) return batch(calls);
      const fault = faultOf(error);
      // A bug in one call must not fail the others: they run again one by one.
      if (fault.code === "bug" && calls.length > 1) return calls.flatMap((call) => batch([call]));
      return calls.map(() => ({ error: toErrorData(fault) }));
    }
  };
  return { batch, isBroken: () => broken !== undefined };
}

/** A claim with the limit 0 only reads the time. */
function writes([verb, input]: Call): boolean {
  return verb === "claim" ? input.limit > 0 : !readers.has(verb);
}

function lost(cause: unknown): DaybookError {
  return new DaybookError(
    "unknown",
    `The commit failed, so the write may or may not be on the disk: restart and check. (${messageOf(cause)})`,
    { cause },
  );
}

/** The verb is looked up by the name in the call, so input and answer belong together. */
export function perform(verbs: StoreVerbs, [verb, input]: Call, now: number): unknown {
  return (verbs[verb] as (input: unknown, now: number) => unknown)(input, now);
}

function verbsOver(batch: SqliteEngine["batch"]): Omit<Engine, "takeHints"> {
  const one = (verb: Verb) => (input: unknown) => {
    const [result] = batch([[verb, input] as Call]);
    if (result === undefined || "error" in result) {
      throw result ? fromErrorData(result.error) : new DaybookError("bug", "No answer.");
    }
    return result.answer;
  };
  const verbs = [...bookVerbs, ...workVerbs];
  return Object.fromEntries(verbs.map((verb) => [verb, one(verb)])) as Engine;
}
