import assert from "node:assert/strict";
import { once } from "node:events";
import { after, test, type TestContext } from "node:test";
import { systemClock } from "../../platform/clock.ts";
import { vet } from "../../platform/tar/vet.ts";
import { dockerEngine, type DockerEngine } from "../../testing/docker/engine.ts";
import { execNode } from "../../testing/docker/exec-node.ts";
import { dockerRig, machinesOn } from "../../testing/docker/rig.ts";
import { lossyProxy } from "../../testing/lossy-proxy.ts";
import { home, kept, keptIn, tarOf } from "../../testing/machines/home-tar.ts";
import {
  assertThrows,
  benchOf,
  outputWith,
  inTime,
  type Bench,
} from "../../testing/machines/rig.ts";
import { dockerMachines } from "./docker.ts";

const marker = "archives/w/op-1/home.tar.zst";

const docker = await dockerEngine();
if ("missing" in docker) test("docker failures", { skip: docker.missing });
else {
  after(() => docker.stop());
  const bench = (t: TestContext) => benchOf(t, () => dockerRig(docker));
  lostAnswerCases(docker, bench);
  leftovers(docker, bench);
  archived(bench);
  ownDeath(docker, bench);
  brokenEngineCases(docker, bench);
}

type MakeBench = (t: TestContext) => Promise<Bench>;

