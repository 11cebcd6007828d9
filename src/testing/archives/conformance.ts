import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DaybookError } from "../../platform/errors.ts";
import { assertThrows, assertNoListener, inTime } from "../machines/rig.ts";
import {
  all,
  assertSame,
  oddChunks,
  from,
  keysOf,
  incompressible,
  type MakeArchives,
} from "./rig.ts";
import { unitCases } from "./unit-cases.ts";

const key = "archives/w-1/op-1/home.tar.zst";
const { signal } = new AbortController();

/** The contract of every archive adapter. */
export function archivesSuite(name: string, make: MakeArchives): void {
  void describe(`${name} as archives`, () => {
    keepCases(make);
    brokenCases(make);
    listCases(make);
    foreignCases(make);
    unitCases(make);
  });
}

function keepCases(make: MakeArchives): void {
  void test("a put is visible to another node, and replaces the archive at once", async (t) => {
    const { archives, other } = await make(t);
    for (const text of ["first, and longer", "second"]) {
      await archives.put(key, from(text.slice(0, 3), "", text.slice(3)), signal);
      assert.equal((await all(await other.get(key, signal))).toString(), text);
      assert.deepEqual(await other.head(key, signal), { size: text.length });
    }
    assert.deepEqual(await keysOf(other, ""), [key]);
    assertNoListener(signal);
  });
  void test("an empty archive exists", async (t) => {
    const { archives } = await make(t);
    await archives.put(key, from(), signal);
    assert.deepEqual(await archives.head(key, signal), { size: 0 });
    assert.equal((await all(await archives.get(key, signal))).length, 0);
  });
  void test("a large archive in odd chunks is read back byte for byte", async (t) => {
    const { archives, largeBytes, unfinished } = await make(t);
    for (const size of [largeBytes, largeBytes * 2, largeBytes * 2 + 1]) {
      const bytes = incompressible(size);
      await archives.put(key, oddChunks(bytes), signal);
      assertSame(await all(await archives.get(key, signal)), bytes);
      assert.deepEqual(await archives.head(key, signal), { size });
    }
    assert.equal((await unfinished?.()) ?? 0, 0);
    assertNoListener(signal);
  });
  void test("of two concurrent puts, one is stored completely", async (t) => {
    const { archives, other, torn } = await make(t);
    if (torn !== undefined) return t.skip(torn);
    const both = [incompressible(300_000, 1), incompressible(200_000, 2)] as const;
    await Promise.all([
      archives.put(key, oddChunks(both[0]), signal),
      other.put(key, oddChunks(both[1]), signal),
    ]);
    const found = await all(await archives.get(key, signal));
    assert.ok(both.some((each) => Buffer.compare(each, found) === 0));
  });
  void test("a missing key is not_found, has no head, and can be removed", async (t) => {
    const { archives } = await make(t);
    await assertThrows(archives.get(key, signal), "not_found");
    assert.equal(await archives.head(key, signal), null);
    await archives.remove([key, `${key}.meta`], signal);
    await archives.remove([], signal);
  });
  void test("a removal deletes only the given keys", async (t) => {
    const { archives, other } = await make(t);
    const keys = [key, `${key}.meta`, "archives/w-1/op-2/home.tar.zst"];
    for (const each of keys) await archives.put(each, from("x"), signal);
    await Promise.all([archives, other].map((each) => each.remove(keys.slice(0, 2), signal)));
    assert.deepEqual(await keysOf(archives, ""), keys.slice(2));
    await archives.remove(keys, signal);
    assert.deepEqual(await keysOf(archives, ""), []);
    await archives.put(key, from("again"), signal);
    assert.equal((await all(await archives.get(key, signal))).toString(), "again");
  });
}

