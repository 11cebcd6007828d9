import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { choreKind } from "../../features/nodes/chore.ts";
import type { Draft } from "../../kernel/unit.ts";
import { hasCode } from "../../platform/errors.ts";
import { postgresServer } from "../../testing/postgres/server.ts";
import { postgres, type PostgresLedger } from "./postgres.ts";

const server = await postgresServer();
const skip = "missing" in server ? server.missing : false;
const nodes: PostgresLedger[] = [];
const body = { name: "sweep", everyMs: 1000 };

function chore(more: Partial<Draft> = {}): Draft {
  return { kind: "chore", state: "waiting", body, ...more };
}

/** Four stores over one database, as four processes would be. */
before(async () => {
  if ("missing" in server) return;
  const url = await server.database();
  // All at once: one of them creates the tables.
  nodes.push(
    ...(await Promise.all(Array.from({ length: 4 }, () => postgres({ url, connections: 4 })))),
  );
});

after(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  if (!("missing" in server)) await server.stop();
});

function nodeAt(index: number): PostgresLedger {
  const node = nodes[index % nodes.length];
  assert.ok(node);
  return node;
}

async function times<T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => run(index)));
}

test("a feed that is read during concurrent writes has every change once", { skip }, async () => {
  const perWriter = 100;
  const written = new Set<string>();
  let writing = true;
  const writers = times(8, async (writer) => {
    const book = nodeAt(writer).of("feed", `writer-${writer}`);
    for (let count = 0; count < perWriter; count += 1) {
      const consequences = count % 3 === 0 ? { append: [chore()] } : undefined;
      const { id } = await book.append(chore(), consequences);
      written.add(`${id} appended`);
      if (count % 2 === 0) {
        await book.cancel({ id });
        written.add(`${id} cancelled`);
      }
    }
  }).finally(() => (writing = false));
  const book = nodeAt(3).of("feed", "reader");
  const seen: string[] = [];
  let after = "0-0";
  let last = false;
  while (!last) {
    last = !writing; // one more read after the last commit
    const { changes, cursor } = await book.changes({ after, limit: 50 });
    seen.push(...changes.map(({ id, what }) => `${id} ${what}`));
    if (changes.length > 0) last = false;
    after = cursor;
  }
  await writers;
  assert.equal(new Set(seen).size, seen.length, "the feed repeats a change");
  assert.deepEqual(
    [...written].filter((change) => !seen.includes(change)),
    [],
  );
  assert.equal(seen.length, 8 * (perWriter + Math.ceil(perWriter / 3) + perWriter / 2));
});

test(
  "of sixteen concurrent appends on four nodes for three names, three succeed",
  { skip },
  async () => {
    const oneOf = ["slot#1", "slot#2", "slot#3"];
    const calls = await Promise.allSettled(
      Array.from({ length: 16 }, (_, index) =>
        nodeAt(index)
          .of("slots", "x")
          .append(chore({ holds: [{ oneOf }] })),
      ),
    );
    const refused = calls.flatMap((answer) =>
      answer.status === "rejected" ? [answer.reason] : [],
    );
    assert.equal(refused.length, 13);
    assert.ok(refused.every((error) => hasCode(error, "held")));
    assert.equal((await nodeAt(0).of("slots", "x").list({})).records.length, 3);
  },
);

test("one key appended on four nodes at once is one record", { skip }, async () => {
  for (let round = 0; round < 10; round += 1) {
    const draft = chore({ key: { name: `key-${round}` } });
    const answers = await times(8, (index) => nodeAt(index).of("keys", "x").append(draft));
    assert.equal(new Set(answers.map(({ id }) => id)).size, 1);
    assert.equal(answers.filter(({ fresh }) => fresh).length, 1);
  }
});

test("one id appended on four nodes at once is one record", { skip }, async () => {
  for (let round = 0; round < 10; round += 1) {
    const draft = chore({ id: `id-${round}` });
    const answers = await times(8, (index) => nodeAt(index).of("ids", "x").append(draft));
    assert.equal(answers.filter(({ fresh }) => fresh).length, 1);
  }
});

test("concurrent claims on four nodes are disjoint and complete", { skip }, async () => {
  const queue = "chore@many";
  const append = Array.from({ length: 1000 }, () => chore({ queue, wakeAt: 1 }));
  await nodeAt(0).of("claims", "x").append(chore(), { append });
  const claimed = await times(4, async (index) => {
    const ids: string[] = [];
    for (;;) {
      const request = {
        kind: choreKind,
        queue,
        holder: `w${index}`,
        leaseMs: 60_000,
        limit: 37,
      } as const;
      const { records } = await nodeAt(index).work.claim(request);
      if (records.length === 0) return ids;
      ids.push(...records.map(({ id }) => id));
    }
  });
  assert.equal(claimed.flat().length, 1000);
  assert.equal(new Set(claimed.flat()).size, 1000);
});

test("concurrent settles, edits, cancels and wakes lose no write", { skip }, async () => {
  const queue = "chore@mixed";
  const book = nodeAt(0).of("mixed", "x");
  const ids = await times(30, async () => {
    const { id } = await book.append(chore({ queue, wakeAt: 1 }));
    return id;
  });
  const caller = async (index: number): Promise<void> => {
    const own = nodeAt(index).of("mixed", "caller");
    for (const [position, id] of ids.entries()) {
      const choice = (position + index) % 5;
      const calls =
        choice === 0
          ? own.cancel({ id })
          : own.edit({ kind: "chore", id, note: "edited" }, { wake: [{ id }] });
      await calls.catch((error: unknown) => assert.ok(hasCode(error, "ended"), String(error)));
    }
  };
  const worker = async (index: number): Promise<void> => {
    const { work } = nodeAt(index);
    for (let round = 0; round < 30; round += 1) {
      const lease = { holder: `w${index}`, leaseMs: round % 2 ? 1 : 60_000, limit: 10 };
      const { records } = await work.claim({ kind: choreKind, queue, ...lease });
      await work.settle(
        records.map(({ id, revision, lease: { fence } }) => ({
          id,
          revision,
          fence,
          state: "waiting",
          wakeAt: 1,
          ...(round % 3 === 0 ? { holds: [`own:${id}`] } : {}),
        })),
      );
    }
  };
  await Promise.all([...[0, 1, 2, 3].map(caller), ...[0, 1, 2, 3].map(worker)]);
  for (const id of ids) {
    const record = await book.get(id);
    assert.ok(record);
    const { changes } = await book.changes({ id, limit: 500 });
    // Every revision was written once: no write was lost under another.
    const revisions = changes
      .filter(({ what }) => what !== "lapsed")
      .map(({ revision }) => revision);
    assert.deepEqual(
      revisions,
      Array.from({ length: record.revision }, (_, index) => index + 1),
    );
    assert.equal(changes.filter(({ what }) => what === "lapsed").length >= record.lapses, true);
  }
});

test("a thousand concurrent appends are all written", { skip }, async () => {
  const book = nodeAt(0).of("bulk", "x");
  const answers = await times(1000, () => book.append(chore()));
  assert.equal(new Set(answers.map(({ id }) => id)).size, 1000);
});

test("an append on one node hints the others", { skip }, async () => {
  const hinted = new Promise<void>((resolve) => {
    const stop = nodeAt(1).work.onHint("chore@hint", () => {
      stop();
      resolve();
    });
  });
  await nodeAt(0)
    .of("hints", "x")
    .append(chore({ queue: "chore@hint", wakeAt: 1 }));
  await hinted;
});
