import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, test } from "node:test";
import { systemClock } from "./clock.ts";
import { runInForeground, type ForegroundEnd } from "./foreground-program.ts";

/** Runs a program, and answers what came through. */
async function run(
  command: readonly string[],
  tailBytesMax = 1_000,
): Promise<ForegroundEnd & { out: Buffer; err: Buffer }> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const said: [Buffer[], Buffer[]] = [[], []];
  out.on("data", (bytes: Buffer) => said[0].push(bytes));
  err.on("data", (bytes: Buffer) => said[1].push(bytes));
  const passed = await runInForeground(command, { clock: systemClock(), tailBytesMax, out, err });
  return { ...passed, out: Buffer.concat(said[0]), err: Buffer.concat(said[1]) };
}

const sh = (script: string): readonly string[] => ["sh", "-c", script];

describe("a program in the foreground", () => {
  for (const status of [0, 1, 3, 126, 255]) {
    test(`that ends with ${status} gives the status ${status}`, async () => {
      assert.equal((await run(sh(`exit ${status}`))).exit, status);
    });
  }
  test("that a signal ended gives the status of a shell", async () => {
    assert.equal((await run(sh("kill -KILL $$"))).exit, 137);
  });
  test("that is missing or not executable gives the status of a shell", async () => {
    assert.equal((await run(["./no-such-program"])).exit, 127);
    assert.equal((await run([import.meta.dirname])).exit, 126);
  });
  test("writes to the same streams, byte for byte", async () => {
    const { out, err, tail, isCut } = await run(sh("printf '\\377\\000a'; printf b >&2"));
    assert.deepEqual([...out], [255, 0, 97]);
    assert.equal(err.toString(), "b");
    assert.deepEqual([tail.length, isCut], [4, false]);
  });
  test("with much output is passed on completely, and only the end is kept", async () => {
    const { out, tail, isCut, exit } = await run(sh("yes | head -c 3000000; printf end"));
    assert.deepEqual([exit, out.length, tail.length, isCut], [0, 3_000_003, 1_000, true]);
    assert.ok(tail.toString().endsWith("\nend"));
  });
  test("that leaves an orphan behind ends with its own process", async () => {
    const startedAt = performance.now();
    const { exit, out } = await run(sh("sleep 30 & echo $!; exit 4"));
    assert.equal(exit, 4);
    assert.ok(performance.now() - startedAt < 10_000);
    process.kill(Number(out.toString()), "SIGKILL"); // it is this test's own
  });
  test("gets the signals of its parent", async () => {
    const out = new PassThrough();
    const options = { clock: systemClock(), tailBytesMax: 100, out, err: new PassThrough() };
    const script = "trap 'echo heard; exit 7' TERM; echo ready; while :; do sleep 0.05; done";
    const running = runInForeground(sh(script), options);
    await new Promise((resolve) => out.once("data", resolve));
    process.emit("SIGTERM", "SIGTERM");
    const { exit, tail } = await running;
    assert.deepEqual([exit, tail.toString()], [7, "ready\nheard\n"]);
    assert.equal(process.listenerCount("SIGTERM"), 0);
  });
});
