import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { dockerEngine } from "../../testing/docker/engine.ts";
import { dockerRig } from "../../testing/docker/rig.ts";
import { benchOf } from "../../testing/machines/rig.ts";

/** The engine's PATH without docker-init, which would be the first process of a container. */
const path = mkdtempSync(join(tmpdir(), "daybook-no-init-"));
after(() => rmSync(path, { recursive: true }));
for (const folder of ["/usr/sbin", "/usr/bin"]) {
  for (const name of readdirSync(folder)) {
    if (/^(?:containerd|runc|dockerd|ps|mount|umount|unpigz|mkfs|modprobe)/u.test(name)) {
      rmSync(join(path, name), { force: true });
      symlinkSync(join(folder, name), join(path, name));
    }
  }
}

const docker = await dockerEngine({ env: { PATH: path } });
if ("missing" in docker) test("docker without docker-init", { skip: docker.missing });
else {
  after(() => docker.stop());
  test("an engine without docker-init runs machines", async (t) => {
    const bench = await benchOf(t, () => dockerRig(docker));
    await bench.running();
    assert.equal(await bench.printed("cat /proc/1/comm"), "sh\n");
    await bench.kill(bench.id);
    await bench.machines.start(bench.spec, bench.fixture);
    assert.equal(await bench.printed("echo well"), "well\n");
  });
}
