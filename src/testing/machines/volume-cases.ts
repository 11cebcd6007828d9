import assert from "node:assert/strict";
import { test } from "node:test";
import { nothingExists } from "../../features/workspaces/observation.ts";
import { keptIn } from "./home-tar.ts";
import { assertThrows, assertNoListener, benchOf, type MakeMachines } from "./rig.ts";

/** Volumes: created, read, removed. */
export function volumeCases(make: MakeMachines): void {
  void test("a new volume is empty, and has no restore marker", async (t) => {
    const { machines, id, volume, signal } = await benchOf(t, make);
    await machines.volumes.provision(volume, signal);
    assert.deepEqual(await machines.inspect(id, signal), {
      machine: null,
      volume: { marker: null },
    });
    assert.deepEqual(await keptIn(await machines.volumes.read(id, signal)), []);
    assertNoListener(signal);
  });
  void test("a second or concurrent provision keeps the volume's content", async (t) => {
    const bench = await benchOf(t, make);
    const { machines, other, id, volume, signal, printed } = bench;
    await Promise.all([
      machines.volumes.provision(volume, signal),
      other.volumes.provision(volume, signal),
    ]);
    await bench.running();
    await printed("echo kept > note");
    await other.volumes.provision(volume, signal);
    await machines.remove(id, signal);
    await machines.volumes.provision(volume, signal);
    const found = await keptIn(await machines.volumes.read(id, signal));
    assert.deepEqual(
      found.map(({ name, content }) => [name, content]),
      [["note", "kept\n"]],
    );
  });
  void test("an abort before the call creates, reads and removes nothing", async (t) => {
    const { machines, id, volume, signal } = await benchOf(t, make);
    const stopped = AbortSignal.abort("stopping");
    await assertThrows(machines.volumes.provision(volume, stopped));
    assert.deepEqual(await machines.inspect(id, signal), nothingExists);
    await machines.volumes.provision(volume, signal);
    await assertThrows(machines.volumes.remove(id, stopped));
    await assertThrows(machines.volumes.read(id, stopped));
    assert.deepEqual((await machines.inspect(id, signal)).volume, { marker: null });
  });
  void test("a volume with a machine is busy, and stays unchanged", async (t) => {
    const bench = await benchOf(t, make);
    const { machines, other, id, signal, printed } = bench;
    await bench.running();
    await printed("echo kept > note");
    await assertThrows(machines.volumes.remove(id, signal), "busy");
    assert.equal(await printed("cat note"), "kept\n");
    await bench.kill(id);
    // On some engines an ended machine is gone, and its volume is free.
    if ((await machines.inspect(id, signal)).machine === "stopped") {
      await assertThrows(other.volumes.remove(id, signal), "busy");
    }
    assert.deepEqual((await machines.inspect(id, signal)).volume, { marker: null });
    await machines.remove(id, signal);
    await machines.volumes.remove(id, signal);
    assert.deepEqual(await machines.inspect(id, signal), nothingExists);
  });
  void test("a missing volume is removed without error, also concurrently", async (t) => {
    const { machines, other, id, volume, signal } = await benchOf(t, make);
    await machines.volumes.remove(id, signal);
    await machines.volumes.provision(volume, signal);
    await Promise.all([machines.volumes.remove(id, signal), other.volumes.remove(id, signal)]);
    await other.volumes.remove(id, signal);
    assert.deepEqual(await machines.inspect(id, signal), nothingExists);
    assertNoListener(signal);
  });
  void test("a volume removed and provisioned again is empty", async (t) => {
    const bench = await benchOf(t, make);
    const { machines, id, signal, printed } = bench;
    await bench.running();
    await printed("echo old > note");
    await machines.remove(id, signal);
    await machines.volumes.remove(id, signal);
    await bench.running();
    assert.equal(await printed("ls -A"), "");
  });
  readCases(make);
}

function readCases(make: MakeMachines): void {
  void test("reading a missing volume throws, and creates none", async (t) => {
    const { machines, id, signal } = await benchOf(t, make);
    await assertThrows(machines.volumes.read(id, signal), "not_found");
    assert.deepEqual(await machines.inspect(id, signal), nothingExists);
  });
  void test("a volume with a machine is not read", async (t) => {
    const bench = await benchOf(t, make);
    const { machines, id, signal, printed } = bench;
    await bench.running();
    await assertThrows(machines.volumes.read(id, signal), "busy");
    assert.equal(await printed("echo well"), "well\n");
  });
  void test("names in a tar are relative to the volume's root", async (t) => {
    const bench = await benchOf(t, make);
    const { machines, id, signal, printed } = bench;
    await bench.running();
    await printed("mkdir -p a/b; echo x > a/b/c; echo y > top; ln -s top link");
    await machines.remove(id, signal);
    const found = await keptIn(await machines.volumes.read(id, signal));
    assert.deepEqual(
      found.map(({ name, type }) => [name, type]),
      [
        ["a", "directory"],
        ["a/b", "directory"],
        ["a/b/c", "file"],
        ["link", "symlink"],
        ["top", "file"],
      ],
    );
  });
  void test("an abandoned read leaves nothing behind", async (t) => {
    const bench = await benchOf(t, make);
    const { machines, id, spec, signal, printed, fixture } = bench;
    await bench.running();
    await printed("i=0; while [ $i -lt 40 ]; do printf '%065536d' 1; i=$((i+1)); done > big");
    await machines.remove(id, signal);
    for await (const piece of await machines.volumes.read(id, signal)) {
      assert.ok(piece.length > 0);
      break;
    }
    const stopping = new AbortController();
    const reading = await machines.volumes.read(id, stopping.signal);
    const all = (async () => {
      for await (const piece of reading) if (piece.length > 0) stopping.abort("the lease is lost");
    })();
    await assertThrows(all);
    assertNoListener(stopping.signal);
    assert.deepEqual(await machines.inspect(id, signal), {
      machine: null,
      volume: { marker: null },
    });
    await machines.start(spec, fixture);
    await machines.remove(id, signal);
    await machines.volumes.remove(id, signal);
  });
}
