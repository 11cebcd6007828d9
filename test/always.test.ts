import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { dockerEngine, type DockerEngine } from "../src/testing/docker/engine.ts";
import { workspaceScenario, type WorkspaceScenario, type Told } from "./workspace-scenario.ts";

const often = "pollSeconds: 1";

describe("workspaces on this computer", () => {
  test("are kept running, slept by an archive, and are back with every byte when something runs in them", async (t) => {
    const scenario = await workspaceScenario(t, `workspaces: { ${often} }`);
    await walk(scenario, "box");
    assert.deepEqual(visible(join(scenario.home, "workspaces")), []);
  });
  test("are created by the settings, without a request", async (t) => {
    const scenario = await workspaceScenario(
      t,
      `workspaces: { ${often} }\nkeep: { scratch: { sleepAfter: 1h } }`,
    );
    assert.equal(await scenario.runIn("scratch", "pwd | grep -c /home$"), "1");
    const { body } = await scenario.ask("GET", "/v1/workspaces/scratch");
    assert.equal((body as { standby_ttl_seconds: number }).standby_ttl_seconds, 3_600);
    await gone(scenario, "scratch");
  });
  test("are started again after their machine dies", async (t) => {
    const scenario = await workspaceScenario(t, `workspaces: { ${often} }`);
    await scenario.said("keep", "box");
    const { id } = await scenario.until("box", ({ status }) => status === "RUNNING");
    const file = join(scenario.home, "workspaces", id, "machine.json");
    const before = pidIn(file);
    process.kill(before, "SIGKILL");
    await scenario.until("box", (told) => {
      return isUp(told) && existsSync(file) && pidIn(file) !== before;
    });
    await gone(scenario, id);
  });
  test("outlive the daemon that started them", async (t) => {
    const scenario = await workspaceScenario(t, `workspaces: { ${often} }`);
    await scenario.said("keep", "box");
    const { id } = await scenario.until("box", ({ status }) => status === "RUNNING");
    const file = join(scenario.home, "workspaces", id, "machine.json");
    const before = pidIn(file);
    await scenario.crash();
    assert.equal(await scenario.runIn("box", "echo still here"), "still here");
    assert.equal(pidIn(file), before);
    await gone(scenario, id);
  });
  test("whose daemon stopped: said at stop and in `status`, stopped if set; `ps` shows the workspace's name", async (t) => {
    const scenario = await workspaceScenario(t, `workspaces: { ${often} }`);
    await scenario.said("keep", "box");
    const { id } = await scenario.until("box", isUp);
    const file = join(scenario.home, "workspaces", id, "machine.json");
    const asked = ["-o", "args=", "-p", `${pidIn(file)}`];
    const shown = execFileSync("ps", asked, { encoding: "utf8" });
    assert.match(shown, /daybook workspace box$/m);
    assert.doesNotMatch(await scenario.said("status"), /without a daemon/);
    assert.match(await scenario.stop(), /^Workspaces that still run: box\. To stop all /m);
    assert.match(await scenario.said("status"), /^Workspaces that run without a daemon: box$/m);
    await scenario.start("workspaces: { pollSeconds: 1, stopWithDaemon: true }");
    await scenario.until("box", isUp);
    assert.match(await scenario.stop(), /^Stopped: box\.$/m);
    assert.doesNotMatch(await scenario.said("status"), /without a daemon/);
    assert.ok(!existsSync(file));
  });
  test("over the limit are refused with the names of the running ones", async (t) => {
    const scenario = await workspaceScenario(t, `workspaces: { perOwner: 1, ${often} }`);
    await scenario.said("keep", "first");
    const { status, body } = await scenario.ask("POST", "/v1/workspaces", { name: "second" });
    assert.equal(status, 429);
    assert.match(JSON.stringify(body), /"limit_type":"per_user".*"max":1.*"name":"first"/);
    await gone(scenario, "first");
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
    const scenario = await workspaceScenario(t, inContainers(docker));
    await walk(scenario, "box");
    const { text } = await docker.send("GET /volumes");
    assert.doesNotMatch(text, /daybook-ws-/);
  });
  test("are started again after an outside kill", async (t) => {
    const docker = await made;
    if ("missing" in docker) return t.skip(docker.missing);
    const scenario = await workspaceScenario(t, inContainers(docker));
    await scenario.said("keep", "box");
    const { id, observed_at: before } = await scenario.until("box", isUp);
    const killed = await docker.send(`POST /containers/daybook-ws-${id}/kill`);
    assert.equal(killed.status, 204, killed.text);
    await scenario.until("box", (told) => isUp(told) && told.observed_at !== before);
    assert.match(
      await scenario.said("explain", id),
      /standby[^]*STARTING is done[^]*STARTING is done/,
    );
    await gone(scenario, id);
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

/** Creates a workspace, archives it, restores it and deletes it. */
async function walk(scenario: WorkspaceScenario, name: string): Promise<void> {
  await scenario.said("keep", name);
  const up = await scenario.until(name, ({ status }) => status === "RUNNING");
  assert.equal(up.operation, "NONE");
  const write =
    "head -c 300000 /dev/urandom > data && ln -s data link && mkdir -p a/b && echo 한글 > a/b/글.txt";
  const before = await scenario.runIn(name, `${write} && ${sums}`);
  assert.match(before, /^[0-9a-f]{64} {2}data$/m);

  await scenario.said("archive", name);
  const asleep = await scenario.until(
    name,
    ({ display, operation }) => display === "ARCHIVED" && operation === "NONE",
  );
  assert.match(asleep.archive_key ?? "", /^archives\/.+\/home\.tar\.zst$/);

  // The task that needs the workspace wakes it.
  assert.equal(await scenario.runIn(name, sums), before);
  assert.match(await scenario.said("workspace", name), /RUNNING/);
  assert.match(await scenario.said("explain", up.id), /RESTORING is done/);

  await gone(scenario, up.id);
}

/** The machine is a process that only the test ends. */
async function gone(scenario: WorkspaceScenario, name: string): Promise<void> {
  const { id } = await scenario.until(name, () => true);
  await scenario.said("workspace", "delete", id);
  await scenario.until(id, ({ status }) => status === "DELETED");
}

const sums = "sha256sum data a/b/글.txt && readlink link";

function visible(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
}

function pidIn(file: string): number {
  return (JSON.parse(readFileSync(file, "utf8")) as { pid: number }).pid;
}
