import assert from "node:assert/strict";
import { test } from "node:test";
import { DaybookError } from "../../platform/errors.ts";
import { byName, home, kept, keptIn, tarOf } from "./home-tar.ts";
import {
  assertThrows,
  assertNoListener,
  benchOf,
  outputWith,
  inTime,
  type MakeMachines,
} from "./rig.ts";

const marker = "archives/w/op-1/home.tar.zst";
const nextMarker = "archives/w/op-2/home.tar.zst";

/** Volumes that are restored from an archive. */
export function restoreCases(make: MakeMachines): void {
  void test("a restore keeps names, bytes, modes, owners, times and links", async (t) => {
    const { machines, id, volume, signal } = await benchOf(t, make);
    await machines.volumes.restore({ ...volume, marker }, tarOf(home), signal);
    assert.deepEqual(await machines.inspect(id, signal), { machine: null, volume: { marker } });
    const found = await keptIn(await machines.volumes.read(id, signal));
    assert.deepEqual(found, home.toSorted(byName));
    assertNoListener(signal);
  });
  void test("a volume that was read can be restored, and reads the same again", async (t) => {
    const one = await benchOf(t, make);
    const two = await benchOf(t, make);
    const { machines, signal } = one;
    await machines.volumes.restore({ ...one.volume, marker }, tarOf(home), signal);
    const tar = await machines.volumes.read(one.id, signal);
    await two.machines.volumes.restore({ ...two.volume, marker: nextMarker }, tar, signal);
    const found = await keptIn(await machines.volumes.read(two.id, signal));
    assert.deepEqual(found, home.toSorted(byName));
  });
  void test("a hard link is still one file after a restore", async (t) => {
    const bench = await benchOf(t, make);
    const { machines, id, spec, volume, signal, fixture, printed } = bench;
    const both = [
      kept("one", { content: "shared", mode: 0o666 }),
      kept("two", { type: "link", linkname: "one", mode: 0o666 }),
    ];
    await machines.volumes.restore({ ...volume, marker }, tarOf(both), signal);
    await machines.start(spec, fixture);
    assert.equal(await printed("echo ' and more' >> one; cat two"), "shared and more\n");
    await machines.remove(id, signal);
    const found = await keptIn(await machines.volumes.read(id, signal));
    assert.deepEqual(
      found.map(({ name, type, linkname }) => [name, type, linkname]),
      [
        ["one", "file", null],
        ["two", "link", "one"],
      ],
    );
  });
  void test("a machine runs on a restored volume", async (t) => {
    const { machines, id, spec, volume, signal, fixture, printed } = await benchOf(t, make);
    await machines.volumes.restore({ ...volume, marker }, tarOf(home), signal);
    await machines.start(spec, fixture);
    assert.deepEqual(await machines.inspect(id, signal), {
      machine: "running",
      volume: { marker },
    });
    assert.equal(await printed("bin/first; cat '약 먹을 시간.txt'"), "ran\n가나다\n");
  });
  void test("an empty archive makes an empty volume", async (t) => {
    const { machines, id, volume, signal } = await benchOf(t, make);
    await machines.volumes.restore({ ...volume, marker }, tarOf([]), signal);
    assert.deepEqual(await machines.inspect(id, signal), { machine: null, volume: { marker } });
    assert.deepEqual(await keptIn(await machines.volumes.read(id, signal)), []);
  });
  void test("a restore replaces the old volume, and never continues it", async (t) => {
    const bench = await benchOf(t, make);
    const { machines, other, id, volume, signal, printed } = bench;
    await bench.running();
    await printed("echo old > old; echo old > note");
    await machines.remove(id, signal);
    const one = [kept("note", { content: "one" })];
    await machines.volumes.restore({ ...volume, marker }, tarOf(one), signal);
    assert.deepEqual(await keptIn(await machines.volumes.read(id, signal)), one);
    const two = [kept("other", { content: "two" })];
    await other.volumes.restore({ ...volume, marker: nextMarker }, tarOf(two), signal);
    assert.deepEqual(await keptIn(await machines.volumes.read(id, signal)), two);
    assert.deepEqual(await machines.inspect(id, signal), {
      machine: null,
      volume: { marker: nextMarker },
    });
  });
  troubleCases(make);
}

