import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import { postgresServer } from "../postgres/server.ts";
import { crashAtEachStep, killAt } from "./crash-points.ts";
import {
  fileLedgers,
  postgresLedgers,
  sqliteLedgers,
  timeAt,
  type Content,
  type Ledgers,
} from "./ledgers.ts";
import { leaseMs, startedAt, type OnStep } from "./node.ts";

/** Work in which a node is killed at each step, and which another node finishes. */
interface CrashTest<Row> {
  /** The file that calls this: it runs again as the process that is killed. */
  readonly script: string;
  readonly content: Content<Row>;
  /** The output of a run cannot be read from the file store's journal: a test that checks it leaves that store out. */
  readonly stores: readonly ("SQLite" | "file" | "PostgreSQL")[];
  /** Works on a ledger until nothing is left. `isFirst`: this node is the one that is killed. */
  work(node: {
    readonly location: string;
    readonly logPath: string;
    readonly time: Float64Array;
    readonly onStep: OnStep;
    readonly isFirst: boolean;
  }): Promise<void>;
  /** When the second node starts. Default: when the lease of the first one has lapsed. */
  readonly finishAt?: number;
  /** Checks the finished ledger without the store's own code. */
  check(rows: readonly Row[], logPath: string): void | Promise<void>;
  /** The crashes that there must be at each step, at least; a sample has those of them that it planned. */
  readonly steps: Readonly<Record<string, number>>;
}

/** Registers one test for each store that outlives its process. */
export async function crashOnEachStore<Row>(
  sentence: string,
  crashTest: CrashTest<Row>,
): Promise<void> {
  const [, , role, location = "", logPath = "", last = ""] = process.argv;
  if (role === "work") {
    const time = timeAt(startedAt);
    const onStep = killAt(last, time);
    return crashTest.work({ location, logPath, time, onStep, isFirst: true });
  }
  const server = await postgresServer();
  after(() => ("missing" in server ? undefined : server.stop()));
  const ledgersOf = {
    SQLite: (folder: string) => sqliteLedgers(folder, crashTest.content),
    file: (folder: string) => fileLedgers(folder, crashTest.content),
    PostgreSQL() {
      assert.ok(!("missing" in server));
      return postgresLedgers(server, crashTest.content);
    },
  };
  for (const [nth, store] of crashTest.stores.entries()) {
    const skip = store === "PostgreSQL" && "missing" in server && server.missing;
    void test(`${store}: ${sentence}`, { skip }, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), "daybook-"));
      const sampleShift = nth / crashTest.stores.length;
      const crashed = crash(t, folder, ledgersOf[store](folder), { ...crashTest, sampleShift });
      await crashed.finally(() => rmSync(folder, { recursive: true }));
    });
  }
}

async function crash<Row>(
  t: TestContext,
  folder: string,
  ledgers: Ledgers<Row>,
  { script, work, finishAt, check, steps, sampleShift }: CrashTest<Row> & { sampleShift: number },
): Promise<void> {
  const counts = await crashAtEachStep(t, folder, {
    script,
    sampleShift,
    create: ledgers.create,
    finish(location, logPath, crashedAt = startedAt) {
      const time = timeAt(finishAt ?? crashedAt + leaseMs);
      return work({ location, logPath, time, onStep: () => undefined, isFirst: false });
    },
    check: async (location, logPath) => check(await ledgers.read(location), logPath),
  });
  for (const [step, least] of Object.entries(steps)) {
    const { reached = 0, planned = 0, crashed = 0 } = counts.get(step) ?? {};
    assert.ok(reached >= least, `${step}: reached ${reached} times of ${least}`);
    const leastCrashes = Math.min(least, planned);
    assert.ok(crashed >= leastCrashes, `${step}: ${crashed} crashes of ${leastCrashes}`);
  }
}
