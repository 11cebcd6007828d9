import assert from "node:assert/strict";
import { test } from "node:test";
import { nothingExists } from "../../features/workspaces/observation.ts";
import {
  assertThrows,
  assertNoListener,
  benchOf,
  outputWith,
  inTime,
  type MakeMachines,
} from "./rig.ts";

/** Machines: inspected, started, removed. */
export function machineCases(make: MakeMachines): void {
  void test("nodes of one engine have the same location, and check describes it", async (t) => {
    const { machines, other, signal } = await benchOf(t, make);
    assert.notEqual(machines.name, "");
    assert.notEqual(machines.location, "");
    assert.equal(other.location, machines.location);
    assert.match(await machines.check(signal), /\S/);
  });
  void test("a missing workspace is inspected as nothing, and not listed", async (t) => {
    const { machines, id, signal } = await benchOf(t, make);
    assert.deepEqual(await machines.inspect(id, signal), nothingExists);
    assert.equal((await machines.list(signal)).has(id), false);
  });
  void test("inspect and list agree on each state, on every node", async (t) => {
    const { machines, other, id, spec, volume, signal, fixture } = await benchOf(t, make);
    const seen = async () => {
      const observation = await machines.inspect(id, signal);
      for (const each of [machines, other]) {
        assert.deepEqual((await each.list(signal)).get(id) ?? nothingExists, observation);
        assert.deepEqual(await each.inspect(id, signal), observation);
      }
      return observation;
    };
    await machines.volumes.provision(volume, signal);
    assert.deepEqual(await seen(), { machine: null, volume: { marker: null } });
    await machines.start(spec, fixture);
    assert.deepEqual(await seen(), { machine: "running", volume: { marker: null } });
    await machines.remove(id, signal);
    assert.deepEqual(await seen(), { machine: null, volume: { marker: null } });
    await machines.volumes.remove(id, signal);
    assert.deepEqual(await seen(), nothingExists);
    assert.equal((await machines.list(signal)).has(id), false);
  });
  void test("one list has every workspace with its state", async (t) => {
    const one = await benchOf(t, make);
    const two = await benchOf(t, make);
    await one.running();
    await two.machines.volumes.provision(two.volume, two.signal);
    const list = await one.machines.list(one.signal);
    assert.deepEqual(list.get(one.id), { machine: "running", volume: { marker: null } });
    assert.deepEqual(list.get(two.id), { machine: null, volume: { marker: null } });
  });
  void test("a started machine is ready, on the workspace's volume", async (t) => {
    const bench = await benchOf(t, make);
    const { machines, id, spec, signal, fixture, printed } = bench;
    await bench.running();
    await printed("echo kept > note");
    await machines.remove(id, signal);
    await machines.start(spec, fixture);
    assert.equal(await printed("cat note"), "kept\n");
  });
  void test("workspaces are isolated", async (t) => {
    const one = await benchOf(t, make);
    const two = await benchOf(t, make);
    await Promise.all([one.running(), two.running()]);
    await one.printed("echo one > mine");
    assert.equal(await two.printed("ls -a | grep mine || echo none"), "none\n");
    await two.machines.remove(two.id, two.signal);
    assert.equal(await one.printed("cat mine"), "one\n");
  });
  void test("a second start leaves a running machine and its programs alone", async (t) => {
    const bench = await benchOf(t, make);
    const { other, spec, fixture, sh, printed } = bench;
    await bench.running();
    const at = outputWith("at work");
    const working = sh("echo at work; while [ ! -e go ]; do sleep 0.05; done; echo through", {
      onOutput: at.onOutput,
    });
    await inTime(Promise.race([at.found, working]), "the program runs");
    await other.start(spec, fixture);
    await printed("touch go");
    const end = await working;
    assert.ok(end.started && end.status === 0, JSON.stringify(end));
    assert.equal(at.text(), "at work\nthrough\n");
  });
  void test("two nodes that start one machine at once get one machine without error", async (t) => {
    const { machines, other, id, spec, volume, signal, fixture, printed } = await benchOf(t, make);
    await machines.volumes.provision(volume, signal);
    await Promise.all([machines.start(spec, fixture), other.start(spec, fixture)]);
    assert.equal((await machines.inspect(id, signal)).machine, "running");
    assert.equal(await printed("echo ready"), "ready\n");
  });
  void test("a machine killed from outside is observed, and replaced on its volume", async (t) => {
    const bench = await benchOf(t, make);
    const { machines, id, spec, signal, fixture, printed } = bench;
    await bench.running();
    await printed("echo kept > note");
    await bench.kill(id);
    const observation = await machines.inspect(id, signal);
    assert.ok([null, "stopped"].includes(observation.machine), JSON.stringify(observation));
    assert.deepEqual(observation.volume, { marker: null });
    assert.deepEqual((await machines.list(signal)).get(id), observation);
    await machines.start(spec, fixture);
    assert.equal((await machines.inspect(id, signal)).machine, "running");
    assert.equal(await printed("cat note"), "kept\n");
  });
  void test("without a volume nothing starts, and no volume is created", async (t) => {
    const { machines, id, spec, signal, fixture } = await benchOf(t, make);
    await assertThrows(machines.start(spec, fixture));
    assert.deepEqual(await machines.inspect(id, signal), nothingExists);
  });
  void test("an aborted start throws, and the next start succeeds", async (t) => {
    const { machines, id, spec, volume, signal, printed } = await benchOf(t, make);
    await machines.volumes.provision(volume, signal);
    const progress = () => undefined;
    await assertThrows(machines.start(spec, { signal: AbortSignal.abort("stopping"), progress }));
    assert.equal((await machines.inspect(id, signal)).machine, null);
    for (const ticks of [1, 3, 10]) {
      const stopping = new AbortController();
      const starting = machines.start(spec, { signal: stopping.signal, progress });
      starting.catch(() => undefined);
      for (let tick = 0; tick < ticks; tick += 1) await machines.inspect(id, signal);
      stopping.abort("the lease is lost");
      const ended = await inTime(
        starting.then(
          () => "done",
          () => "thrown",
        ),
        "the run was aborted",
      );
      if (ended === "thrown") await assertThrows(starting);
      assertNoListener(stopping.signal);
    }
    await machines.start(spec, { signal, progress });
    assert.equal(await printed("echo ready"), "ready\n");
    assertNoListener(signal);
  });
  removeCases(make);
}

