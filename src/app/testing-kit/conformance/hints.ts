import assert from "node:assert/strict";
import {
  due,
  fails,
  leased,
  node,
  put,
  start,
  leaseOf,
  wake,
  type Fixture,
  type Test,
} from "./fixture.ts";

export function hintCases(test: Test): void {
  hints(test);
  close(test);
}

function hints(test: Test): void {
  /** Resolves with the next hint of the queue. */
  const hinted = ({ work }: Fixture, queue: string): Promise<void> =>
    new Promise((resolve) => {
      const stop = work.onHint(queue, () => {
        stop();
        resolve();
      });
    });

  test("a queue is hinted when a record in it may have become due", async (fixture) => {
    const { ann, work } = fixture;
    const appended = hinted(fixture, "node");
    const { id } = await put(ann, node({ wakeAt: start + 500, lane: "x" }));
    await appended;
    const woken = hinted(fixture, "node");
    await wake(ann, id);
    await woken;
    await work.move({ queue: "node", lane: "x", to: start + 900, limit: 9 });
    const freed = hinted(fixture, "node");
    await work.move({ queue: "node", lane: "x", to: start, limit: 9 });
    await freed;
    const moved = hinted(fixture, "node@there");
    await ann.edit({ kind: "node", id, queue: "node@there" });
    await moved;
  });

  test("a settle hints its own queue and those of its consequences", async (fixture) => {
    const { work } = fixture;
    const record = await leased(fixture);
    const both = Promise.all([hinted(fixture, "node"), hinted(fixture, "node@there")]);
    const consequences = { append: [due({ queue: "node@there" })] };
    await work.settle([
      { ...leaseOf(record), state: "running", wakeAt: start, consequences: consequences },
    ]);
    await both;
  });

  test("a removed listener receives no more hints", async (fixture) => {
    const { ann, work } = fixture;
    let count = 0;
    const stop = work.onHint("node", () => (count += 1));
    stop();
    const other = hinted(fixture, "node");
    await put(ann, due());
    await other;
    assert.equal(count, 0);
  });
}

function close(test: Test): void {
  test("a closed ledger finishes open calls and rejects later ones", async ({
    ledger,
    ann,
    work,
  }) => {
    const appended = put(ann, node({ id: "a" }));
    await ledger.close();
    assert.equal((await appended).id, "a");
    await fails(ann.get("a"), "closed");
    await fails(work.stats(), "closed");
    await ledger.close();
  });
}
