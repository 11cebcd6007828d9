import { after, test } from "node:test";
import { dockerEngine } from "../../testing/docker/engine.ts";
import { dockerRig } from "../../testing/docker/rig.ts";
import { machinesSuite } from "../../testing/machines/conformance.ts";

const docker = await dockerEngine();
if ("missing" in docker) {
  test("docker as machines", { skip: docker.missing });
} else {
  after(() => docker.stop());
  machinesSuite("docker", () => dockerRig(docker));
}