function brokenCases(make: MakeArchives): void {
  const sizes = { small: 10, large: undefined };
  for (const [what, size] of Object.entries(sizes)) {
    void test(`a failing source throws, and the old archive stays (${what})`, async (t) => {
      const { archives, largeBytes, unfinished } = await make(t);
      const broken = new DaybookError("busy", "A file changed while it was read: try again.");
      const source = async function* () {
        yield* oddChunks(incompressible(size ?? largeBytes * 2));
        throw broken;
      };
      assert.equal(await assertThrows(archives.put(key, source(), signal)), broken);
      assert.equal(await archives.head(key, signal), null);
      await archives.put(key, from("before"), signal);
      await assertThrows(archives.put(key, source(), signal));
      assert.equal((await all(await archives.get(key, signal))).toString(), "before");
      assert.deepEqual(await keysOf(archives, ""), [key]);
      assert.equal((await unfinished?.()) ?? 0, 0);
      assertNoListener(signal);
    });
  }
  void test("an aborted put stores nothing, even when its source hangs", async (t) => {
    const { archives, largeBytes, unfinished } = await make(t);
    const stopping = new AbortController();
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const source = async function* () {
      yield incompressible(largeBytes * 2);
      resolve();
      await new Promise(() => undefined);
    };
    const putting = archives.put(key, source(), stopping.signal);
    await inTime(Promise.race([asked, putting]), "the source is read");
    stopping.abort("the lease is lost");
    await assertThrows(putting);
    assert.equal(await archives.head(key, signal), null);
    assert.equal((await unfinished?.()) ?? 0, 0);
    assertNoListener(stopping.signal);
  });
  void test("an aborted get throws, and an abandoned one leaves no listener", async (t) => {
    const { archives, largeBytes } = await make(t);
    await archives.put(key, from(incompressible(largeBytes * 2)), signal);
    for await (const piece of await archives.get(key, signal)) {
      assert.ok(piece.length > 0);
      break;
    }
    const stopping = new AbortController();
    const reading = await archives.get(key, stopping.signal);
    const read = (async () => {
      for await (const piece of reading) if (piece.length > 0) stopping.abort("stopping");
    })();
    await assertThrows(read);
    assertNoListener(stopping.signal);
    assertNoListener(signal);
  });
  void test("an abort before the call has no effect", async (t) => {
    const { archives } = await make(t);
    await archives.put(key, from("kept"), signal);
    const stopped = AbortSignal.abort("stopping");
    await assertThrows(archives.put(key, from("other"), stopped));
    await assertThrows(archives.get(key, stopped));
    await assertThrows(archives.head(key, stopped));
    await assertThrows(Array.fromAsync(archives.list("", stopped)));
    await assertThrows(archives.remove([key], stopped));
    await assertThrows(archives.check(stopped));
    assert.equal((await all(await archives.get(key, signal))).toString(), "kept");
  });
}

function listCases(make: MakeArchives): void {
  void test("a list has every key with the prefix and its size, over many pages", async (t) => {
    const { archives } = await make(t);
    const workspaces = ["a", "ab", "b"];
    const keys = workspaces.flatMap((id) =>
      ["op-1", "op-2", "op-3"].map((op) => `archives/${id}/${op}/home.tar.zst`),
    );
    for (const [index, each] of keys.entries()) {
      await archives.put(each, from("x".repeat(index)), signal);
    }
    assert.deepEqual(await keysOf(archives, ""), keys.toSorted());
    assert.deepEqual(await keysOf(archives, "archives/a/"), keys.slice(0, 3));
    assert.deepEqual(await keysOf(archives, "archives/a"), keys.slice(0, 6));
    assert.deepEqual(await keysOf(archives, "archives/b/op-2/ho"), keys.slice(7, 8));
    assert.deepEqual(await keysOf(archives, "archives/c"), []);
    const sized = await Array.fromAsync(archives.list("archives/b/", signal));
    assert.deepEqual(
      new Map(sized.map(({ key: at, size }) => [at, size])),
      new Map(keys.map((at, size) => [at, size] as const).slice(6)),
    );
    for await (const each of archives.list("", signal)) {
      assert.ok(keys.includes(each.key));
      break;
    }
    assertNoListener(signal);
  });
}

function foreignCases(make: MakeArchives): void {
  void test("an invalid key is refused", async (t) => {
    const { archives } = await make(t);
    const wrong = [
      "",
      "/",
      "..",
      "../x",
      "a/../b",
      "/a",
      "a/",
      "a//b",
      "./a",
      ".parts/x",
      "a\0b",
      "a\\b",
      "약",
    ];
    for (const each of [...wrong, "x".repeat(2_000)]) {
      await assertThrows(archives.put(each, from("x"), signal), "invalid");
      await assertThrows(archives.get(each, signal), "invalid");
      await assertThrows(archives.head(each, signal), "invalid");
      await assertThrows(archives.remove([key, each], signal), "invalid");
    }
    assert.deepEqual(await keysOf(archives, ""), []);
  });
  void test("check describes the archives", async (t) => {
    const { archives, unfinished } = await make(t);
    assert.match(await archives.check(signal), /\S/);
    assert.deepEqual(await keysOf(archives, ""), []);
    assert.equal((await unfinished?.()) ?? 0, 0);
  });
  void test("without an answer every call is unavailable, and none reports absence", async (t) => {
    const { unreachable } = await make(t);
    const { archives, endpoint } = unreachable();
    const calls = {
      put: () => archives.put(key, from("x"), signal),
      get: () => archives.get(key, signal),
      head: () => archives.head(key, signal),
      list: () => Array.fromAsync(archives.list("", signal)),
      remove: () => archives.remove([key], signal),
      check: () => archives.check(signal),
    };
    for (const [name, call] of Object.entries(calls)) {
      const error = await assertThrows(call(), "unavailable");
      assert.equal(error.details["endpoint"], endpoint, name);
    }
  });
}
