import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { folder } from "../../../test/child.ts";
import type { Ran } from "../../features/tasks/runner.ts";
import { childProcess } from "../../platform/child-process.ts";
import { systemClock } from "../../platform/clock.ts";
import type { ProgramRun, Spawn } from "../../platform/process.ts";
import { bell, type Bell } from "../../testing/runners/bell.ts";
import { jobOf, runContext, runnerSuite } from "../../testing/runners/conformance.ts";
import { commandRunner } from "./command.ts";

type Options = Parameters<typeof commandRunner>[0];

const secret = "hunter2hunter2";

async function newBell(t: TestContext): Promise<Bell> {
  const made = await bell();
  t.after(() => made.close());
  return made;
}

function runner(given: Partial<Options> = {}) {
  return commandRunner({
    spawn: childProcess({ clock: systemClock() }),
    allow: "everything",
    env: {},
    folder: () => import.meta.dirname,
    ...given,
  });
}

/** A piece of JavaScript as a command. */
function script(code: string, ...args: string[]) {
  return { command: [process.execPath, "-e", code, ...args] };
}

async function run(input: ReturnType<typeof jobOf>["input"], given: Partial<Options> = {}) {
  const { context, written, output } = runContext();
  const ran = await runner(given).run(jobOf(input), context);
  return { ran, written, output: output() };
}

function reasonOf(ran: Ran): string {
  return ran.result === "failed" ? ran.reason : assert.fail(JSON.stringify(ran));
}

/** Ignores SIGTERM, as its child does, and closes its output. */
const stubborn = (ring: Bell["ring"]): string => {
  const child = `process.on("SIGTERM", () => undefined); ${ring("child")}`;
  return `process.on("SIGTERM", () => undefined);
    require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}], { stdio: "ignore" });
    require("fs").closeSync(1); require("fs").closeSync(2); ${ring("parent")}`;
};

runnerSuite("command", async (t) => {
  const { ring, rung, gone, names } = await newBell(t);
  const told = `${ring("up")} bell.end();`;
  return {
    runner: runner({ secrets: { TOKEN: secret }, outputBytesMax: 100_000 }),
    input: script(`${told} for (const word of ["one", "two", "three"]) console.log(word);`),
    hanging: script(stubborn(ring)),
    hang: async () => {
      await rung("parent");
      await rung("child");
    },
    gone,
    arrivals: () => names.length,
    secret,
    faults: {
      "a command prints a secret and fails": () =>
        script("console.error(process.env.TOKEN); process.exit(3)"),
      "a command prints control characters": () =>
        script(String.raw`console.error("\u001b[2J\u202Egone\r"); process.exit(1)`),
      "a command is killed": () => script(`process.kill(process.pid, "SIGKILL")`),
      "a command floods its output": () =>
        script(`for (;;) process.stdout.write("x".repeat(60_000))`),
      "it is not there": () => ({ command: ["/nowhere/to/be/found"] }),
      "a command is not executable": () => ({ command: ["/etc/passwd"] }),
      "a command's folder is missing": () => ({ ...script(""), cwd: "/nowhere" }),
      "a command's arguments are too long": () => script("", "x".repeat(5_000_000)),
    },
  };
});

test("both output streams are written as they arrive", async (t) => {
  const { ring, rung, gone } = await newBell(t);
  const { context, output } = runContext();
  const first = Promise.withResolvers<void>();
  const seen = { ...context, write: (text: string) => (context.write(text), first.resolve()) };
  const code = `console.log("at work"); ${ring("up")}
    bell.on("data", () => { console.error("trouble"); bell.end(); });`;
  const stopping = new AbortController();
  const running = runner().run(jobOf(script(code)), { ...seen, signal: stopping.signal });
  await rung("up");
  await first.promise;
  assert.equal(output(), "at work\n");
  stopping.abort("enough");
  await running;
  await gone();
  const { output: all } = await run(script(`console.log("a"); console.error("b")`));
  assert.deepEqual(all.split("\n").filter(Boolean).toSorted(), ["a", "b"]);
});

test("progress lines on the standard output of a command are its progress", async () => {
  const { context, progress, output } = runContext();
  const code = `console.log("a"); console.log('{"progress": 0.4, "note": "2 of 5 files"}');
    console.error('{"progress": 0.5}'); console.log("b");`;
  await runner().run(jobOf(script(code)), context);
  assert.deepEqual(progress, ["40 %: 2 of 5 files"]);
  const lines = output().split("\n").filter(Boolean);
  assert.deepEqual(lines.toSorted(), ["a", "b", '{"progress": 0.5}'].toSorted());
});

test("the error stream is written as errors", async () => {
  const { context } = runContext();
  const seen: string[] = [];
  const write: typeof context.write = (text, stream) => void seen.push(`${stream}: ${text}`);
  const code = `console.log("a"); console.error("b")`;
  await runner().run(jobOf(script(code)), { ...context, write });
  assert.deepEqual(seen.toSorted(), ["errors: b\n", "output: a\n"]);
});

