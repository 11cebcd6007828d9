import assert from "node:assert/strict";
import { after, test, type TestContext } from "node:test";
import { systemClock } from "../../platform/clock.ts";
import { busyboxTar } from "../../testing/docker/busybox-image.ts";
import { dockerEngine, type DockerEngine } from "../../testing/docker/engine.ts";
import { registry } from "../../testing/docker/registry.ts";
import { dockerRig } from "../../testing/docker/rig.ts";
import { assertThrows, benchOf, inTime, type Bench } from "../../testing/machines/rig.ts";
import { dockerMachines } from "./docker.ts";

const docker = await dockerEngine();
if ("missing" in docker) test("machines of docker", { skip: docker.missing });
else {
  after(() => docker.stop());
  const bench = (t: TestContext) => benchOf(t, () => dockerRig(docker));
  privileges(docker, bench);
  limits(docker, bench);
  health(docker, bench);
  images(docker, bench);
}

type MakeBench = (t: TestContext) => Promise<Bench>;

interface Inspected {
  readonly Config: Record<string, unknown> & { Labels: Record<string, string> };
  readonly HostConfig: Record<string, unknown>;
  readonly Mounts: readonly Record<string, unknown>[];
}

async function inspect(engine: DockerEngine, id: string): Promise<Inspected> {
  return JSON.parse((await engine.send(`GET /containers/daybook-ws-${id}/json`)).text) as Inspected;
}

function privileges(engine: DockerEngine, bench: MakeBench): void {
  test("a container has no privilege, no host path and no capability", async (t) => {
    const { machines, id, spec, volume, signal, fixture, printed } = await bench(t);
    await machines.volumes.provision(volume, signal);
    const requested = {
      Privileged: true,
      privileged: true,
      Binds: ["/:/host"],
      CapAdd: ["ALL"],
      HostConfig: { Privileged: true },
      PidMode: "host",
      Devices: [{ PathOnHost: "/dev/sda" }],
    };
    const limits = { ...spec.limits, ...requested };
    await machines.start({ ...spec, ...requested, limits }, fixture);
    const { Config, HostConfig, Mounts } = await inspect(engine, id);
    assert.equal(HostConfig["Privileged"], false);
    for (const none of ["Binds", "CapAdd", "VolumesFrom", "DeviceRequests", "DeviceCgroupRules"]) {
      assert.ok([null, undefined].includes(HostConfig[none] as null), none);
    }
    assert.deepEqual(HostConfig["Devices"] ?? [], []);
    for (const space of ["PidMode", "UTSMode", "UsernsMode"]) assert.equal(HostConfig[space], "");
    assert.equal(HostConfig["IpcMode"], "private");
    assert.equal(HostConfig["NetworkMode"], "none");
    assert.deepEqual(HostConfig["CapDrop"], ["ALL"]);
    assert.deepEqual(HostConfig["SecurityOpt"], ["no-new-privileges"]);
    assert.deepEqual(HostConfig["RestartPolicy"], { Name: "no", MaximumRetryCount: 0 });
    assert.deepEqual(
      Mounts.map(({ Type, Name, Destination }) => [Type, Name, Destination]),
      [["volume", `daybook-ws-${id}-home`, "/home/daybook"]],
    );
    assert.equal(Config.Labels["daybook.workspace"], id);
    assert.equal(Config.Labels["daybook.owner"], "me");
    const status = await printed("cat /proc/self/status");
    assert.match(status, /^CapEff:\s0+$/mu);
    assert.match(status, /^CapBnd:\s0+$/mu);
    assert.match(status, /^NoNewPrivs:\s1$/mu);
  });
  test("a container starts in its home and may write there, with any image user", async (t) => {
    const { machines, spec, volume, signal, fixture, printed } = await bench(t);
    const imageRef = await imageWith(engine, "user", { User: "1000", Env: ["FROM_IMAGE=yes"] });
    await machines.volumes.provision(volume, signal);
    await machines.start({ ...spec, imageRef }, fixture);
    const found = await printed("echo x > note; pwd; echo $HOME $FROM_IMAGE; cat note");
    assert.equal(found, "/home/daybook\n/home/daybook yes\nx\n");
  });
  test("an image's files at the home path are not copied into the volume", async (t) => {
    const { machines, spec, volume, signal, fixture, printed } = await bench(t);
    const body = { Image: engine.imageRef, Cmd: ["mkdir", "-p", "/home/daybook/of-the-image"] };
    const imageRef = await imageWith(engine, "home", {}, body);
    await machines.volumes.provision(volume, signal);
    await machines.start({ ...spec, imageRef }, fixture);
    assert.equal(await printed("ls -A"), "");
  });
  test("a created container is started, or replaced when its spec differs", async (t) => {
    const { machines, id, spec, volume, signal, fixture } = await bench(t);
    await machines.volumes.provision(volume, signal);
    const body = {
      Image: engine.imageRef,
      Cmd: ["sleep", "1000"],
      Labels: { "daybook.workspace": id, "daybook.spec": "another" },
      HostConfig: { NetworkMode: "none" },
    };
    await engine.send(`POST /containers/create?name=daybook-ws-${id}`, body);
    assert.equal((await machines.inspect(id, signal)).machine, "stopped");
    await machines.start(spec, fixture);
    assert.equal((await inspect(engine, id)).Mounts.length, 1);
    assert.equal((await machines.inspect(id, signal)).machine, "running");
  });
}

