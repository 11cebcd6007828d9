import assert from "node:assert/strict";
import { test } from "node:test";
import { nothingExists } from "../../features/workspaces/observation.ts";
import { home, tarOf } from "./home-tar.ts";
import { assertThrows, benchOf, type Bench, type MakeMachines } from "./rig.ts";

const marker = "archives/w/op-1/home.tar.zst";

/** Foreign objects, and engines that do not answer. */
export function foreignCases(make: MakeMachines): void {
  void test("a foreign container with our name counts as none, and is never touched", async (t) => {
    const bench = await benchOf(t, make);
    const { machines, id, spec, volume, signal, fixture } = bench;
    if (bench.occupy === undefined) return t.skip("names cannot clash on this engine");
    const untouched = await bench.occupy(id, "machine");
    assert.deepEqual(await machines.inspect(id, signal), nothingExists);
    assert.equal((await machines.list(signal)).has(id), false);
    await machines.volumes.provision(volume, signal);
    await assertThrows(machines.start(spec, fixture), "refused");
    await assertThrows(machines.remove(id, signal), "refused");
    const end = await bench.sh("touch touched");
    assert.equal(end.started, false, JSON.stringify(end));
    await untouched();
    await machines.volumes.remove(id, signal);
  });
  void test("a foreign volume with our name counts as none, and is never touched", async (t) => {
    const bench = await benchOf(t, make);
    const { machines, id, spec, volume, signal, fixture } = bench;
    if (bench.occupy === undefined) return t.skip("names cannot clash on this engine");
    const untouched = await bench.occupy(id, "volume");
    assert.deepEqual(await machines.inspect(id, signal), nothingExists);
    assert.equal((await machines.list(signal)).has(id), false);
    const { volumes } = machines;
    await assertThrows(volumes.provision(volume, signal), "refused");
    await assertThrows(machines.start(spec, fixture), "refused");
    await assertThrows(volumes.read(id, signal), "refused");
    await assertThrows(volumes.restore({ ...volume, marker }, tarOf(home), signal), "refused");
    await assertThrows(volumes.remove(id, signal), "refused");
    assert.deepEqual(await machines.inspect(id, signal), nothingExists);
    await untouched();
  });
  void test("an invalid id is refused", async (t) => {
    const { machines, volume, spec, signal, fixture } = await benchOf(t, make);
    for (const id of ["", "..", "a/b", "../x", "a?b=c", "x\u0000y", "x".repeat(300)]) {
      await assertThrows(machines.inspect(id, signal), "invalid");
      await assertThrows(machines.start({ ...spec, id }, fixture), "invalid");
      await assertThrows(machines.remove(id, signal), "invalid");
      await assertThrows(machines.volumes.provision({ ...volume, id }, signal), "invalid");
      await assertThrows(machines.volumes.read(id, signal), "invalid");
      const restore = { ...volume, id, marker };
      await assertThrows(machines.volumes.restore(restore, tarOf([]), signal), "invalid");
      await assertThrows(machines.volumes.remove(id, signal), "invalid");
    }
  });
  void test("without an answer every call is unavailable, and none reports absence", async (t) => {
    const bench = await benchOf(t, make);
    if (bench.unreachable === undefined) return t.skip("this engine cannot be unreachable");
    await assertUnavailable(bench, await bench.unreachable());
  });
}

async function assertUnavailable(bench: Bench, machines: Bench["machines"]): Promise<void> {
  const { id, spec, volume, signal, fixture, endpoint } = bench;
  const calls = {
    list: () => machines.list(signal),
    look: () => machines.inspect(id, signal),
    start: () => machines.start(spec, fixture),
    remove: () => machines.remove(id, signal),
    check: () => machines.check(signal),
    provision: () => machines.volumes.provision(volume, signal),
    read: () => machines.volumes.read(id, signal),
    restore: () => machines.volumes.restore({ ...volume, marker }, tarOf(home), signal),
    "remove a volume": () => machines.volumes.remove(id, signal),
  };
  for (const [name, call] of Object.entries(calls)) {
    const error = await assertThrows(call(), "unavailable");
    assert.equal(error.details["endpoint"], endpoint, name);
  }
  const run = { file: "/bin/sh", args: [], env: {}, input: "", bytesMax: 1, signal };
  const end = await machines.exec(id)(run);
  assert.ok(!end.started && end.code !== "ENOENT", JSON.stringify(end));
}
