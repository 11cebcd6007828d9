import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTask, taskKind } from "../features/tasks/kind.ts";
import { DaybookError } from "../platform/errors.ts";
import { nodeFixture, type NodeFixture } from "../testing/node-fixture.ts";
import { readClocks, activeAttempt, type ActiveAttempt } from "./lease-renewer.ts";
import type { Work } from "./ledger.ts";
import { streamWriter } from "./stream-writer.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

async function claimed(at: NodeFixture): Promise<ActiveAttempt> {
  const claim = {
    kind: taskKind,
    queue: "task@x",
    holder: "n1",
    leaseMs: 8_000,
    limit: 1,
  } as const;
  const [record] = (await at.ledger.work.claim(claim)).records;
  assert.ok(record);
  return activeAttempt(record, readClocks(at.clock), 8_000);
}
async function start(): Promise<{ at: NodeFixture; run: ActiveAttempt; read(): Promise<string> }> {
  const at = nodeFixture();
  const book = at.ledger.of("mina", "mina");
  const body = { name: "x", input: null, at: 0, target: "a:b", origin: null, timeoutMs: 1_000 };
  const { id } = await book.append(makeTask(body));
  const query = { id, stream: "output", offset: 0, limit: 1_000 };
  const read = async (): Promise<string> => Buffer.from((await book.read(query)).bytes).toString();
  return { at, run: await claimed(at), read };
}
const active = { isActive: () => true };

test("chunks are written in order, also by the next attempt", async () => {
  const { at, run, read } = await start();
  const write = streamWriter(run, { ...at.ports, ...active });
  await Promise.all(["a", "b", "c"].map((text) => write("output", encode(text))));
  assert.equal(await read(), "abc");
  at.clock.after(9_000, () => undefined);
  await at.pass(9_000);
  const next = streamWriter(await claimed(at), { ...at.ports, ...active });
  await next("output", encode("d"));
  assert.equal(await read(), "abcd");
  await assert.rejects(write("output", encode("old")), { code: "stale" });
  assert.equal(await read(), "abcd");
});

test("a chunk whose answer was lost is stored once", async () => {
  for (const isFirst of [true, false]) {
    const { at, run, read } = await start();
    const { work } = at.ports;
    let left = 3;
    const lossy: Work = {
      ...work,
      async write(chunk) {
        const written = await work.write(chunk);
        left -= 1;
        if (left >= 0) throw new DaybookError("unknown", "The answer was lost.");
        return written;
      },
    };
    if (!isFirst) await streamWriter(run, { ...at.ports, ...active })("output", encode("x"));
    const again = isFirst ? run : await reclaimed(at);
    const write = streamWriter(again, { ...at.ports, ...active, work: lossy });
    const done = Promise.all([write("output", encode("a")), write("output", encode("b"))]);
    await at.pass(10_000);
    await done;
    assert.equal(await read(), isFirst ? "ab" : "xab");
  }
});

async function reclaimed(at: NodeFixture): Promise<ActiveAttempt> {
  at.clock.after(9_000, () => undefined);
  await at.pass(9_000);
  return claimed(at);
}

test("nothing is written after the attempt, and a stop ends the wait for the store", async () => {
  const { at, run, read } = await start();
  const ended = streamWriter(run, { ...at.ports, isActive: () => false });
  await assert.rejects(ended("output", encode("late")), { code: "stale" });
  at.fault = (verb) => {
    if (verb === "write") throw new DaybookError("unavailable", "gone");
  };
  const write = streamWriter(run, { ...at.ports, ...active });
  const refused = assert.rejects(write("output", encode("a")), { code: "unavailable" });
  await at.pass(1_000);
  run.abort("stopping");
  await at.pass(10_000);
  await refused;
  assert.equal(await read(), "");
});
