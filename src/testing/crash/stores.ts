import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import { postgresServer } from "../postgres/server.ts";
import {
  fileBooks,
  postgresBooks,
  sqliteBooks,
  timeAt,
  type Books,
  type Content,
} from "./books.ts";
import { dieAt, dieAtEachMoment } from "./deaths.ts";
import { startedAt, type AtMoment } from "./node.ts";
import { leaseMs } from "./playing.ts";

/** Work in which somebody dies at each step, and which another one finishes. */
interface Dying<Row> {
  /** The file that calls this: it is run again as the one who dies. */
  readonly script: string;
  readonly content: Content<Row>;
  /** What a run wrote cannot be read from the file store's journal: a play that looks at it leaves that out. */
  readonly stores: readonly ("SQLite" | "file" | "PostgreSQL")[];
  /** Works in a book until nothing is left. `isFirst`: this is the one who dies. */
  work(life: {
    readonly place: string;
    readonly notes: string;
    readonly time: Float64Array;
    readonly at: AtMoment;
    readonly isFirst: boolean;
  }): Promise<void>;
  /** When the other one begins; else as soon as the dead one's lease is over. */
  readonly finishAt?: number;
  /** An independent look at the end. */
  check(rows: readonly Row[], notes: string): void | Promise<void>;
  /** At least so many deaths at each step; in a sample, those of them that it has. */
  readonly steps: Readonly<Record<string, number>>;
}

/** One test for each store that outlives its process. */
export async function dyingOnEachStore<Row>(sentence: string, dying: Dying<Row>): Promise<void> {
  const [, , role, place = "", notes = "", last = ""] = process.argv;
  if (role === "work") {
    const time = timeAt(startedAt);
    return dying.work({ place, notes, time, at: dieAt(last, time), isFirst: true });
  }
  const server = await postgresServer();
  after(() => ("missing" in server ? undefined : server.stop()));
  const booksOf = {
    SQLite: (folder: string) => sqliteBooks(folder, dying.content),
    file: (folder: string) => fileBooks(folder, dying.content),
    PostgreSQL() {
      assert.ok(!("missing" in server));
      return postgresBooks(server, dying.content);
    },
  };
  for (const [nth, store] of dying.stores.entries()) {
    const skip = store === "PostgreSQL" && "missing" in server && server.missing;
    void test(`${store}: ${sentence}`, { skip }, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), "daybook-"));
      const sampleShift = nth / dying.stores.length;
      const dead = die(t, folder, booksOf[store](folder), { ...dying, sampleShift });
      await dead.finally(() => rmSync(folder, { recursive: true }));
    });
  }
}

async function die<Row>(
  t: TestContext,
  folder: string,
  books: Books<Row>,
  { script, work, finishAt, check, steps, sampleShift }: Dying<Row> & { sampleShift: number },
): Promise<void> {
  const found = await dieAtEachMoment(t, folder, {
    script,
    sampleShift,
    make: books.make,
    finish(place, notes, diedAt = startedAt) {
      const time = timeAt(finishAt ?? diedAt + leaseMs);
      return work({ place, notes, time, at: () => undefined, isFirst: false });
    },
    check: async (place, notes) => check(await books.read(place), notes),
  });
  for (const [step, least] of Object.entries(steps)) {
    const { moments = 0, planned = 0, died = 0 } = found.get(step) ?? {};
    assert.ok(moments >= least, `${step}: ${moments} moments of ${least}`);
    const leastDeaths = Math.min(least, planned);
    assert.ok(died >= leastDeaths, `${step}: ${died} deaths of ${leastDeaths}`);
  }
}