function removeCases(make: MakeMachines): void {
  void test("a removal kills all programs at once, even those that ignore signals", async (t) => {
    const bench = await benchOf(t, make);
    const { machines, other, id, signal, sh } = bench;
    await bench.running();
    const at = outputWith("deaf");
    const working = sh("trap '' TERM INT HUP; echo deaf; while :; do sleep 1; done", {
      onOutput: at.onOutput,
    });
    await inTime(Promise.race([at.found, working]), "the program runs");
    await inTime(other.remove(id, signal), "the machine is removed");
    assert.deepEqual(await machines.inspect(id, signal), {
      machine: null,
      volume: { marker: null },
    });
    const end = await working;
    assert.ok(!end.started || end.status !== 0, JSON.stringify(end));
  });
  void test("a stopped machine is removed, and a missing one is no error", async (t) => {
    const bench = await benchOf(t, make);
    const { machines, other, id, signal } = bench;
    await machines.remove(id, signal);
    await bench.running();
    await bench.kill(id);
    await Promise.all([machines.remove(id, signal), other.remove(id, signal)]);
    await machines.remove(id, signal);
    assert.deepEqual(await machines.inspect(id, signal), {
      machine: null,
      volume: { marker: null },
    });
    assertNoListener(signal);
  });
  void test("an abort before the call inspects and removes nothing", async (t) => {
    const bench = await benchOf(t, make);
    const { machines, id, signal } = bench;
    await bench.running();
    const stopped = AbortSignal.abort("stopping");
    await assertThrows(machines.remove(id, stopped));
    await assertThrows(machines.list(stopped));
    await assertThrows(machines.inspect(id, stopped));
    assert.equal((await machines.inspect(id, signal)).machine, "running");
  });
}
