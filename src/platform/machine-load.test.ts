import assert from "node:assert/strict";
import { readFile, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { describe, test } from "node:test";
import { machineLoad } from "./machine-load.ts";

/** A container whose files have these texts; without any it is none. */
function container(files: Record<string, string>): (path: string) => Promise<string> {
  return async (path) => files[path.replace("/sys/fs/cgroup/", "")] ?? assert.fail("ENOENT");
}

const disk = () => statfs(tmpdir());

describe("the load of a machine", () => {
  test("is measured in percent, also the first time", async () => {
    const read = (path: string): Promise<string> => readFile(path, "utf8");
    const measure = machineLoad({ mono: () => performance.now(), disk, read });
    for (const load of [await measure(), await measure()]) {
      for (const [what, percent] of Object.entries(load)) {
        assert.ok(percent >= 0 && percent <= 100, `${what}: ${percent}`);
      }
    }
    if (process.platform === "linux") assert.ok((await measure()).memory > 0, "no memory is used");
  });

  test("of a container counts its own limits", async () => {
    let now = 1_000;
    const files = {
      "cpu.max": "200000 100000\n",
      "cpu.stat": "usage_usec 5000000\nuser_usec 4000000\n",
      "memory.max": "1000000\n",
      "memory.current": "900000\n",
      "memory.stat": "anon 100000\ninactive_file 650000\nactive_file 5\n",
    };
    const measure = machineLoad({ mono: () => now, disk, read: container(files) });
    const { cpu, memory } = await measure();
    assert.deepEqual({ cpu, memory }, { cpu: 0, memory: 25 }, "its own start is no load");
    now += 10_000; // of two cores: 20 s, of which 15 s are used
    files["cpu.stat"] = "usage_usec 20000000\n";
    assert.equal((await measure()).cpu, 75);
    now += 1_000;
    files["cpu.stat"] = "usage_usec 99000000\n";
    assert.equal((await measure()).cpu, 100);
  });

  test("of a container without limits is that of its machine", async () => {
    const files = { "cpu.max": "max 100000\n", "memory.max": "max\n", "memory.current": "7" };
    const free = machineLoad({ mono: () => 0, disk, read: container(files) });
    const none = machineLoad({ mono: () => 0, disk, read: container({}) });
    const apart = Math.abs((await free()).memory - (await none()).memory);
    assert.ok(apart < 10, `${apart} percent apart`);
  });

  test("of a disk counts the space for other users than root", async () => {
    const of = async (blocks: number, bfree: number, bavail: number): Promise<number> => {
      const full = () => Promise.resolve({ blocks, bfree, bavail });
      return (await machineLoad({ mono: () => 0, disk: full, read: container({}) })()).disk;
    };
    assert.equal(await of(100, 40, 20), 75);
    assert.equal(await of(100, 5, 0), 100);
    assert.equal(await of(0, 0, 0), 0);
  });

  test("fails when its disk cannot be read", async () => {
    const gone = () => Promise.reject(new Error("no such disk"));
    const measure = machineLoad({ mono: () => 0, disk: gone, read: container({}) });
    await assert.rejects(measure(), /no such disk/);
  });
});
