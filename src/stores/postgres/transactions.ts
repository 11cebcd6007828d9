import { DaybookError } from "../../platform/errors.ts";
import type { Executor } from "./executors.ts";
import { isLost, lostAnswer } from "./faults.ts";

/** An open transaction, as the verbs see it. */
export interface Session extends Executor {
  /** The store's clock, read once. */
  now(): Promise<number>;
  /** Something in the queue may become due sooner. Sent only after the commit. */
  hint(queue: string): void;
  /** Runs one unit. If it throws, none of its writes stay. A unit that lost a race runs again. */
  unit<T>(run: () => Promise<T>): Promise<T>;
}

/** Thrown within a unit when another transaction took a name or an id between check and write. */
class LostRace extends Error {}

export function lostRace(): Error {
  return new LostRace("Another transaction was first: the store runs the unit again.");
}

export function isLostRace(error: unknown): boolean {
  return error instanceof LostRace;
}

/** A race is lost only to a transaction that has committed, so this ends. The bound is for bugs. */
const triesMax = 100;

export function sessionOver(executor: Executor): Session & { hinted: string[] } {
  const hinted: string[] = [];
  let time: Promise<number> | undefined;

  const attempt = async <T>(run: () => Promise<T>): Promise<T> => {
    const count = hinted.length;
    await executor.query("savepoint unit", []);
    try {
      const answer = await run();
      await executor.query("release savepoint unit", []);
      return answer;
    } catch (error) {
      hinted.length = count;
      // Only errors of the store leave the transaction usable. A fault of the server ends it.
      if (error instanceof DaybookError || error instanceof LostRace) {
        await executor.query("rollback to savepoint unit", []);
        await executor.query("release savepoint unit", []);
      }
      throw error;
    }
  };
  return {
    hinted,
    query: (text, params) => executor.query(text, params),
    now: () => (time ??= readNow(executor)),
    hint: (queue) => void hinted.push(queue),
    async unit(run) {
      for (let tries = 1; tries < triesMax; tries += 1) {
        try {
          return await attempt(run);
        } catch (error) {
          if (!(error instanceof LostRace)) throw error;
        }
      }
      throw new DaybookError("busy", "Too many transactions write the same names: try again.");
    },
  };
}

/** Runs in a transaction. A connection that breaks before the commit is sent has written nothing. */
export async function transaction<T>(sql: Executor, run: () => Promise<T>): Promise<T> {
  let committing = false;
  try {
    await sql.query("begin isolation level read committed", []);
    const answer = await run();
    committing = true;
    await sql.query("commit", []);
    return answer;
  } catch (error) {
    if (isLost(error)) throw committing ? lostAnswer(error) : error;
    await sql.query("rollback", []).catch(() => undefined);
    throw error;
  }
}

async function readNow(executor: Executor): Promise<number> {
  const [row] = await executor.query("select daybook.now_ms() as now", []);
  return Number(row?.["now"]);
}
