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
import { startedAt, type AtMoment } from "./node.ts";
import { playing } from "./playing.ts";

const minuteMs = 60_000;
const owner = "bob";

/** What comes of each event, and when it comes: so that no two meet, and the moments have one order. */
export const resultOf = {
  "evt-works": { status: "success", summary: "it works" },
  "evt-fails": { status: "failed", summary: "", error: "as it was told" },
  "evt-asks": { status: "needs_human", summary: "", question: "and now?" },
} as const;
export type EventName = keyof typeof resultOf;
export const eventNames = Object.keys(resultOf) as EventName[];

/** How often one that fails is tried in all. */
export const attemptsMax = 2;

const handler: Handler = {
  name: "gen-file",
  subscribes: ["file.told"],
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
    const told = { type: "file.told", source: "test", repo: null, payload: {} };
    const draft = makeEvent(
      { ...told, name, at: startedAt, origin: null, hops: 0 },
      { owner, home: owner, now },
    );
    await ledger.of(owner, owner).append(draft);
  }
}

/** A node that gives events to a handler, runs its tasks and says what they say, one after another. */
export function whenNode(ledger: Ledger, notes: string, at: AtMoment): Service {
  const { parts, says, run } = playing(ledger, notes, at);
  const given = { ...parts, numbers: counted(numbers(ledger), at) };
  const hooks = runHooks({ ledger, numbers: given.numbers });
  return group([
    run(router({ ...given, settings: () => settings }), "event"),
    run(taskController(runs(notes, at), { ...given, hooks }), "task"),
    run(says, "notification"),
  ]);
}

/** A block of numbers is written down before one of it is given out. */
function counted(given: Numbers, at: AtMoment): Numbers {
  return {
    ...given,
    async label(what, day) {
      at("before a number");
      return given.label(what, day);
    },
  };
}

function runs(notes: string, at: AtMoment): Runner {
  return {
    name: "file",
    async run({ id, event }) {
      at("before a run");
      const { event_id: name } = event as { event_id: EventName };
      appendFileSync(notes, `${JSON.stringify({ run: id })}\n`);
      at("ran");
      return { result: "completed", returned: resultOf[name] };
    },
  };
}
