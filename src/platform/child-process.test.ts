import assert from "node:assert/strict";
import { getEventListeners, once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { handClock } from "../../test/hand-clock.ts";
import { childProcess } from "./child-process.ts";
import { systemClock } from "./clock.ts";
import type { ProgramRun } from "./process.ts";

/** Runs a piece of JavaScript as a program. */
function script(code: string, given: Partial<ProgramRun> = {}): ProgramRun {
  return {
    file: process.execPath,
    args: ["-e", code],
    env: {},
    input: "",
    timeoutMs: 20_000,
    bytesMax: 1_000,
    signal: new AbortController().signal,
    ...given,
  };
}

/** Where programs ring when they are up: a socket that closes when its program is gone. */
async function bell(t: TestContext): Promise<{ port: number; rung(): Promise<Socket> }> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return {
    port: (server.address() as AddressInfo).port,
    async rung() {
      const [socket] = (await once(server, "connection")) as [Socket];
      return socket.on("error", () => undefined).resume();
    },
  };
}

/** It keeps its program alive until somebody ends it. */
const ring = (port: number): string => `require("net").connect(${port}, "127.0.0.1");`;

test("a program reads its input, and its output is read to the end", async () => {
  const run = childProcess({ clock: systemClock() });
  const echo = `process.stdin.on("data", (d) => process.stdout.write(d)); console.error("careful");
    process.stdin.on("end", () => (process.exitCode = 3));`;
  const { signal } = new AbortController();
  assert.deepEqual(await run(script(echo, { input: "안녕\n", signal })), {
    started: true,
    status: 3,
    output: "안녕\n",
    errors: "careful\n",
    cut: null,
  });
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("a program gets only the listed environment", async () => {
  process.env["DAYBOOK_TEST_SECRET"] = "ours";
  const run = childProcess({ clock: systemClock() });
  const code = `console.log(JSON.stringify([process.env.ONE, process.env.DAYBOOK_TEST_SECRET ?? null]))`;
  const end = await run(script(code, { env: { ONE: "1" } }));
  delete process.env["DAYBOOK_TEST_SECRET"];
  assert.equal(end.started && end.output, '["1",null]\n');
});

test("a program that is missing or not executable does not start", async () => {
  const run = childProcess({ clock: systemClock() });
  for (const [file, code] of [
    ["/nowhere/to/be/found", "ENOENT"],
    ["no-such-program-here", "ENOENT"],
    ["/etc/passwd", "EACCES"],
    ["nul\u0000byte", "ERR_INVALID_ARG_VALUE"],
  ] as const) {
    assert.deepEqual(await run(script("", { file })), { started: false, code });
  }
});

test("a program need not read its input", async () => {
  const run = childProcess({ clock: systemClock() });
  const end = await run(script("process.stdin.destroy()", { input: "x".repeat(1_000_000) }));
  assert.ok(end.started && end.status === 0);
});

test("a signal that has aborted starts nothing", async () => {
  const run = childProcess({ clock: systemClock() });
  const end = await run(script("", { signal: AbortSignal.abort() }));
  assert.deepEqual(end, { started: false, code: "ABORTED" });
});

test("an aborted program may still write its result", async (t) => {
  const { port, rung } = await bell(t);
  const run = childProcess({ clock: systemClock() });
  const stopping = new AbortController();
  const code = `process.on("SIGTERM", () => { console.log("done"); process.exit(0); }); ${ring(port)}`;
  const running = run(script(code, { signal: stopping.signal }));
  await rung();
  stopping.abort();
  const end = await running;
  assert.deepEqual(end, {
    started: true,
    status: 0,
    output: "done\n",
    errors: "",
    cut: "told to stop",
  });
});

test("a program that ignores the abort is killed after a second, with its children", async (t) => {
  const { port, rung } = await bell(t);
  const clock = handClock();
  const run = childProcess({ clock });
  const stopping = new AbortController();
  const deaf = `process.on("SIGTERM", () => undefined); ${ring(port)}`;
  const parent = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(deaf)}],
    { stdio: "inherit" }); process.on("SIGTERM", () => undefined);`;
  const running = run(script(parent, { signal: stopping.signal }));
  const grandchild = await rung();
  stopping.abort();
  assert.deepEqual(clock.waiting(), [1_000, 20_000]);
  clock.advance(1_000);
  const end = await running;
  assert.ok(end.started && end.status === null && end.cut === "told to stop");
  if (!grandchild.closed) await once(grandchild, "close");
  assert.deepEqual(clock.waiting(), []);
});

test("a program that takes too long is ended", async (t) => {
  const { port, rung } = await bell(t);
  const clock = handClock();
  const run = childProcess({ clock });
  const running = run(script(ring(port), { timeoutMs: 5_000 }));
  await rung();
  clock.advance(5_000);
  const end = await running;
  assert.ok(end.started && end.status === null && end.cut === "time is up");
});

test("the orphans of a program are killed with it, and not waited for", async (t) => {
  const { port, rung } = await bell(t);
  const run = childProcess({ clock: systemClock() });
  const left = `${ring(port)} process.send("up");`;
  const parent = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(left)}],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] }).on("message", () => process.exit(0));`;
  const up = rung();
  const end = await run(script(parent));
  assert.ok(end.started && end.status === 0 && end.cut === null);
  const socket = await up;
  if (!socket.closed) await once(socket, "close");
});

test("a program with too much output is ended, and its errors are cut", async () => {
  const run = childProcess({ clock: systemClock() });
  const pour = `setInterval(() => process.stdout.write("x".repeat(900)), 1)`;
  const end = await run(script(pour));
  assert.ok(end.started && end.cut === "said too much");
  assert.equal(end.output.length, 1_000);
  const chatter = await run(script(`console.error("x".repeat(5_000))`));
  assert.ok(chatter.started && chatter.status === 0);
  assert.equal(chatter.errors.length, 1_000);
});

test("a process that left the group and holds the output open is not waited for", async (t) => {
  const { port, rung } = await bell(t);
  const run = childProcess({ clock: systemClock() });
  const left = `${ring(port)} process.send("up");`;
  const parent = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(left)}],
    { detached: true, stdio: ["ignore", "inherit", "inherit", "ipc"] })
    .on("message", () => { console.log("left"); process.exit(0); });`;
  const up = rung();
  const end = await run(script(parent));
  assert.deepEqual(end, { started: true, status: 0, output: "left\n", errors: "", cut: null });
  (await up).destroy();
});

test("streamed output is not kept, and ends at the limit", async () => {
  const run = childProcess({ clock: systemClock() });
  const heard = { output: "", errors: "" };
  const code = `process.stdout.write("안".repeat(400)); process.stderr.write("x".repeat(1_500))`;
  const end = await run(
    script(code, { onOutput: (text, stream) => void (heard[stream] += text), bytesMax: 1_201 }),
  );
  assert.deepEqual(end, { started: true, status: 0, output: "", errors: "", cut: null });
  assert.deepEqual(heard, { output: "안".repeat(400), errors: "x".repeat(1_201) });
});

test("an incomplete character at the end is marked", async () => {
  const run = childProcess({ clock: systemClock() });
  const half = `process.stdout.write(Buffer.from("안").subarray(0, 2))`;
  let heard = "";
  await run(script(half, { onOutput: (text) => void (heard += text) }));
  assert.equal(heard, "\uFFFD");
});

test("a program runs in the given folder", async () => {
  const run = childProcess({ clock: systemClock() });
  const end = await run(script("process.stdout.write(process.cwd())", { cwd: "/" }));
  assert.equal(end.started && end.output, "/");
});
