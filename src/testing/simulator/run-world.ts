import { systemOwner, nodeKind } from "../../features/nodes/node.ts";
import type { Violation } from "../oracle/model.ts";
import { startClients, startShutdownClients } from "./clients.ts";
import { scheduleDisruptions } from "./disruption.ts";
import { clearFaults } from "./faults.ts";
import { processName } from "./kernel.ts";
import { owners } from "./targets.ts";
import { createWorld, type World, type WorldOptions } from "./world.ts";

const stopMs = 60_000;
const readMs = 10 * 60_000;

/** One virtual world: first it goes wrong, then it must come right, and stop when asked. */
export async function runWorld(options: WorldOptions): Promise<readonly Violation[]> {
  const world = createWorld(options);
  for (const phase of [runDisruption, runRecovery, runShutdown, drainFeeds]) {
    if (!world.hasFailed()) await phase(world);
  }
  if (!world.hasFailed()) world.oracle.finish();
  return world.oracle.violations;
}

async function runDisruption(world: World): Promise<void> {
  const { kernel, machines, clock } = world;
  for (const each of machines) each.start();
  const stepStore = (ms: number): void => {
    clock.offset += ms;
  };
  scheduleDisruptions({ ...world, stepStore });
  startClients(world);
  await kernel.runUntil(kernel.now() + world.scale.lengthMs, world.hasFailed);
}

/** Nothing goes wrong any more: everything that was asked must come to its end. */
async function runRecovery(world: World): Promise<void> {
  const { kernel, oracle } = world;
  world.phase = "recovery";
  clearFaults(world.faults);
  world.backend?.endFaults();
  world.downAddresses.clear();
  startShutdownClients(world);
  const done = (): boolean => world.openOwners === 0 && oracle.isSettled();
  await runUntil(world, kernel.now() + world.scale.recoveryMs, done);
  if (!done())
    return oracle.reportViolation("every record ends after faults have ended", oracle.unsettled());
  await checkNodeRecords(world);
}

/** Whoever crashed or stopped before is started again. */
async function runUntil(world: World, until: number, done = (): boolean => false): Promise<void> {
  const { kernel, machines } = world;
  while (kernel.now() < until && !world.hasFailed() && !done()) {
    for (const each of machines) each.start();
    await kernel.runUntil(kernel.now() + world.scale.checkMs, world.hasFailed);
  }
}

/** Whoever runs is known to run, once; whoever is gone is known to be gone. */
async function checkNodeRecords(world: World): Promise<void> {
  const { kernel, machines, oracle, engine } = world;
  // A node that was lost is known to be lost by then.
  await runUntil(world, kernel.now() + 3 * world.scale.silenceMs);
  const who = { owner: systemOwner, by: "oracle" };
  const { records } = engine.list({ who, query: { kind: nodeKind.name, live: true } });
  const registered = records.map(({ by }) => by).toSorted();
  const running = machines.map((each) => processName(each.process())).toSorted();
  if (registered.join() !== running.join()) {
    oracle.reportViolation(
      "the live node records are the running nodes",
      `${registered.join()} for ${running.join()}`,
    );
  }
}

async function runShutdown(world: World): Promise<void> {
  const { kernel, machines, oracle } = world;
  world.phase = "shutdown";
  for (const each of machines) each.stop();
  await kernel.runUntil(kernel.now() + stopMs, world.hasFailed);
  const left = machines.filter((each) => each.process() !== undefined).map(({ name }) => name);
  if (left.length > 0) oracle.reportViolation("a node stops when requested", left.join(", "));
}

/** The feeds read to their end. */
async function drainFeeds(world: World): Promise<void> {
  const { kernel, oracle } = world;
  world.phase = "drain";
  await kernel.runUntil(kernel.now() + world.scale.feedMs + readMs, world.hasFailed);
  if (world.feedsRead < owners.length + 1)
    oracle.reportViolation("every feed is read to its end", "a reader did not reach the end");
}
