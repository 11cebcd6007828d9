import assert from "node:assert/strict";
import { test } from "node:test";
import { plainProfile } from "../features/accounts/profile.ts";
import { handlerTask } from "../features/events/event-task.ts";
import { healthDefault } from "../features/events/health.ts";
import { numbers } from "../features/notifications/counter.ts";
import { taskKind } from "../features/tasks/kind.ts";
import { runController } from "../kernel/runtime.ts";
import { log } from "../platform/log.ts";
import { group } from "../platform/service.ts";
import { stage, type Stage } from "../testing/stage.ts";
import { plainHandler } from "../testing/when-stage.ts";
import { handling, type Run, type WhenHere } from "./handling.ts";

const write = (): void => undefined;

function handlingOn({ ledger, clock, ports, options }: Stage, when: WhenHere) {
  const run: Run = (controller) => runController(controller, ports, options);
  const parts = {
    ...ports,
    log: log({ write, clock, level: "error", format: "json", color: false }),
    ledger,
    profile: () => Promise.resolve(plainProfile),
    numbers: numbers(ledger),
    run,
  };
  return handling(parts, when);
}

for (const handlers of [[], [plainHandler]]) {
  const who = handlers.length === 0 ? "nobody handles events" : "somebody does";
  const told = `told ${handlers.length} notices`;
  test(`where ${who}, a machine that has too much to do ${told}`, async () => {
    const at = stage();
    const { clock } = at;
    const { health, chores } = handlingOn(at, {
      settings: () => ({ handlers, defaultTarget: null, capacity: null }),
      health: {
        limits: () => healthDefault,
        measure: () => Promise.resolve({ cpu: 99, memory: 1, disk: 1 }),
      },
    });
    await health.start();
    const notices = chores.find(({ name }) => name === "when-notices") ?? assert.fail();
    const memory = { id: "1", kept: null, round: "1" };
    const { did } = (await notices.run(clock.wall(), new AbortController().signal, memory)) as {
      did: string;
    };
    assert.equal(did, told);
    await health.stop();
  });
}

test("a node takes back what workers outside left", async () => {
  const at = stage();
  const { run: _, ...forWorkers } = plainHandler;
  const handler = { ...forWorkers, retries: 0 };
  const making = { target: "inbox:mina", thread: null, capacity: null, origin: null };
  const about = { id: "e", name: "e", type: "t", handler: handler.name, hops: 0, repo: null };
  const said = { payload: {}, taskType: "t", channels: [], thread: null };
  const draft = handlerTask({ ...about, ...said }, handler, { ...making, id: "t-1", now: 0 });
  const book = at.ledger.of("mina", "mina");
  await book.append(draft);
  const { queue } = draft;
  const claim = { kind: taskKind, holder: "worker:mina:box-1", leaseMs: 5_000, limit: 1 } as const;
  await at.ledger.work.claim({ ...claim, ...(queue && { queue }) });
  const settings = () => ({ handlers: [handler], defaultTarget: null, capacity: null });
  const services = group(handlingOn(at, { settings }).services);
  await services.start();
  await at.pass(30_000);
  assert.equal((await book.get("t-1"))?.state, "failed");
});
