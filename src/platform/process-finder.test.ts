import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test, type TestContext } from "node:test";
import { bell } from "../testing/runners/bell.ts";
import { childProcess } from "./child-process.ts";
import { systemClock } from "./clock.ts";
import type { ProgramRun } from "./process.ts";

const skip = existsSync("/proc/self/environ") ? false : "there is no /proc here";

/** A line of shell as a program that leaves nothing behind. */
function shell(line: string, given: Partial<ProgramRun> = {}): ProgramRun {
  return {
    file: "/bin/sh",
    args: ["-c", line],
    env: { PATH: "/usr/bin:/bin" },
    input: "",
    timeoutMs: 20_000,
    bytesMax: 1_000,
    signal: new AbortController().signal,
    diesWithUs: true,
    ...given,
  };
}

const run = childProcess({ clock: systemClock() });

/** Whether the process still runs: one that ended and that nobody asked about yet does not. */
function isAlive(pid: number): boolean {
  try {
    const [, state = ""] = /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return !["Z", "X"].includes(state);
  } catch {
    return false;
  }
}

/** Says the pid of something that has left the group, and is up. */
const escape = `pid=$(setsid sh -c 'sleep 1000 >/dev/null 2>&1 & echo $!'); echo "$pid"`;

/** Hears the pids that are said. If a test fails, nothing of it lives on. */
function pidsOf(t: TestContext): {
  onOutput(text: string): void;
  first: Promise<number>;
  all(): readonly number[];
} {
  let text = "";
  const { promise: first, resolve } = Promise.withResolvers<number>();
  const all = (): readonly number[] =>
    text
      .split("\n")
      .slice(0, -1)
      .flatMap((line) => (line === "" ? [] : [Number(line)]));
  t.after(() => {
    for (const pid of all().filter(isAlive)) process.kill(pid, "SIGKILL");
  });
  return {
    onOutput(more) {
      text += more;
      const [pid] = all();
      if (pid !== undefined) resolve(pid);
    },
    first,
    all,
  };
}

test("a process that left the group is killed when its program has ended", { skip }, async (t) => {
  const { onOutput, all } = pidsOf(t);
  const end = await run(shell(`${escape}; ${escape}; exit 3`, { onOutput }));
  assert.ok(end.started && end.status === 3 && end.cut === null);
  assert.equal(all().length, 2);
  assert.deepEqual(all().filter(isAlive), []);
});

test(
  "an orphan in another session that holds the output open is not waited for",
  { skip },
  async (t) => {
    const { onOutput, all } = pidsOf(t);
    const end = await run(shell(`setsid sleep 1000 & echo $!`, { onOutput }));
    assert.ok(end.started && end.status === 0);
    assert.equal(all().length, 1);
    assert.deepEqual(all().filter(isAlive), []);
  },
);

test(
  "what ignores every wish in a session of its own goes with a program whose time is up",
  {
    skip,
  },
  async (t) => {
    const { onOutput, all } = pidsOf(t);
    const deaf = `trap "" TERM HUP; setsid sh -c 'echo $$; while :; do sleep 1000; done' & wait`;
    const end = await run(shell(deaf, { onOutput, timeoutMs: 2_000 }));
    assert.ok(end.started && end.cut === "time is up");
    assert.equal(all().length, 1);
    assert.deepEqual(all().filter(isAlive), []);
  },
);

test("a process that left the group is killed with an aborted program", { skip }, async (t) => {
  const { onOutput, first } = pidsOf(t);
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = run(shell(`${escape}; sleep 1000`, { onOutput, signal }));
  const pid = await first;
  assert.ok(isAlive(pid));
  stopping.abort();
  const end = await running;
  assert.ok(end.started && end.cut === "told to stop");
  assert.ok(!isAlive(pid));
});

/** All that has this text in its environment. */
function withMark(mark: string): readonly number[] {
  const environOf = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8");
    } catch {
      return "";
    }
  };
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => environOf(pid).includes(mark)).map(Number);
}

test("a process that keeps starting others is killed", { skip }, async (t) => {
  let said = "";
  // Each says so, starts the next one in a session of its own, and ends.
  const one = `'echo hop; setsid sh -c "$0" "$0" & sleep 0.01'`;
  const line = `echo $DAYBOOK_RUN_MARK; one=${one}; setsid sh -c "$one" "$one" & sleep 0.3`;
  const end = await run(
    shell(line, { onOutput: (text) => void (said += text), bytesMax: 100_000 }),
  );
  const [mark = "", ...hops] = said.split("\n");
  t.after(() => {
    for (const pid of withMark(mark)) process.kill(pid, "SIGKILL");
  });
  assert.ok(end.started && end.status === 0);
  assert.match(mark, /^[\da-f-]{36}$/);
  assert.ok(hops.length > 4, "it went on");
  assert.deepEqual(withMark(mark), []);
});

test("a process of another program is left alone", { skip }, async (t) => {
  const { onOutput, first } = pidsOf(t);
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = run(shell(`${escape}; sleep 1000`, { onOutput, signal }));
  const pid = await first;
  const other = pidsOf(t);
  await run(shell(escape, { onOutput: other.onOutput }));
  assert.deepEqual(other.all().map(isAlive), [false]);
  assert.ok(isAlive(pid), "it is another's");
  stopping.abort();
  await running;
});

test(
  "what left the group dies with us when we are killed",
  { skip, timeout: 60_000 },
  async (t) => {
    const { ring, rung, gone, close } = await bell();
    t.after(close);
    const escaped = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(ring("away"))}],
    { detached: true, stdio: "ignore" }); ${ring("program")}`;
    const program = { ...shell(""), file: process.execPath, args: ["-e", escaped] };
    const { signal: _, ...plain } = program;
    const code = `
    import { childProcess } from ${JSON.stringify(import.meta.resolve("./child-process.ts"))};
    import { systemClock } from ${JSON.stringify(import.meta.resolve("./clock.ts"))};
    const { signal } = new AbortController();
    await childProcess({ clock: systemClock() })({ ...${JSON.stringify(plain)}, signal });`;
    const us = spawn(process.execPath, ["--input-type=module-typescript", "-e", code], {
      stdio: "inherit",
    });
    t.after(() => us.kill("SIGKILL"));
    await Promise.all([rung("program"), rung("away")]);
    us.kill("SIGKILL");
    await once(us, "exit");
    await gone();
  },
);
