import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { bell, type Bell } from "../src/testing/runners/bell.ts";
import {
  againDaemon,
  againSettings,
  atNewYear,
  type AgainDaemon,
  type RunLine,
} from "./again-daemon.ts";

async function rings(t: TestContext): Promise<Bell> {
  const made = await bell();
  t.after(() => made.close());
  return made;
}

function program(script: string): { command: readonly string[] } {
  return { command: [process.execPath, "-e", script] };
}

/** JavaScript that starts another program. */
function starts(script: string): string {
  return `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(script)}], { stdio: "inherit" });`;
}

/** JavaScript that exits when the program it started has rung. */
function startsAndLeaves(ring: string): string {
  const says = `bell.on("ready", () => setInterval(() => bell.writableLength || console.log("up"), 20));`;
  return `
    const args = ["-e", ${JSON.stringify(`${ring} ${says}`)}];
    const stdio = ["ignore", "pipe", "ignore"];
    const left = require("child_process").spawn(process.execPath, args, { stdio });
    left.stdout.once("data", () => process.exit(0));`;
}

async function ended(daemon: AgainDaemon, schedule: string): Promise<RunLine> {
  return daemon.until(async () => {
    const [only] = await daemon.runs(schedule);
    return only?.status === "pending" ? undefined : only;
  });
}

test(
  "kill -9 during a run interrupts it, leaves no process, and the next slot runs",
  { timeout: 60_000 },
  async (t) => {
    const front = await rings(t);
    const settings = againSettings(t);
    const first = await againDaemon(t, settings);
    const script = `
    const fs = require("fs");
    if (fs.existsSync("rang")) console.log("here again");
    else { fs.writeFileSync("rang", ""); ${starts(front.ring("fork"))} ${front.ring("run")} }`;
    const everySecond = { type: "interval", every: 1 };
    const asked = { name: "job", cadence: everySecond, run: program(script), notify: "never" };
    await first.ask("POST", "/v1/schedules", asked);
    await Promise.all([front.rung("run"), front.rung("fork")]);
    first.process.kill("SIGKILL");
    await first.process.ended;
    await front.gone();

    const second = await againDaemon(t, settings);
    const runs = await second.until(async () => {
      const all = await second.runs("job");
      return all.some(({ status }) => status === "completed") ? all : undefined;
    });
    const [cutOff] = runs;
    assert.equal(cutOff?.status, "interrupted");
    assert.equal(cutOff.reason, "the node went away in the middle of it");
    const next = runs.find(({ status }) => status === "completed");
    assert.equal(next?.output_summary, "here again");
    assert.equal(new Set(runs.map(({ slot }) => slot)).size, runs.length, "a slot came twice");
    const others = runs.filter(({ status }) => status !== "interrupted" && status !== "completed");
    for (const { status } of others) assert.ok(["skipped", "missed", "pending"].includes(status));
    assert.deepEqual(front.names.toSorted(), ["fork", "run"]);
  },
);

test(
  "a one-shot run interrupted by a stop is not completed, and stays listed",
  { timeout: 60_000 },
  async (t) => {
    const front = await rings(t);
    const settings = againSettings(t);
    const first = await againDaemon(t, settings);
    const cadence = { type: "once", at: new Date(Date.now() + 1_000).toISOString() };
    const asked = { name: "only", cadence, run: program(front.ring("run")), notify: "never" };
    await first.ask("POST", "/v1/schedules", asked);
    await front.rung("run");
    first.process.kill("SIGTERM");
    assert.equal(await first.process.ended, 0);
    await front.gone();

    const second = await againDaemon(t, settings);
    const run = await ended(second, "only");
    assert.equal(run.status, "interrupted");
    const left = await second.ask("GET", "/v1/schedules/only");
    assert.equal(left["status"], "disabled");
    assert.equal(left["last_run_status"], "interrupted");
    assert.equal(left["reason"], "its run ended interrupted: the node stopped in the middle of it");
  },
);

describe(
  "a misbehaving program ends with a recorded outcome and leaves no process",
  { timeout: 90_000 },
  () => {
    type Bad = [
      what: string,
      script: (front: Bell) => string,
      timeout: string,
      end: [status: string, reason: RegExp],
    ];
    const bad: readonly Bad[] = [
      ["never ends", (front) => front.ring("up"), "4s", ["failed", /^timed out|time is up/]],
      [
        "ignores SIGTERM",
        (front) => `process.on("SIGTERM", () => undefined); ${front.ring("up")}`,
        "4s",
        ["failed", /^timed out|time is up/],
      ],
      [
        "floods its output",
        (front) => `${front.ring("up")}
        const much = "y".repeat(65536);
        (function flood() { while (process.stdout.write(much)); process.stdout.once("drain", flood); })();`,
        "1m",
        ["failed", /it printed over 16777216 bytes/],
      ],
      [
        "leaves child processes behind",
        (front) => `${starts(front.ring("too"))} ${startsAndLeaves(front.ring("up"))}`,
        "1m",
        ["completed", /^$/],
      ],
    ];
    for (const [what, script, timeout, [status, reason]] of bad) {
      test(what, async (t) => {
        const front = await rings(t);
        const daemon = await againDaemon(t, againSettings(t));
        const run = program(script(front));
        const asked = { name: "bad", cadence: atNewYear, run, notify: "never", timeout };
        await daemon.ask("POST", "/v1/schedules", asked);
        await daemon.ask("POST", "/v1/schedules/bad/run", {});
        await front.rung("up");
        const made = await ended(daemon, "bad");
        assert.equal(made.status, status, JSON.stringify(made));
        assert.match(made.reason ?? "", reason);
        await front.gone();
        const { total, cut } = await daemon.ask("GET", `/v1/runs/${made.id}/output`);
        assert.ok(Number(total) <= 1024 * 1024 + 100);
        assert.equal(cut, what === "floods its output");
      });
    }
  },
);
