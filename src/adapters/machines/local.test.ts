import assert from "node:assert/strict";
import { spawn as spawnChild } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import type { Machines } from "../../features/workspaces/machines.ts";
import { nothingExists } from "../../features/workspaces/observation.ts";
import { childProcess } from "../../platform/child-process.ts";
import { systemClock } from "../../platform/clock.ts";
import { machinesSuite } from "../../testing/machines/conformance.ts";
import { home, kept, keptIn, tarOf } from "../../testing/machines/home-tar.ts";
import {
  assertThrows,
  benchOf,
  outputWith,
  inTime,
  type MachinesRig,
} from "../../testing/machines/rig.ts";
import { local } from "./local.ts";

const clock = systemClock();
const spawn = childProcess({ clock });

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "daybook-local-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function at(folder: string): Machines {
  return local({ folder, node: "here", clock, spawn });
}

async function kill(folder: string, id: string): Promise<void> {
  const { signal } = new AbortController();
  const { pid } = JSON.parse(await readFile(join(folder, id, "machine.json"), "utf8")) as {
    pid: number;
  };
  process.kill(pid, "SIGKILL");
  while ((await at(folder).inspect(id, signal)).machine === "running") {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

// All cases share one folder, as all workspaces do.
const shared = await mkdtemp(join(tmpdir(), "daybook-local-"));
after(() => rm(shared, { recursive: true, force: true }));

machinesSuite("local", rigOf);

async function rigOf(t: TestContext): Promise<MachinesRig> {
  const gone = await folderFor(t);
  const file = join(gone, "file");
  await writeFile(file, "");
  return {
    machines: at(shared),
    other: at(shared),
    imageRef: "local",
    kill: (id) => kill(shared, id),
    unreachable: async () => at(join(file, "workspaces")),
    endpoint: join(file, "workspaces"),
  };
}

const marker = "archives/w/op-1/home.tar.zst";

/** A separate node, which a test can kill. It prints "ready" when the script calls it. */
async function nodeThat(t: TestContext, script: string): Promise<() => Promise<void>> {
  const from = (path: string) => JSON.stringify(import.meta.resolve(path));
  const text = `
    import { childProcess } from ${from("../../platform/child-process.ts")};
    import { systemClock } from ${from("../../platform/clock.ts")};
    import { local } from ${from("./local.ts")};
    import { home, tarOf } from ${from("../../testing/machines/home-tar.ts")};
    const clock = systemClock();
    const machines = local({ folder: ${JSON.stringify(shared)}, node: "here", clock, spawn: childProcess({ clock }) });
    const { signal } = new AbortController();
    const ready = () => console.log("ready");
    const forEver = () => new Promise((resolve) => setTimeout(resolve, 1_000_000));
    ${script}`;
  const args = ["--input-type=module-typescript", "-e", text];
  const child = spawnChild(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  await inTime(
    Promise.race([once(child.stdout, "data"), once(child, "exit")]),
    "the node is ready",
  );
  assert.equal(child.exitCode, null);
  return async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
}

test("a killed restore leaves no volume, and the next restore is complete", async (t) => {
  const { machines, id, volume, signal } = await benchOf(t, rigOf);
  await machines.volumes.provision(volume, signal);
  const kill9 = await nodeThat(
    t,
    `async function* half() {
      let bytes = 0;
      for await (const piece of tarOf(home)) {
        yield piece;
        bytes += piece.length;
        if (bytes > 1_000_000) break;
      }
      ready();
      await forEver();
    }
    const restore = { ...${JSON.stringify(volume)}, marker: ${JSON.stringify(marker)} };
    await machines.volumes.restore(restore, half(), signal);`,
  );
  const left = async () => (await readdir(shared)).filter((name) => name.includes(id));
  await kill9();
  assert.equal((await left()).length, 1, "the scratch folder exists");
  assert.deepEqual(await machines.inspect(id, signal), nothingExists);
  assert.equal((await machines.list(signal)).has(id), false);
  await machines.volumes.restore({ ...volume, marker }, tarOf(home), signal);
  assert.equal((await keptIn(await machines.volumes.read(id, signal))).length, home.length);
  assert.deepEqual(await left(), [id]);
});

test("a machine outlives its node, and the next node finds it", async (t) => {
  const bench = await benchOf(t, rigOf);
  const { machines, id, spec, volume, signal, printed } = bench;
  const kill9 = await nodeThat(
    t,
    `await machines.volumes.provision(${JSON.stringify(volume)}, signal);
    await machines.start(${JSON.stringify(spec)}, { signal, progress() {} });
    ready();
    await forEver();`,
  );
  await kill9();
  assert.equal((await machines.inspect(id, signal)).machine, "running");
  assert.equal(
    await printed('echo "$HOME" "$DAYBOOK_WORKSPACE"'),
    `${join(shared, id, "home")} ${id}\n`,
  );
  await machines.remove(id, signal);
  assert.equal((await machines.inspect(id, signal)).machine, null);
});

test("a removal also ends processes outside the group, in this workspace only", async (t) => {
  const [one, two] = [await benchOf(t, rigOf), await benchOf(t, rigOf)];
  for (const { running } of [one, two]) await running();
  const escape = "setsid sh -c 'echo $$ away; while :; do sleep 1; done' & wait";
  const works = [one, two].map((bench) => {
    const at = outputWith("away");
    return { bench, at, working: bench.sh(escape, { onOutput: at.onOutput }) };
  });
  for (const { at, working } of works)
    await inTime(Promise.race([at.found, working]), "the program has left its group");
  const pids = works.map(({ at }) => Number(/\d+/.exec(at.text())?.[0]));
  await one.machines.remove(one.id, one.signal);
  assert.deepEqual(await Promise.all(pids.map(isAlive)), [false, true]);
  await two.machines.remove(two.id, two.signal);
  assert.deepEqual(await Promise.all(pids.map(isAlive)), [false, false]);
  for (const { working } of works) await working;
});

async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => ") Z");
  return !/\) [ZX]/.test(stat);
}

