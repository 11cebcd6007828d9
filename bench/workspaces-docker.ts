import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { directory } from "../src/adapters/archives/directory.ts";
import { systemClock } from "../src/platform/clock.ts";
import { sqlite } from "../src/stores/sqlite/sqlite.ts";
import { dockerEngine, type DockerEngine } from "../src/testing/docker/engine.ts";
import { machinesOn } from "../src/testing/docker/rig.ts";
import { inTurns, msOf, progress, type Sizes } from "./measure.ts";
import { slower, type Figure } from "./report.ts";
import { askFor, untilAll } from "./workspaces-node.ts";

const count = 20;
const atOnce = 10;
const timesMax = 1.3;

/** From nothing to machines that run, beside the same calls to the engine made by hand. */
export async function benchDocker({ rounds }: Sizes): Promise<readonly Figure[]> {
  const docker = await dockerEngine();
  if ("missing" in docker) {
    progress(`left out: ${docker.missing}`);
    return [];
  }
  try {
    progress(`${count} workspaces from PENDING to RUNNING`);
    const seen = await inTurns(rounds, {
      ours: () => ours(docker),
      bare: (round) => bare(docker, round),
    });
    return [slower(`${count} workspaces up`, seen.ours, { value: seen.bare, max: timesMax })];
  } finally {
    await docker.stop();
  }
}

async function ours(docker: DockerEngine): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "daybook-bench-"));
  const clock = systemClock();
  const ledger = await sqlite({ path: join(folder, "book.db") });
  const machines = machinesOn(docker);
  const archives = directory({ folder: join(folder, "archives"), clock });
  try {
    return await msOf(async () => {
      const { imageRef } = docker;
      await askFor(ledger, { place: machines.location, count, desired: "RUNNING", imageRef });
      await untilAll({ ledger, machines, archives }, count);
    });
  } finally {
    await ledger.close();
    rmSync(folder, { recursive: true, force: true });
    await clean(docker);
  }
}

async function bare(docker: DockerEngine, round: number): Promise<number> {
  const names = Array.from({ length: count }, (_, index) => `bare-${round}-${index}`);
  const up = async (name: string): Promise<void> => {
    const home = `${name}-home`;
    await docker.send("POST /volumes/create", { Name: home });
    await docker.send(`POST /containers/create?name=${name}`, {
      Image: docker.imageRef,
      Cmd: ["/bin/sleep", "100000"],
      HostConfig: {
        NetworkMode: "none",
        Memory: 64 * 1_048_576,
        NanoCpus: 500_000_000,
        PidsLimit: 64,
        Mounts: [{ Type: "volume", Source: home, Target: "/home/daybook" }],
      },
    });
    await docker.send(`POST /containers/${name}/start`);
    await docker.send(`GET /containers/${name}/json`);
  };
  try {
    return await msOf(async () => {
      const left = [...names];
      const worker = async (): Promise<void> => {
        for (let name = left.pop(); name !== undefined; name = left.pop()) await up(name);
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
    });
  } finally {
    await clean(docker);
  }
}

async function clean(docker: DockerEngine): Promise<void> {
  const containers = JSON.parse((await docker.send("GET /containers/json?all=1")).text) as {
    Id: string;
  }[];
  for (const { Id } of containers) await docker.send(`DELETE /containers/${Id}?force=1`);
  const { Volumes } = JSON.parse((await docker.send("GET /volumes")).text) as {
    Volumes: { Name: string }[] | null;
  };
  for (const { Name } of Volumes ?? []) await docker.send(`DELETE /volumes/${Name}`);
}
