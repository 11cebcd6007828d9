import { appendFileSync } from "node:fs";
import { router, type RouterSettings } from "../../features/events/controller.ts";
import type { Handler } from "../../features/events/handler.ts";
import { makeEvent } from "../../features/events/kind.ts";
import { numbers, type Numbers } from "../../features/notifications/counter.ts";
import { taskController } from "../../features/tasks/controller.ts";
import type { Runner } from "../../features/tasks/runner.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { group, type Service } from "../../platform/service.ts";
import { runHooks } from "../run-hooks.ts";
import { startedAt, type OnStep } from "./node.ts";
import { nodeParts } from "./node.ts";

const minuteMs = 60_000;
const owner = "bob";

/** The result of each event. No two are due at once, so that the steps have the same order each time. */
export const resultOf = {
  "evt-works": { status: "success", summary: "it works" },
  "evt-fails": { status: "failed", summary: "", error: "planned failure" },
  "evt-asks": { status: "needs_human", summary: "", question: "and now?" },
} as const;
export type EventName = keyof typeof resultOf;
export const eventNames = Object.keys(resultOf) as EventName[];

/** The attempts of a task that fails. */
export const attemptsMax = 2;

const handler: Handler = {
  name: "gen-file",
  subscribes: ["file.changed"],
  run: { task: "file" },
  timeoutMs: 60 * minuteMs,
  retries: attemptsMax - 1,
  target: "file:me",
  channels: [],
  repo: null,
};
const settings: RouterSettings = {
  handlers: [handler],
  health: "green",
  defaultTarget: null,
  capacity: 3,
};

export async function fillEvents(ledger: Ledger): Promise<void> {
  for (const [index, name] of eventNames.entries()) {
    const now = startedAt + (10 + 20 * index) * minuteMs;
    const event = { type: "file.changed", source: "test", repo: null, payload: {} };
    const draft = makeEvent(
      { ...event, name, at: startedAt, origin: null, hops: 0 },
      { owner, home: owner, now },
    );
    await ledger.of(owner, owner).append(draft);
  }
}

/** A node that dispatches events, runs their tasks and sends their notifications, one after another. */
export function eventNode(ledger: Ledger, logPath: string, onStep: OnStep): Service {
  const { parts, delivery, run } = nodeParts(ledger, logPath, onStep);
  const given = { ...parts, numbers: stepKey(numbers(ledger), onStep) };
  const hooks = runHooks({ ledger, numbers: given.numbers });
  return group([
    run(router({ ...given, settings: () => settings }), "event"),
    run(taskController(runs(logPath, onStep), { ...given, hooks }), "task"),
    run(delivery, "notification"),
  ]);
}

/** The counter reserves a block of numbers before it returns the first one: that write is a step. */
function stepKey(given: Numbers, onStep: OnStep): Numbers {
  return {
    ...given,
    async label(what, day) {
      onStep("before a number");
      return given.label(what, day);
    },
  };
}

function runs(logPath: string, onStep: OnStep): Runner {
  return {
    name: "file",
    async run({ id, event }) {
      onStep("before a run");
      const { event_id: name } = event as { event_id: EventName };
      appendFileSync(logPath, `${JSON.stringify({ run: id })}\n`);
      onStep("ran");
      return { result: "completed", returned: resultOf[name] };
    },
  };
}
