import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type ChoreKind, choreKind } from "../../features/nodes/chore.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Draft, DraftOf } from "../../kernel/unit.ts";
import { postgresServer } from "../../testing/postgres/server.ts";
import { postgres, type PostgresLedger } from "./postgres.ts";

const server = await postgresServer();
const skip = "missing" in server ? server.missing : false;
const nodes: PostgresLedger[] = [];
const [leaseMs, limit] = [60_000, 10];

function chore(more: Partial<Draft> = {}): DraftOf<ChoreKind> {
  const body = { name: "sweep", everyMs: 1_000 };
  return { kind: "chore", state: "waiting", body, ...more } as DraftOf<ChoreKind>;
}

before(async () => {
  if ("missing" in server) return;
  const url = await server.database();
  nodes.push(...(await Promise.all([1, 2, 3, 4].map(() => postgres({ url, connections: 4 })))));
});

after(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  if (!("missing" in server)) await server.stop();
});

/** Ten for each node, of one owner. */
async function claimed(owner: string): Promise<readonly (readonly Claimed<ChoreKind>[])[]> {
  const queue = `chore@${owner}`;
  const append = Array.from({ length: 40 }, () => chore({ queue, wakeAt: 1 }));
  await nodes[0]?.of(owner, "x").append(chore(), { append });
  const request = { kind: choreKind, queue, leaseMs, limit } as const;
  return Promise.all(
    nodes.map(async ({ work }, n) => (await work.claim({ ...request, holder: `w${n}` })).records),
  );
}

function under({ id, lease, revision }: Claimed): { id: string; fence: number; revision: number } {
  return { id, fence: lease.fence, revision };
}

test("of concurrent settles on four nodes that want one name, one succeeds", { skip }, async () => {
  for (let round = 0; round < 10; round += 1) {
    const owner = `names-${round}`;
    const settles = (await claimed(owner)).map(async (records, n) =>
      nodes[n]?.work.settle(
        records.map((record, index) => ({
          ...under(record),
          state: "waiting",
          holds: [`${owner} ${index}`],
        })),
      ),
    );
    const answers = (await Promise.all(settles)).flatMap((each) => each ?? []);
    const results = answers.map(({ result }) => result).toSorted();
    assert.deepEqual(results, [...Array(30).fill("refused"), ...Array(10).fill("settled")]);
    for (const answer of answers) {
      if (answer.result === "refused") assert.equal(answer.error.code, "held");
    }
  }
});

test("concurrent settles append a consequence with one key once", { skip }, async () => {
  for (let round = 0; round < 10; round += 1) {
    const owner = `keys-${round}`;
    const settles = (await claimed(owner)).map(async (records, n) =>
      nodes[n]?.work.settle(
        records.map((record, index) => {
          const append = [chore({ key: { name: `key ${index}` } }), chore()];
          return { ...under(record), ends: "cancelled", consequences: { append } };
        }),
      ),
    );
    const answers = (await Promise.all(settles)).flatMap((each) => each ?? []);
    assert.ok(answers.every(({ result }) => result === "settled"));
    const book = nodes[0]?.of(owner, "x");
    const { records } = (await book?.list({ live: true, limit: 500 })) ?? { records: [] };
    const keyed = records.filter(({ key }) => key !== null);
    assert.equal(new Set(keyed.map(({ key }) => key)).size, 10);
    assert.deepEqual([keyed.length, records.length], [10, 10 + 40 + 1]);
  }
});

test(
  "a refused unit leaves nothing, and other units of its call are settled",
  { skip },
  async () => {
    const [records = []] = await claimed("refusals");
    const [first, second, third] = records;
    assert.ok(first && second && third);
    const append = [chore({ id: "with the refused" })];
    const answers = await nodes[0]?.work.settle([
      { ...under(first), state: "waiting", holds: ["taken"] },
      { ...under(second), state: "waiting", holds: ["taken"], consequences: { append } },
      {
        ...under(third),
        ends: "cancelled",
        consequences: { append: [chore()], wake: [{ id: first.id }] },
      },
    ]);
    assert.deepEqual(
      answers?.map(({ result }) => result),
      ["settled", "refused", "settled"],
    );
    const book = nodes[0]?.of("refusals", "x");
    assert.equal(await book?.get("with the refused"), undefined);
    assert.equal((await book?.get(second.id))?.lease?.fence, second.lease.fence);
    assert.ok((await book?.get(first.id))?.wakeAt);
  },
);