function limits(engine: DockerEngine, bench: MakeBench): void {
  test("a program over the memory limit is killed, and the machine continues", async (t) => {
    const { machines, id, spec, volume, signal, fixture, sh, printed } = await bench(t);
    await machines.volumes.provision(volume, signal);
    await machines.start({ ...spec, limits: { ...spec.limits, memoryMb: 32 } }, fixture);
    const end = await sh("exec tail /dev/zero");
    assert.ok(end.started && end.status === null && end.cut === null, JSON.stringify(end));
    assert.equal((await machines.inspect(id, signal)).machine, "running");
    assert.equal(await printed("echo well"), "well\n");
  });
  test("processes over the limit are not started", async (t) => {
    const { machines, spec, volume, signal, fixture, sh, printed } = await bench(t);
    await machines.volumes.provision(volume, signal);
    await machines.start({ ...spec, limits: { ...spec.limits, pids: 40 } }, fixture);
    const many = "i=0; while [ $i -lt 100 ]; do sleep 100 & i=$((i+1)); done; echo all";
    const end = await sh(many);
    assert.ok(end.started && !end.output.includes("all"), JSON.stringify(end));
    assert.match(end.errors, /fork/u);
    assert.equal(await printed("echo well"), "well\n");
  });
  test("a container has its CPU limit", async (t) => {
    const { machines, id, spec, volume, signal, fixture } = await bench(t);
    await machines.volumes.provision(volume, signal);
    await machines.start({ ...spec, limits: { memoryMb: 64, cpus: 0.5, pids: 50 } }, fixture);
    const { HostConfig } = await inspect(engine, id);
    const { NanoCpus, Memory, MemorySwap, PidsLimit } = HostConfig;
    const bytes = 64 * 1_024 * 1_024;
    assert.deepEqual([NanoCpus, Memory, MemorySwap, PidsLimit], [5e8, bytes, bytes, 50]);
  });
}

function health(engine: DockerEngine, bench: MakeBench): void {
  const check = (command: string) => ({
    Healthcheck: { Test: ["CMD-SHELL", command], Interval: 1e8, Timeout: 5e9, Retries: 1 },
  });
  test("an image's health check decides when the machine is ready", async (t) => {
    const { machines, id, spec, volume, signal, printed } = await bench(t);
    const command = "until [ -e /home/daybook/well ]; do sleep 0.05; done";
    const imageRef = await imageWith(engine, "well", check(command));
    await machines.volumes.provision(volume, signal);
    const { promise: waits, resolve } = Promise.withResolvers<void>();
    const starting = machines.start({ ...spec, imageRef }, { signal, progress: () => resolve() });
    await inTime(Promise.race([waits, starting]), "it waits");
    assert.equal((await machines.inspect(id, signal)).machine, "starting");
    assert.equal((await machines.list(signal)).get(id)?.machine, "starting");
    await printed("touch well");
    await inTime(starting, "the health check passes");
    assert.equal((await machines.inspect(id, signal)).machine, "running");
    assert.equal((await machines.list(signal)).get(id)?.machine, "running");
  });
  test("a failed health check is an error with its output; the next start replaces it", async (t) => {
    const { machines, id, spec, volume, signal, fixture } = await bench(t);
    const imageRef = await imageWith(engine, "ill", check("echo the database is away; exit 3"));
    await machines.volumes.provision(volume, signal);
    const error = await assertThrows(machines.start({ ...spec, imageRef }, fixture));
    assert.match(error.message, /the database is away/u);
    assert.equal(error.details["stderr"], "the database is away");
    assert.equal(error.details["exit_code"], 3);
    assert.equal((await machines.inspect(id, signal)).machine, "starting");
    await machines.start(spec, fixture);
    assert.equal((await machines.inspect(id, signal)).machine, "running");
  });
}

