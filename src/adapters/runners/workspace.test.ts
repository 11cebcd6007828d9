import assert from "node:assert/strict";
import { test } from "node:test";
import { childProcess } from "../../platform/child-process.ts";
import { systemClock } from "../../platform/clock.ts";
import type { ProgramRun, Spawn } from "../../platform/process.ts";
import { jobOf, runContext } from "../../testing/runners/conformance.ts";
import { workspaceRunner } from "./workspace.ts";

const clock = systemClock();

/** Runs programs on this machine, and records the workspaces that were used. */
function runner(given: Partial<Parameters<typeof workspaceRunner>[0]> = {}) {
  const runs: { id: string; run: ProgramRun }[] = [];
  const uses: string[] = [];
  const spawn = childProcess({ clock });
  const exec = (id: string): Spawn => {
    return (run) => {
      runs.push({ id, run });
      return spawn(run);
    };
  };
  const inUse = async (_job: object, id: string): Promise<void> => void uses.push(id);
  return { runs, uses, ...workspaceRunner({ clock, exec, env: {}, inUse, ...given }) };
}

const echo = { command: [process.execPath, "-e", "console.log('hello')"] };

test("a program runs in its workspace, which is in use meanwhile", async () => {
  const made = runner();
  const { context, output } = runContext();
  const ran = await made.run(jobOf(echo, { workspaceId: "ws-1" }), context);
  assert.equal(ran.result, "completed");
  assert.equal(output(), "hello\n");
  assert.deepEqual(
    made.runs.map(({ id, run }) => [id, run.cwd]),
    [["ws-1", undefined]],
  );
  assert.deepEqual(made.uses, ["ws-1", "ws-1"]);
});

test("a handler's task in a workspace comes on standard input only", async () => {
  const made = runner({ isElsewhere: true });
  const { context } = runContext();
  await made.run(jobOf(echo, { workspaceId: "ws-1", event: { id: "task-1" } }), context);
  const [{ run } = assert.fail()] = made.runs;
  assert.equal(run.input, '{"id":"task-1"}\n');
  assert.equal(run.env["DAYBOOK_TASK_FILE"], undefined);
});

test("a missing workspace or a forbidden program is a failure with advice", async () => {
  const nowhere = await runner().run(jobOf(echo), runContext().context);
  assert.match(JSON.stringify(nowhere), /"failed".*set `in: NAME`/);
  const refused = runner({ isAllowed: () => false });
  const ran = await refused.run(jobOf(echo, { workspaceId: "ws-1" }), runContext().context);
  assert.match(JSON.stringify(ran), /not allowed.*DAYBOOK_ALLOW_COMMANDS/);
  assert.deepEqual([refused.runs, refused.uses], [[], []]);
  const others = runner({ owners: ["jun"] });
  const other = await others.run(jobOf(echo, { workspaceId: "ws-1" }), runContext().context);
  assert.match(JSON.stringify(other), /not allowed.*runners\.command\.owners/);
  assert.deepEqual([others.runs, others.uses], [[], []]);
});

test("a machine that is down is a retryable failure", async () => {
  const down: Spawn = () => Promise.resolve({ started: false, code: "NOT_RUNNING" });
  const ran = await runner({ exec: () => down }).run(
    jobOf(echo, { workspaceId: "ws-1" }),
    runContext().context,
  );
  assert.ok(ran.result === "failed" && ran.retry !== false, JSON.stringify(ran));
});
