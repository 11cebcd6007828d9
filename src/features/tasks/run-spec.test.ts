import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { handlerTask } from "../events/event-task.ts";
import type { Handler } from "../events/handler.ts";
import type { ScheduleKind } from "../schedules/kind.ts";
import { slotTask } from "../schedules/slot.ts";
import type { RunSpec, RunTemplate } from "./run-spec.ts";
import type { TaskEvent } from "./task-event.ts";

function slotOf(run: RunSpec) {
  const body: ScheduleKind["body"] = {
    name: "tidy",
    cadence: { type: "interval", everyMs: 60_000, anchor: 0 },
    whenText: "every minute",
    run,
    notify: "always",
    target: "inbox:mina",
    origin: null,
    misfire: "latest",
    overlap: "skip",
    rerun: false,
    timeoutMs: 1_000,
    notifyAfterFailures: 0,
    disableAfterFailures: 0,
  };
  return slotTask({ id: "s", body }, { at: 60_000, because: "cadence" });
}

const event: TaskEvent = {
  id: "e",
  name: "evt-1",
  type: "jira.ticket.assigned",
  handler: "gen-docs",
  hops: 0,
  repo: null,
  payload: { in: "elsewhere" },
  taskType: "jira.ticket.assigned",
  channels: [],
  thread: null,
};

function handled(run: RunTemplate) {
  const handler: Handler = {
    name: "gen-docs",
    subscribes: [],
    run,
    timeoutMs: 1_000,
    retries: 0,
    target: null,
    channels: [],
    repo: null,
  };
  const making = { id: "t", now: 1, target: "inbox:mina", thread: null, capacity: null };
  return handlerTask(event, handler, { ...making, origin: null });
}

describe("a run in a workspace", () => {
  for (const [whose, made] of [
    ["a schedule", slotOf],
    ["a handler", handled],
  ] as const) {
    test(`of ${whose}: a command uses the workspace runner, without the name in its input`, () => {
      const { queue, body } = made({ command: ["ls", "-l"], in: "dev" });
      assert.deepEqual(
        [queue, body.name, body.in, body.input],
        ["task@workspace", "workspace", "dev", { command: ["ls", "-l"] }],
      );
    });
    test(`of ${whose}: another run keeps its runner, and waits for the workspace`, () => {
      const runs = [
        [{ agent: "tidy up", in: "dev" }, "agent", { agent: "tidy up" }],
        [{ task: "tidy", input: 7, in: "dev" }, "tidy", 7],
        [
          { http: "https://example.org/", secret: "whsec_x", in: "dev" },
          "http",
          { http: "https://example.org/", secret: "whsec_x" },
        ],
      ] as const;
      for (const [run, name, input] of runs) {
        const { queue, body } = made(run);
        assert.deepEqual(
          [queue, body.name, body.in, body.input],
          [`task@${name}`, name, "dev", input],
        );
      }
    });
    test(`of ${whose}: a run without a workspace is unchanged`, () => {
      const { queue, body } = made({ command: ["ls"] });
      assert.deepEqual([queue, Object.hasOwn(body, "in")], ["task@command", false]);
    });
  }
  test("is never chosen by an event", () => {
    const { body } = handled({ command: ["ls", "{{payload.in}}"], in: "{{payload.in}}" });
    assert.deepEqual([body.in, body.input], ["{{payload.in}}", { command: ["ls", "elsewhere"] }]);
  });
});
