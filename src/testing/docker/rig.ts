import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dockerMachines } from "../../adapters/machines/docker.ts";
import type { Machines } from "../../features/workspaces/machines.ts";
import { systemClock } from "../../platform/clock.ts";
import type { MachinesRig } from "../machines/rig.ts";
import type { DockerEngine } from "./engine.ts";

/** A node's machines on a test's engine. */
export function machinesOn(docker: DockerEngine, timeoutMs = 30_000): Machines {
  return dockerMachines({
    clock: systemClock(),
    host: docker.host,
    network: "none",
    pull: true,
    timeoutMs,
  });
}

export function dockerRig(docker: DockerEngine): MachinesRig {
  return {
    machines: machinesOn(docker),
    other: machinesOn(docker),
    imageRef: docker.imageRef,
    endpoint: "docker",
    async kill(id) {
      const { status, text } = await docker.send(`POST /containers/daybook-ws-${id}/kill`);
      assert.equal(status, 204, text);
      await docker.send(`POST /containers/daybook-ws-${id}/wait`);
    },
    occupy: (id, what) =>
      what === "machine" ? foreignContainer(docker, id) : foreignVolume(docker, id),
    unreachable: () =>
      Promise.resolve(
        dockerMachines({
          clock: systemClock(),
          host: `unix://${join(tmpdir(), "no-engine-here.sock")}`,
        }),
      ),
  };
}

async function foreignContainer(docker: DockerEngine, id: string): Promise<() => Promise<void>> {
  const name = `daybook-ws-${id}`;
  const body = {
    Image: docker.imageRef,
    Cmd: ["sleep", "1000"],
    Labels: { "daybook.workspace": "another" },
    HostConfig: { NetworkMode: "none" },
  };
  const made = await docker.send(`POST /containers/create?name=${name}`, body);
  assert.equal(made.status, 201, made.text);
  await docker.send(`POST /containers/${name}/start`);
  const { Id } = JSON.parse(made.text) as { Id: string };
  return async () => {
    const { text } = await docker.send(`GET /containers/${name}/json`);
    const seen = JSON.parse(text) as { Id: string; State: { Status: string } };
    assert.deepEqual([seen.Id, seen.State.Status], [Id, "running"]);
    const changes = await docker.send(`GET /containers/${name}/changes`);
    assert.ok(!changes.text.includes("touched"), changes.text);
    await docker.send(`DELETE /containers/${name}?force=1`);
  };
}

async function foreignVolume(docker: DockerEngine, id: string): Promise<() => Promise<void>> {
  const Name = `daybook-ws-${id}-home`;
  const made = await docker.send("POST /volumes/create", { Name, Labels: { mine: "yes" } });
  assert.equal(made.status, 201, made.text);
  return async () => {
    assert.equal((await docker.send(`GET /volumes/${Name}`)).text, made.text);
    await docker.send(`DELETE /volumes/${Name}`);
  };
}