function lostAnswerCases(engine: DockerEngine, bench: MakeBench): void {
  test("a lost answer is unavailable, and the repeated call succeeds", async (t) => {
    const { id, spec, volume, signal, fixture, printed } = await bench(t);
    const proxy = await lossyProxy(engine.host);
    t.after(() => proxy.stop());
    const lossy = dockerMachines({ clock: systemClock(), host: proxy.host, network: "none" });
    const restored = { ...volume, marker };
    const note = [kept("note", { content: "kept" })];
    const calls: [request: RegExp, call: () => Promise<unknown>][] = [
      [/^POST \S*\/volumes\/create/u, () => lossy.volumes.provision(volume, signal)],
      [/^POST \S*\/containers\/create/u, () => lossy.start(spec, fixture)],
      [/^DELETE \S*\/containers\//u, () => lossy.remove(id, signal)],
      [/^POST \S*\/containers\/\S+\/start/u, () => lossy.start(spec, fixture)],
      [/^GET \S*\/containers\/json/u, () => lossy.list(signal)],
      [/^GET \S*\/volumes\?/u, () => lossy.list(signal)],
      [/^DELETE \S*\/containers\//u, () => lossy.remove(id, signal)],
      [/^PUT \S*\/archive/u, () => lossy.volumes.restore(restored, tarOf(note), signal)],
      [/^DELETE \S*\/volumes\//u, () => lossy.volumes.restore(restored, tarOf(note), signal)],
      [/^GET \S*\/archive/u, () => lossy.volumes.read(id, signal).then(keptIn)],
    ];
    for (const [request, call] of calls) {
      const before = proxy.lost();
      proxy.lose(request);
      const error = await assertThrows(call(), "unavailable");
      assert.equal(error.details["endpoint"], "docker");
      assert.equal(proxy.lost(), before + 1, String(request));
      await inTime(call(), `again: ${String(request)}`);
    }
    await lossy.start(spec, fixture);
    assert.equal(await printed("cat note"), "kept");
    await lossy.remove(id, signal);
    proxy.lose(/^DELETE \S*\/volumes\//u);
    await assertThrows(lossy.volumes.remove(id, signal), "unavailable");
    await lossy.volumes.remove(id, signal);
  });
}

function leftovers(engine: DockerEngine, bench: MakeBench): void {
  test("a dead node's helper container is not a machine, and blocks no call", async (t) => {
    const { machines, id, volume, signal, spec, fixture } = await bench(t);
    const name = `daybook-ws-${id}-helper`;
    const body = {
      Image: engine.imageRef,
      Cmd: ["never"],
      Labels: { "daybook.workspace": id, "daybook.helper": "1" },
      HostConfig: {
        NetworkMode: "none",
        Mounts: [{ Type: "volume", Source: `daybook-ws-${id}-home`, Target: "/home/daybook" }],
      },
    };
    const orphan = async (): Promise<void> => {
      const made = await engine.send(`POST /containers/create?name=${name}`, body);
      assert.equal(made.status, 201, made.text);
    };
    const free = { machine: null, volume: { marker: null } };
    await machines.volumes.provision(volume, signal);
    await orphan();
    assert.deepEqual(await machines.inspect(id, signal), free);
    assert.deepEqual((await machines.list(signal)).get(id), free);
    assert.deepEqual(await keptIn(await machines.volumes.read(id, signal)), []);
    assert.equal((await engine.send(`GET /containers/${name}/json`)).status, 404);
    await orphan();
    const tar = tarOf([kept("note")]);
    await machines.volumes.restore({ ...volume, marker }, tar, signal);
    assert.equal((await engine.send(`GET /containers/${name}/json`)).status, 404);
    await orphan();
    await machines.start(spec, fixture);
    await machines.remove(id, signal);
    await machines.volumes.remove(id, signal);
    assert.equal((await machines.list(signal)).has(id), false);
  });
  test("a foreign container with the helper's name is not touched", async (t) => {
    const { machines, id, volume, signal } = await bench(t);
    const name = `daybook-ws-${id}-helper`;
    const body = { Image: engine.imageRef, Cmd: ["true"], HostConfig: { NetworkMode: "none" } };
    await machines.volumes.provision(volume, signal);
    await engine.send(`POST /containers/create?name=${name}`, body);
    t.after(() => engine.send(`DELETE /containers/${name}?force=1`));
    await assertThrows(machines.volumes.read(id, signal), "refused");
    assert.equal((await engine.send(`GET /containers/${name}/json`)).status, 200);
    await engine.send(`DELETE /containers/${name}?force=1`);
  });
  test("a volume that the engine creates by itself is marked as lost", async (t) => {
    const { machines, id, spec, volume, signal, fixture } = await bench(t);
    await machines.volumes.provision(volume, signal);
    await machines.start(spec, fixture);
    await machines.remove(id, signal);
    // The volume disappears between the inspection and the creation of the container.
    const proxy = await lossyProxy(engine.host);
    t.after(() => proxy.stop());
    const between = dockerMachines({ clock: systemClock(), host: proxy.host, network: "none" });
    proxy.before(/^POST \S*\/containers\/create/u, () => machines.volumes.remove(id, signal));
    await between.start(spec, fixture);
    assert.deepEqual((await machines.inspect(id, signal)).volume, { marker: "lost" });
  });
}

function archived(bench: MakeBench): void {
  test("a volume survives an archive round trip, without its pipes", async (t) => {
    const one = await bench(t);
    const two = await bench(t);
    const { machines, signal } = one;
    await machines.volumes.restore({ ...one.volume, marker }, tarOf(home), signal);
    await machines.start(one.spec, one.fixture);
    await one.printed("mkfifo pipe; echo x > first; ln first second; mkdir -p new/folder");
    await machines.remove(one.id, signal);
    const tar = vet(await machines.volumes.read(one.id, signal), { special: "skip" });
    await machines.volumes.restore({ ...two.volume, marker }, tar, signal);
    const before = await keptIn(await machines.volumes.read(one.id, signal));
    const after = await keptIn(await machines.volumes.read(two.id, signal));
    assert.ok(before.some(({ name }) => name === "pipe"));
    assert.deepEqual(
      after,
      before.filter(({ name }) => name !== "pipe"),
    );
  });
}

function ownDeath(engine: DockerEngine, bench: MakeBench): void {
  test("a killed node's programs die, also outside their process group", async (t) => {
    const make = await bench(t);
    await make.running();
    const script = "sleep 1000 & setsid sleep 1000 & sleep 0.2; echo ready; wait";
    const node = execNode(engine.host, make.id, script);
    t.after(() => node.kill("SIGKILL"));
    const at = outputWith("ready");
    node.stdout.setEncoding("utf8").on("data", (text: string) => at.onOutput(text, "output"));
    await inTime(at.found, "the program runs");
    const waitUntil = (condition: string) =>
      make.printed(
        `i=0; until ${condition}; do i=$((i+1)); [ $i -lt 200 ] || exit 1; sleep 0.05; done`,
      );
    const sleepers = "$(ps -o args | grep -c '^sleep 100[0]')";
    // The killer starts a moment after the program.
    await waitUntil("grep -qs 'while read -r wor[d]' /proc/[0-9]*/cmdline");
    await waitUntil(`[ ${sleepers} = 2 ]`);
    const exit = once(node, "exit");
    node.kill("SIGKILL");
    await exit;
    await waitUntil(`[ ${sleepers} = 0 ]`);
  });
  test("an abort finds processes outside the process group by their mark", async (t) => {
    const make = await bench(t);
    await make.running();
    const stopping = new AbortController();
    const at = outputWith("ready");
    const running = make.sh("setsid sleep 1000 & sleep 0.2; echo ready; wait", {
      signal: stopping.signal,
      onOutput: at.onOutput,
      diesWithUs: true,
    });
    await inTime(Promise.race([at.found, running]), "the program runs");
    stopping.abort();
    const end = await running;
    assert.ok(end.started && end.cut === "told to stop", JSON.stringify(end));
    assert.equal(await make.printed("ps -o args | grep -c '^sleep 100[0]' || true"), "0\n");
  });
}

/** These stop the engine, so they run last. */
function brokenEngineCases(engine: DockerEngine, bench: MakeBench): void {
  test("a frozen engine times out, and works again when it is thawed", async (t) => {
    const make = await bench(t);
    await make.running();
    const hasty = machinesOn(engine, 300);
    await hasty.list(make.signal);
    await engine.freeze();
    try {
      const error = await assertThrows(hasty.list(make.signal), "unavailable");
      assert.match(error.message, /did not answer .* within 300 ms/u);
      await assertThrows(hasty.inspect(make.id, make.signal), "unavailable");
      const stopping = new AbortController();
      const inspecting = make.machines.inspect(make.id, stopping.signal);
      stopping.abort("the lease is lost");
      await assertThrows(inspecting, "unknown");
    } finally {
      engine.thaw();
    }
    assert.equal((await make.machines.inspect(make.id, make.signal)).machine, "running");
  });
  test("an engine that dies fails the calls in flight, and no volume looks complete", async (t) => {
    const make = await bench(t);
    const other = await bench(t);
    await make.running();
    await make.printed("echo kept > note");
    const at = outputWith("at work");
    const working = make.sh("echo at work; sleep 1000", { onOutput: at.onOutput });
    await inTime(at.found, "the program runs");
    const { promise: requested, resolve } = Promise.withResolvers<void>();
    const spec = { ...other.volume, marker };
    const restoring = other.machines.volumes.restore(spec, endless(resolve), other.signal);
    restoring.catch(() => undefined);
    await inTime(requested, "the restore has begun");
    await engine.halt();
    await assertThrows(restoring, "unavailable");
    const end = await working;
    assert.ok(end.started && end.status === null, JSON.stringify(end));
    await assertThrows(make.machines.inspect(make.id, make.signal), "unavailable");
    await assertThrows(make.machines.list(make.signal), "unavailable");
    await assertThrows(make.machines.check(make.signal), "unavailable");
    await engine.start();
    const list = await make.machines.list(make.signal);
    assert.deepEqual(list.get(make.id), { machine: "stopped", volume: { marker: null } });
    assert.deepEqual(list.get(other.id), { machine: null, volume: { marker } });
    await make.machines.start(make.spec, make.fixture);
    assert.equal(await make.printed("cat note"), "kept\n");
    await other.machines.volumes.restore(spec, tarOf(home), other.signal);
    const found = await keptIn(await other.machines.volumes.read(other.id, other.signal));
    assert.equal(found.length, home.length);
  });
}

async function* endless(taken: () => void): AsyncGenerator<Uint8Array> {
  const whole = Buffer.concat(await Array.fromAsync(tarOf(home)));
  yield whole.subarray(0, whole.length - 2_000_000);
  taken();
  await new Promise(() => undefined);
}