test("characters split between chunks are joined", async () => {
  // More than a pipe holds, so that it cannot come in one piece.
  const code = `const bytes = Buffer.from("안녕 🙂 ".repeat(20_000));
    (async () => { for (let at = 0; at < bytes.length; at += 997) {
      await new Promise((done) => process.stdout.write(bytes.subarray(at, at + 997), done)); } })();`;
  const { ran, written, output } = await run(script(code));
  assert.equal(ran.result, "completed");
  assert.ok(written.length > 1, "the output came in chunks");
  assert.equal(output, "안녕 🙂 ".repeat(20_000));
});

test("a non-zero exit is a failure with the last error line", async () => {
  const code = `console.log("fine"); console.error("first"); console.error("disk full\\n\\n"); process.exitCode = 3;`;
  const { ran } = await run(script(code));
  assert.deepEqual(ran, { result: "failed", reason: "exit 3: disk full", exit: 3 });
  const { ran: silent } = await run(script("process.exit(7)"));
  assert.deepEqual(silent, { result: "failed", reason: "exit 7", exit: 7 });
  const { ran: good } = await run(script(`console.error("a warning")`));
  assert.deepEqual(good, { result: "completed", exit: 0 });
});

test("a command sees only the listed variables and those of its run", async () => {
  const code = `console.log(JSON.stringify(process.env))`;
  const slot = {
    schedule: "s-1",
    name: "backup",
    at: 1_800_000_000_000,
    because: "cadence",
    notify: "always",
    rerun: false,
  } as const;
  const { context, output } = runContext();
  const job = jobOf(script(code), { slot });
  await runner({ env: { LANG: "C", DAYBOOK_RUN_ID: "ours" } }).run(job, context);
  const { DAYBOOK_RUN_MARK: mark, ...seen } = JSON.parse(output()) as Record<string, string>;
  assert.match(mark ?? "", /^[\da-f-]{36}$/);
  assert.deepEqual(seen, {
    LANG: "C",
    DAYBOOK_RUN_ID: job.id,
    DAYBOOK_SCHEDULE: "s-1",
    DAYBOOK_SLOT: "2027-01-15T08:00:00Z",
  });
});

test("no shell reads the arguments", async () => {
  const args = ["$(id)", "`id`", "; id", "a b", "*", "--", ""];
  const { output } = await run(
    script("console.log(JSON.stringify(process.argv.slice(1)))", "--", ...args),
  );
  assert.deepEqual(JSON.parse(output), args);
});

test("a command runs in its folder, or in the default one", async (t) => {
  const home = realpathSync(folder(t));
  mkdirSync(join(home, "inner"));
  const where = script("process.stdout.write(process.cwd())");
  assert.equal((await run(where, { folder: () => home })).output, home);
  assert.equal(
    (await run({ ...where, cwd: "inner" }, { folder: () => home })).output,
    join(home, "inner"),
  );
});

test("a command that was scheduled before its owner was left out of `runners.command.owners` fails", async (t) => {
  const ran = join(folder(t), "ran");
  const asked = { command: ["/bin/sh", "-c", `touch ${ran}`] };
  const refused = await runner({ owners: ["jun"] }).run(jobOf(asked), runContext().context);
  assert.deepEqual(refused, {
    result: "failed",
    retry: false,
    reason:
      'commands of "me" are not allowed: an administrator may list the owner in runners.command.owners',
  });
  assert.ok(!existsSync(ran));
  const event = { id: "task-1" };
  await runner({ owners: ["jun"] }).run(jobOf(asked, { event }), runContext().context);
  assert.ok(existsSync(ran), "the command of a handler is the settings' own");
});

test("a command that is not allowed does not start from any path", async (t) => {
  const home = folder(t);
  for (const name of ["jobs", "other", "other/jobs"]) mkdirSync(join(home, name));
  const program = `#!/bin/sh\nprintf '%s' "$0" > ${join(home, "ran")}\n`;
  for (const name of ["jobs/a", "other/jobs/a"]) {
    writeFileSync(join(home, name), program, { mode: 0o755 });
  }
  const given = { allow: ["./jobs/*"], folder: () => home };
  for (const file of ["./other/jobs/a", "jobs/../other/jobs/a", "/bin/sh", "sh"]) {
    const { ran } = await run({ command: [file, "-c", `touch ${join(home, "ran")}`] }, given);
    assert.ok(ran.result === "failed" && ran.retry === false);
    assert.match(ran.reason, /not allowed.*DAYBOOK_ALLOW_COMMANDS/);
  }
  assert.ok(!existsSync(join(home, "ran")));
  const { ran } = await run({ command: ["jobs/a"], cwd: "other" }, given);
  assert.equal(ran.result, "completed", JSON.stringify(ran));
  assert.equal(
    readFileSync(join(home, "ran"), "utf8"),
    join(home, "jobs/a"),
    "PATH decides, not the current folder",
  );
});