test("a reused process id is neither taken for the machine nor killed", async (t) => {
  const bench = await benchOf(t, rigOf);
  const { machines, id, spec, volume, signal, fixture } = bench;
  await machines.volumes.provision(volume, signal);
  const bystander = spawnChild("sleep", ["1000"], { detached: true });
  t.after(() => bystander.kill("SIGKILL"));
  await once(bystander, "spawn");
  for (const text of [JSON.stringify({ pid: bystander.pid, startedAt: "long ago" }), "", "{"]) {
    await writeFile(join(shared, id, "machine.json"), text);
    assert.equal((await machines.inspect(id, signal)).machine, "stopped");
    await machines.start(spec, fixture);
    assert.equal((await machines.inspect(id, signal)).machine, "running");
    await machines.remove(id, signal);
    assert.equal(await isAlive(bystander.pid ?? 0), true);
  }
});

test("a foreign folder counts as no workspace, and is never touched", async (t) => {
  const { machines, id, spec, volume, signal, fixture } = await benchOf(t, rigOf);
  const note = join(shared, id, "home", "note");
  await mkdir(join(shared, id, "home"), { recursive: true });
  t.after(() => rm(join(shared, id), { recursive: true, force: true }));
  await writeFile(note, "somebody's");
  for (const text of [
    undefined,
    "{",
    JSON.stringify({ id: "another", owner: "me", marker: null }),
  ]) {
    if (text !== undefined) await writeFile(join(shared, id, "volume.json"), text);
    assert.deepEqual(await machines.inspect(id, signal), nothingExists);
    assert.equal((await machines.list(signal)).has(id), false);
    await assertThrows(machines.start(spec, fixture), "refused");
    await assertThrows(machines.remove(id, signal), "refused");
    await assertThrows(machines.volumes.provision(volume, signal), "refused");
    await assertThrows(machines.volumes.read(id, signal), "refused");
    await assertThrows(
      machines.volumes.restore({ ...volume, marker }, tarOf([]), signal),
      "refused",
    );
    await assertThrows(machines.volumes.remove(id, signal), "refused");
    assert.equal(await readFile(note, "utf8"), "somebody's");
  }
});

test("a hostile tar reaches nothing outside the volume", async (t) => {
  const { machines, volume, signal } = await benchOf(t, rigOf);
  const outside = await folderFor(t);
  const evil = [
    kept("a", { type: "symlink", linkname: outside }),
    kept("a/evil", { content: "x" }),
  ];
  const restoring = machines.volumes.restore({ ...volume, marker }, tarOf(evil), signal);
  await assertThrows(restoring, "refused");
  assert.deepEqual(await readdir(outside), []);
});