function troubleCases(make: MakeMachines): void {
  void test("a truncated archive throws its error, and the next restore is complete", async (t) => {
    const { machines, id, volume, signal } = await benchOf(t, make);
    await machines.volumes.provision(volume, signal);
    const broken = new DaybookError("invalid", "The archive is cut off: restore an older one.");
    const restoring = machines.volumes.restore({ ...volume, marker }, cutOff(broken), signal);
    assert.equal(await assertThrows(restoring), broken);
    const { volume: left } = await machines.inspect(id, signal);
    assert.ok(left === null || left.marker === marker, JSON.stringify(left));
    const whole = [kept("note", { content: "whole" })];
    await machines.volumes.restore({ ...volume, marker }, tarOf(whole), signal);
    assert.deepEqual(await keptIn(await machines.volumes.read(id, signal)), whole);
    assertNoListener(signal);
  });
  void test("bytes that are not a tar throw, and the rest has the marker", async (t) => {
    const { machines, id, volume, signal } = await benchOf(t, make);
    const bytes = [Buffer.from("this is no tar at all. ".repeat(200))];
    await assertThrows(machines.volumes.restore({ ...volume, marker }, from(bytes), signal));
    const { volume: left } = await machines.inspect(id, signal);
    assert.ok(left === null || left.marker === marker, JSON.stringify(left));
  });
  void test("an aborted restore leaves the marker, and the next restore is complete", async (t) => {
    const { machines, id, volume, signal } = await benchOf(t, make);
    await machines.volumes.provision(volume, signal);
    const stopping = new AbortController();
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const restoring = machines.volumes.restore(
      { ...volume, marker },
      endless(resolve),
      stopping.signal,
    );
    await inTime(Promise.race([asked, restoring]), "the archive is read");
    stopping.abort("the lease is lost");
    await assertThrows(restoring);
    assertNoListener(stopping.signal);
    const { volume: left } = await machines.inspect(id, signal);
    assert.ok(left === null || left.marker === marker, JSON.stringify(left));
    await machines.volumes.restore({ ...volume, marker }, tarOf(home), signal);
    assert.equal((await keptIn(await machines.volumes.read(id, signal))).length, home.length);
  });
  void test("an abort before the restore keeps the old volume", async (t) => {
    const { machines, id, volume, signal } = await benchOf(t, make);
    await machines.volumes.provision(volume, signal);
    const stopped = AbortSignal.abort("stopping");
    await assertThrows(machines.volumes.restore({ ...volume, marker }, tarOf(home), stopped));
    assert.deepEqual((await machines.inspect(id, signal)).volume, { marker: null });
  });
  void test("a restore under a machine is busy, and the volume is unchanged", async (t) => {
    const bench = await benchOf(t, make);
    const { machines, id, volume, signal, sh, printed } = bench;
    await bench.running();
    await printed("echo kept > note");
    const at = outputWith("at work");
    const working = sh("echo at work; while [ ! -e go ]; do sleep 0.05; done", {
      onOutput: at.onOutput,
    });
    await inTime(Promise.race([at.found, working]), "the program runs");
    await assertThrows(
      machines.volumes.restore({ ...volume, marker }, tarOf(home), signal),
      "busy",
    );
    assert.equal(await printed("cat note; touch go"), "kept\n");
    const end = await working;
    assert.ok(end.started && end.status === 0, JSON.stringify(end));
    assert.deepEqual(await machines.inspect(id, signal), {
      machine: "running",
      volume: { marker: null },
    });
  });
}

async function* from(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}

/** The first half of an archive, and then the error. */
async function* cutOff(error: Error): AsyncGenerator<Uint8Array> {
  const whole = Buffer.concat(await Array.fromAsync(tarOf(home)));
  yield whole.subarray(0, whole.length / 2);
  throw error;
}

/** An endless archive; calls `taken` when a part of it was read. */
async function* endless(taken: () => void): AsyncGenerator<Uint8Array> {
  const whole = Buffer.concat(await Array.fromAsync(tarOf(home)));
  yield whole.subarray(0, whole.length - 2_000_000);
  taken();
  await new Promise(() => undefined);
}
