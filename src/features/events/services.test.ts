import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeOf } from "../../kernel/compose.ts";
import type { Host } from "../../kernel/host.ts";
import { provide, type Provision } from "../../kernel/port.ts";
import { plainHandler } from "../../testing/event-fixture.ts";
import { testHost } from "../../testing/host.ts";
import { nodeFixture, type NodeFixture } from "../../testing/node-fixture.ts";
import { choreRegistry } from "../nodes/ports.ts";
import { taskKind } from "../tasks/kind.ts";
import { handlerTask } from "./event-task.ts";
import type { Handler } from "./handler.ts";
import { healthDefault } from "./health.ts";
import { events } from "./index.ts";
import { eventRules, health, machine, routesEvents } from "./ports.ts";

/** A host whose events these handlers handle. */
function hostAt(
  { ledger, ports }: NodeFixture,
  handlers: readonly Handler[],
  ...more: readonly Provision[]
): Host {
  return testHost(
    ledger,
    ports,
    provide(eventRules, () => ({ handlers, defaultTarget: null, capacity: null })),
    provide(routesEvents, () => true),
    ...more,
  );
}

for (const handlers of [[], [plainHandler]]) {
  const who = handlers.length === 0 ? "nobody handles events" : "somebody does";
  const sent = `sent ${handlers.length} notices`;
  test(`where ${who}, an overloaded machine is reported: ${sent}`, async () => {
    const at = nodeFixture();
    const measures = {
      limits: () => healthDefault,
      measure: () => Promise.resolve({ cpu: 99, memory: 1, disk: 1 }),
    };
    const host = hostAt(
      at,
      handlers,
      provide(machine, () => measures),
    );
    await host.use(health).start();
    const chores = host.use(choreRegistry);
    const notices = chores.find(({ name }) => name === "when-notices") ?? assert.fail();
    const memory = { id: "1", kept: null, round: "1" };
    const { did } = (await notices.run(at.clock.wall(), new AbortController().signal, memory)) as {
      did: string;
    };
    assert.equal(did, sent);
    await host.use(health).stop();
  });
}

test("a node reclaims tasks that external workers left", async () => {
  const at = nodeFixture();
  const { run: _, ...forWorkers } = plainHandler;
  const handler = { ...forWorkers, retries: 0 };
  const making = { target: "inbox:mina", thread: null, capacity: null, origin: null };
  const about = { id: "e", name: "e", type: "t", handler: handler.name, hops: 0, repo: null };
  const more = { payload: {}, taskType: "t", channels: [], thread: null };
  const draft = handlerTask({ ...about, ...more }, handler, { ...making, id: "t-1", now: 0 });
  const book = at.ledger.of("mina", "mina");
  await book.append(draft);
  const { queue } = draft;
  const claim = { kind: taskKind, holder: "worker:mina:box-1", leaseMs: 5_000, limit: 1 } as const;
  await at.ledger.work.claim({ ...claim, ...(queue && { queue }) });
  const self = { name: "node-1", version: "1", host: "here", pid: 1 };
  const node = nodeOf([events], hostAt(at, [handler]), { ...at.options, self, leaseMs: 15_000 });
  await node.start();
  await at.pass(30_000);
  assert.equal((await book.get("t-1"))?.state, "failed");
});