function images(engine: DockerEngine, bench: MakeBench): void {
  test("a missing image is pulled by tag or digest, with progress", async (t) => {
    const { machines, spec, volume, signal, printed } = await bench(t);
    const peer = await registry(await busyboxTar("/bin/busybox"));
    t.after(() => peer.stop());
    await machines.volumes.provision(volume, signal);
    const progress: string[] = [];
    const fixture = { signal, progress: (text: string) => void progress.push(text) };
    await machines.start({ ...spec, imageRef: `${peer.name}@${peer.digest}` }, fixture);
    assert.equal(await printed("echo pulled"), "pulled\n");
    assert.match(progress[0] ?? "", /^pulling /u);
    assert.match(progress.at(-1) ?? "", /: 1 of 1 layers$/u);
    await machines.remove(spec.id, signal);
    await machines.start({ ...spec, imageRef: `${peer.name}:1` }, fixture);
  });
  test("an unknown image fails with the engine's own words; nothing is pulled unless the settings allow pulling", async (t) => {
    const { machines, id, spec, volume, signal, fixture } = await bench(t);
    const peer = await registry(await busyboxTar("/bin/busybox"));
    t.after(() => peer.stop());
    await machines.volumes.provision(volume, signal);
    const careful = dockerMachines({ clock: systemClock(), host: engine.host, network: "none" });
    const imageRef = `${peer.name}:1`;
    const error = await assertThrows(careful.start({ ...spec, imageRef }, fixture), "invalid");
    assert.match(
      error.message,
      /^The engine has no image .*\(No such image: .*\): pull it there/iu,
    );
    const { text } = await engine.send("GET /images/json");
    assert.ok(!text.includes(imageRef), "it was pulled");
    assert.equal((await machines.inspect(id, signal)).machine, null);
  });
  test("an image that differs from its digest is refused, and nothing starts", async (t) => {
    const { machines, id, spec, volume, signal, fixture } = await bench(t);
    const peer = await registry(Buffer.alloc(1_024));
    t.after(() => peer.stop());
    peer.serveWrongManifest();
    await machines.volumes.provision(volume, signal);
    const imageRef = `${peer.name}@${peer.digest}`;
    const error = await assertThrows(machines.start({ ...spec, imageRef }, fixture), "invalid");
    assert.match(error.message, /digest/u);
    assert.deepEqual(await machines.inspect(id, signal), {
      machine: null,
      volume: { marker: null },
    });
  });
  test("a missing image, registry or a malformed name each has its own error", async (t) => {
    const { machines, id, spec, volume, signal, fixture } = await bench(t);
    const peer = await registry(Buffer.alloc(1_024));
    t.after(() => peer.stop());
    await machines.volumes.provision(volume, signal);
    const start = (imageRef: string) => machines.start({ ...spec, imageRef }, fixture);
    const unknown = await assertThrows(start(`${peer.name}:none`), "invalid");
    assert.match(unknown.message, /The image .* does not exist .*check its name/u);
    const away = await assertThrows(start("127.0.0.1:1/image:1"), "unavailable");
    assert.match(away.message, /registry .*cannot be reached/u);
    assert.equal(away.details["endpoint"], "registry");
    for (const wrong of ["", "../x", "a b", "x@sha256:12", "image?all=1"]) {
      await assertThrows(start(wrong), "invalid");
    }
    assert.equal((await machines.inspect(id, signal)).machine, null);
  });
  test("an image without a shell is an error with advice", async (t) => {
    const { machines, spec, volume, signal, fixture } = await bench(t);
    await engine.send("POST /images/create?fromSrc=-&repo=no-shell&tag=1", Buffer.alloc(1_024));
    await machines.volumes.provision(volume, signal);
    const error = await assertThrows(machines.start({ ...spec, imageRef: "no-shell:1" }, fixture));
    assert.match(error.message, /\/bin\/sh/u);
  });
}

/** The test's image with other settings, after running a command in it. */
async function imageWith(
  engine: DockerEngine,
  name: string,
  config: object,
  body: object = { Image: engine.imageRef, Cmd: ["true"] },
): Promise<string> {
  const none = { HostConfig: { NetworkMode: "none" } };
  const made = await engine.send("POST /containers/create", { ...body, ...none });
  assert.equal(made.status, 201, made.text);
  const { Id } = JSON.parse(made.text) as { Id: string };
  await engine.send(`POST /containers/${Id}/start`);
  await engine.send(`POST /containers/${Id}/wait`);
  const kept = await engine.send(`POST /commit?container=${Id}&repo=with-${name}&tag=1`, config);
  assert.equal(kept.status, 201, kept.text);
  await engine.send(`DELETE /containers/${Id}?force=1`);
  return `with-${name}:1`;
}
