import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { dockerEngine, type DockerEngine } from "../src/testing/docker/engine.ts";
import { alwaysScene, type AlwaysScene, type Told } from "./always-scene.ts";

const often = "pollSeconds: 1";

describe("workspaces on this computer", () => {
  test("are kept running, slept by an archive, and are back with every byte when something runs in them", async (t) => {
    const scene = await alwaysScene(t, `workspaces: { ${often} }`);
    await walk(scene, "box");
    assert.deepEqual(visible(join(scene.home, "workspaces")), []);
  });
  test("nobody has to make one first", async (t) => {
    const scene = await alwaysScene(
      t,
      `workspaces: { ${often} }\nkeep: { scratch: { sleepAfter: 1h } }`,
    );
    assert.equal(await scene.runIn("scratch", "pwd | grep -c /home$"), "1");
    const { body } = await scene.ask("GET", "/v1/workspaces/scratch");
    assert.equal((body as { standby_ttl_seconds: number }).standby_ttl_seconds, 3_600);
    await gone(scene, "scratch");
  });
  test("a machine that dies outside runs again", async (t) => {
    const scene = await alwaysScene(t, `workspaces: { ${often} }`);
    await scene.said("keep", "box");
    const { id } = await scene.until("box", ({ status }) => status === "RUNNING");
    const file = join(scene.home, "workspaces", id, "machine.json");
    const before = pidIn(file);
    process.kill(before, "SIGKILL");
    await scene.until("box", (told) => {
      return isUp(told) && existsSync(file) && pidIn(file) !== before;
    });
    await gone(scene, id);
  });
  test("outlive the daemon that started them", async (t) => {
    const scene = await alwaysScene(t, `workspaces: { ${often} }`);
    await scene.said("keep", "box");
    const { id } = await scene.until("box", ({ status }) => status === "RUNNING");
    const file = join(scene.home, "workspaces", id, "machine.json");
    const before = pidIn(file);
    await scene.crash();
    assert.equal(await scene.runIn("box", "echo still here"), "still here");
    assert.equal(pidIn(file), before);
    await gone(scene, id);
  });
  test("one more than may run is refused, and says which do", async (t) => {
    const scene = await alwaysScene(t, `workspaces: { perOwner: 1, ${often} }`);
    await scene.said("keep", "first");
    const { status, body } = await scene.ask("POST", "/v1/workspaces", { name: "second" });
    assert.equal(status, 429);
    assert.match(JSON.stringify(body), /"limit_type":"per_user".*"max":1.*"name":"first"/);
    await gone(scene, "first");
  });
});

describe("workspaces in containers", () => {
  const made = dockerEngine();
  after(async () => {
    const docker = await made;
    if (!("missing" in docker)) await docker.stop();
  });
  test("are kept running, slept by an archive, and are back with every byte when something runs in them", async (t) => {
    const docker = await made;
    if ("missing" in docker) return t.skip(docker.missing);
    const scene = await alwaysScene(t, inContainers(docker));
    await walk(scene, "box");
    const { text } = await docker.ask("GET /volumes");
    assert.doesNotMatch(text, /daybook-ws-/);
  });
  test("one that is killed outside runs again", async (t) => {
    const docker = await made;
    if ("missing" in docker) return t.skip(docker.missing);
    const scene = await alwaysScene(t, inContainers(docker));
    await scene.said("keep", "box");
    const { id, observed_at: before } = await scene.until("box", isUp);
    const killed = await docker.ask(`POST /containers/daybook-ws-${id}/kill`);
    assert.equal(killed.status, 204, killed.text);
    await scene.until("box", (told) => isUp(told) && told.observed_at !== before);
    assert.match(
      await scene.said("explain", id),
      /standby[^]*STARTING is done[^]*STARTING is done/,
    );
    await gone(scene, id);
  });
});

function isUp({ status, operation }: Told): boolean {
  return status === "RUNNING" && operation === "NONE";
}

function inContainers({ host, imageRef }: DockerEngine): string {
  return `machines: docker
docker: { host: "${host}", network: none }
workspaces: { image: "${imageRef}", ${often} }`;
}

/** From nothing to an archive and back, and to nothing. */
async function walk(scene: AlwaysScene, name: string): Promise<void> {
  await scene.said("keep", name);
  const up = await scene.until(name, ({ status }) => status === "RUNNING");
  assert.equal(up.operation, "NONE");
  const write =
    "head -c 300000 /dev/urandom > data && ln -s data link && mkdir -p a/b && echo 한글 > a/b/글.txt";
  const before = await scene.runIn(name, `${write} && ${sums}`);
  assert.match(before, /^[0-9a-f]{64} {2}data$/m);

  await scene.said("archive", name);
  const asleep = await scene.until(
    name,
    ({ display, operation }) => display === "ARCHIVED" && operation === "NONE",
  );
  assert.match(asleep.archive_key ?? "", /^archives\/.+\/home\.tar\.zst$/);

  // Nobody wakes it: what is to run in it does.
  assert.equal(await scene.runIn(name, sums), before);
  assert.match(await scene.said("workspace", name), /RUNNING/);
  assert.match(await scene.said("explain", up.id), /RESTORING is done/);

  await gone(scene, up.id);
}

/** Its machine is a process that nobody else ends. */
async function gone(scene: AlwaysScene, name: string): Promise<void> {
  const { id } = await scene.until(name, () => true);
  await scene.said("workspace", "delete", id);
  await scene.until(id, ({ status }) => status === "DELETED");
}

const sums = "sha256sum data a/b/글.txt && readlink link";

function visible(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
}

function pidIn(file: string): number {
  return (JSON.parse(readFileSync(file, "utf8")) as { pid: number }).pid;
}
