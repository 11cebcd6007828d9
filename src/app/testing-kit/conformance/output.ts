import assert from "node:assert/strict";
import type { Book } from "../../../kernel/ledger.ts";
import { claimOne, fails, leased, node, put, start, leaseOf, type Test } from "./fixture.ts";

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function textOf(book: Book, id: string, offset = 0, limit = 100): Promise<string> {
  const chunk = await book.read({ id, stream: "out", offset, limit });
  return `${new TextDecoder().decode(chunk.bytes)} of ${chunk.size}`;
}

export function outputCases(test: Test): void {
  test("write adds to the end of a stream; read starts at any offset", async (fixture) => {
    const { ann, work } = fixture;
    const { id, lease } = await leased(fixture);
    const at = { id, fence: lease.fence, stream: "out" };
    assert.deepEqual(await work.write({ ...at, offset: 0, bytes: bytes("hello ") }), {
      result: "written",
      size: 6,
    });
    assert.deepEqual(await work.write({ ...at, offset: 6, bytes: bytes("world") }), {
      result: "written",
      size: 11,
    });
    assert.equal(await textOf(ann, id), "hello world of 11");
    assert.equal(await textOf(ann, id, 4, 4), "o wo of 11");
    assert.equal(await textOf(ann, id, 11), " of 11");
    assert.equal(await textOf(ann, id, 99), " of 11");
    assert.equal(await textOf(ann, id, 0, 0), " of 11");
  });

  test("write at any other offset answers gap and writes nothing", async (fixture) => {
    const { ann, work } = fixture;
    const { id, lease } = await leased(fixture);
    const at = { id, fence: lease.fence, stream: "out" };
    await work.write({ ...at, offset: 0, bytes: bytes("abc") });
    for (const offset of [0, 2, 4]) {
      const answer = await work.write({ ...at, offset, bytes: bytes("x") });
      assert.deepEqual(answer, { result: "gap", size: 3 });
    }
    assert.equal(await textOf(ann, id), "abc of 3");
  });

  test("writing no bytes is allowed and changes nothing", async (fixture) => {
    const { ann, work } = fixture;
    const { id, lease } = await leased(fixture);
    const at = { id, fence: lease.fence, stream: "out" };
    for (const part of ["", "abc", ""]) {
      const { size } = await ann.read({ id, stream: "out", offset: 0, limit: 0 });
      const answer = await work.write({ ...at, offset: size, bytes: bytes(part) });
      assert.deepEqual(answer, { result: "written", size: size + part.length });
    }
    assert.equal(await textOf(ann, id), "abc of 3");
  });

  test("streams are separate, and an unknown stream is empty", async (fixture) => {
    const { ann, work } = fixture;
    const { id, lease } = await leased(fixture);
    await work.write({ id, fence: lease.fence, stream: "err", offset: 0, bytes: bytes("e") });
    assert.equal(await textOf(ann, id), " of 0");
  });

  test("only the newest lease can write", async (fixture) => {
    const { ann, work, setNow } = fixture;
    const first = await leased(fixture);
    const { id } = first;
    setNow(start + 1000);
    const second = await claimOne(work);
    const chunk = { id, stream: "out", offset: 0, bytes: bytes("x") };
    const stale = { result: "stale" };
    assert.deepEqual(await work.write({ ...chunk, fence: first.lease.fence }), stale);
    assert.deepEqual(await work.write({ ...chunk, id: "missing", fence: 1 }), stale);
    setNow(start + 9000);
    const lapsed = await work.write({ ...chunk, fence: second.lease.fence });
    assert.equal(lapsed.result, "written");
    await work.settle([{ ...leaseOf(second), ends: "stopped" }]);
    assert.deepEqual(await work.write({ ...chunk, fence: 2 }), stale);
    assert.equal(await textOf(ann, id), "x of 1");
  });

  test("write and read copy the bytes", async (fixture) => {
    const { ann, work } = fixture;
    const { id, lease } = await leased(fixture);
    const given = bytes("abc");
    await work.write({ id, fence: lease.fence, stream: "out", offset: 0, bytes: given });
    given.fill(0);
    const chunk = await ann.read({ id, stream: "out", offset: 0, limit: 9 });
    chunk.bytes.fill(0);
    assert.equal(await textOf(ann, id), "abc of 3");
  });

  test("read returns every byte value, also across chunks", async (fixture) => {
    const { ann, work } = fixture;
    const { id, lease } = await leased(fixture);
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    for (let offset = 0; offset < 256; offset += 64) {
      const part = all.subarray(offset, offset + 64);
      await work.write({ id, fence: lease.fence, stream: "out", offset, bytes: part });
    }
    const chunk = await ann.read({ id, stream: "out", offset: 60, limit: 130 });
    assert.deepEqual([...chunk.bytes], [...all.subarray(60, 190)]);
  });

  test("read returns at most 1 MiB", async (fixture) => {
    const { ann, work } = fixture;
    const { id, lease } = await leased(fixture);
    const part = new Uint8Array(1024 * 1024 + 10).fill(7);
    await work.write({ id, fence: lease.fence, stream: "out", offset: 0, bytes: part });
    const chunk = await ann.read({ id, stream: "out", offset: 5, limit: 9_999_999 });
    assert.equal(chunk.bytes.length, 1024 * 1024);
    assert.equal(chunk.size, part.length);
  });

  test("reading output of a missing record or another owner's is not_found", async ({
    ann,
    bob,
  }) => {
    const { id } = await put(ann, node());
    const query = { stream: "out", offset: 0, limit: 9 };
    await fails(bob.read({ id, ...query }), "not_found", { id });
    await fails(ann.read({ id: "missing", ...query }), "not_found", { id: "missing" });
    assert.equal(await textOf(ann, id), " of 0");
  });
}