test("a command over the output limit is ended, with the reason", async () => {
  const { ran, output } = await run(script(`for (;;) process.stdout.write("x".repeat(9_000))`), {
    outputBytesMax: 20_000,
  });
  assert.match(reasonOf(ran), /over 20000 bytes/);
  assert.equal(output.length, 20_000);
});

test("a command over the memory limit fails, and one below completes", async (t) => {
  if (!existsSync("/usr/bin/prlimit")) return t.skip("prlimit is not installed");
  const given = { env: { PATH: "/usr/bin:/bin" }, memoryBytesMax: 1_500_000_000 };
  const hungry = `const all = []; for (let at = 0; at < 400; at += 1) all.push(Buffer.alloc(1e7, 1));`;
  const { ran } = await run(script(hungry), given);
  assert.equal(ran.result, "failed", JSON.stringify(ran));
  const { ran: modest, output } = await run(script(`console.log("fine")`), given);
  assert.deepEqual([modest, output], [{ result: "completed", exit: 0 }, "fine\n"]);
});

test("an unenforceable memory limit is an error", async () => {
  const { ran } = await run(script(""), { env: { PATH: "/nowhere" }, memoryBytesMax: 1e9 });
  assert.ok(ran.result === "failed" && ran.retry === false);
  assert.match(ran.reason, /prlimit/);
});

test("a failed start names its cause, also with a memory limit", async (t) => {
  if (!existsSync("/usr/bin/prlimit")) return t.skip("prlimit is not installed");
  const home = folder(t);
  writeFileSync(join(home, "a"), "", { mode: 0o644 });
  const gone = join(home, "gone");
  const table: [input: { command: string[]; cwd?: string }, reason: string][] = [
    [{ command: ["./gone"] }, `"${gone}" does not start (ENOENT): check that it exists and is`],
    [{ command: ["./a"] }, `"${join(home, "a")}" does not start (EACCES): check that it exists`],
    [{ command: ["true"], cwd: "gone" }, `"true" does not start (ENOENT): check that "${gone}" is`],
  ];
  for (const [input, reason] of table) {
    const given = { env: { PATH: "/usr/bin:/bin" }, memoryBytesMax: 1e9, folder: () => home };
    const { ran } = await run(input, given);
    assert.ok(ran.result === "failed" && ran.retry === false, JSON.stringify(ran));
    assert.ok(ran.reason.startsWith(reason), ran.reason);
  }
  const own = script(`console.error("prlimit: failed to execute /b: no"); process.exit(127)`);
  const { ran } = await run(own, { env: { PATH: "/usr/bin:/bin" }, memoryBytesMax: 1e9 });
  assert.match(reasonOf(ran), /^exit 127: prlimit: failed to execute \/b/);
});

test("a machine without free processes is a retryable failure", async () => {
  const full: Spawn = (_run: ProgramRun) => Promise.resolve({ started: false, code: "EAGAIN" });
  const { ran } = await run(script(""), { spawn: full });
  assert.ok(ran.result === "failed" && ran.retry !== false);
});

test("a command's processes in other sessions end with it", async (t) => {
  if (!existsSync("/proc/self/environ")) return t.skip("this system has no /proc");
  const { ring, rung, gone } = await newBell(t);
  const away = `process.on("SIGTERM", () => undefined); ${ring("away")} bell.write("", () => process.send("up"));`;
  const leaves = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(away)}],
    { detached: true, stdio: ["ignore", "ignore", "ignore", "ipc"] }).on("message", () => process.exit(0));`;
  const { ran } = await run(script(leaves));
  assert.deepEqual(ran, { result: "completed", exit: 0 });
  await rung("away");
  await gone();
});

test("a command's processes die when the daemon is killed", { timeout: 120_000 }, async (t) => {
  const { ring, rung, gone } = await newBell(t);
  const input = JSON.stringify(script(stubborn(ring)));
  const us = spawn(
    process.execPath,
    [
      "--input-type=module-typescript",
      "-e",
      `
    import { childProcess } from ${JSON.stringify(import.meta.resolve("../../platform/child-process.ts"))};
    import { systemClock } from ${JSON.stringify(import.meta.resolve("../../platform/clock.ts"))};
    import { commandRunner } from ${JSON.stringify(import.meta.resolve("./command.ts"))};
    import { jobOf, runContext } from ${JSON.stringify(import.meta.resolve("../../testing/runners/conformance.ts"))};
    const spawn = childProcess({ clock: systemClock() });
    const runner = commandRunner({ spawn, allow: "everything", env: {}, folder: () => "." });
    await runner.run(jobOf(${input}), runContext().context);
  `,
    ],
    { stdio: "inherit" },
  );
  t.after(() => us.kill("SIGKILL"));
  await rung("parent");
  await rung("child");
  us.kill("SIGKILL");
  await once(us, "exit");
  await gone();
});
