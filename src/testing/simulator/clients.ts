import { systemOwner } from "../../features/nodes/node.ts";
import { deletedSchedule } from "../../features/schedules/change.ts";
import { scheduleKind } from "../../features/schedules/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { Book } from "../../kernel/ledger.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { firesBetween } from "../../time/cadence.ts";
import { intBelow, pick } from "../chance.ts";
import { runCarelessWorker, carelessQueue } from "./careless-worker.ts";
import { startProcess, type ClientPorts } from "./client-process.ts";
import { endEvents, startEventClients } from "./event-clients.ts";
import { readFeed } from "./feed-reader.ts";
import { runInboxListener } from "./inbox-listener.ts";
import { runNagClient } from "./nag-client.ts";
import { endNag, isBehind as isNagBehind } from "./nag-recovery.ts";
import { runClient } from "./notification-client.ts";
import { reconcilerQueue } from "./reconciler.ts";
import { runScheduleClient } from "./schedule-client.ts";
import { owners } from "./targets.ts";
import { startWorkloads } from "./workload.ts";
import { awaitConvergence, startWorkspaceClients } from "./workspace-recovery.ts";
import type { World } from "./world.ts";

/** Lets in whoever asks and reads. */
export function startClients(world: World): void {
  const { kernel, oracle, notificationIds } = world;
  const random = kernel.randomFor(6);
  const isLong = world.scale.name !== "minute";
  const clientCount = isLong ? 0 : pick(random, [1, 1, 2, 2, 3]);
  for (let index = 0; index < clientCount; index += 1) {
    const name = `client-${index}`;
    const busy = (): boolean => world.phase === "disruption";
    startProcess(world, { name, salt: 10 + index }, (parts) =>
      runClient({ ...parts, name, oracle, notificationIds, busy, wantsQuiet: !world.isCalm }),
    );
  }
  for (const [index, owner] of [...owners, systemOwner].entries()) {
    const busy = (): boolean => world.phase !== "drain";
    startProcess(world, { name: `feed-${owner}`, salt: 20 + index }, async (parts) => {
      await readFeed({ ...parts, owner, oracle, busy, scale: world.scale });
      world.feedsRead += 1;
    });
  }
  if (!isLong) startListenersAndWorkers(world, random);
  if (world.hasSchedules) startScheduleClients(world);
  if (world.hasNags) startNagClients(world);
  if (world.hasEvents) startEventClients(world);
  startWorkspaceClients(world);
  startWorkloads(world);
  if (isLong) return;
  for (const owner of owners) {
    const count = 1 + intBelow(random, 2);
    startProcess(world, { name: `founder-${owner}`, salt: 30 }, (parts) =>
      appendReconcilerRecords(world, { ...parts, owner, count }),
    );
  }
}

/** Whoever listens, and whoever works badly. */
function startListenersAndWorkers(world: World, random: Random): void {
  startInboxListeners(world, [...owners, pick(random, owners)]);
  for (const index of [0, 1]) {
    const name = `scribe-${index}`;
    const busy = (): boolean => world.phase === "disruption";
    startProcess(world, { name, salt: 50 + index }, (parts) =>
      runCarelessWorker({ ...parts, name }, busy),
    );
  }
}

/** In a month they come only in the end, to read what waits for them. */
function startInboxListeners(world: World, to: readonly string[]): void {
  for (const [index, owner] of to.entries()) {
    const name = `ear-${index}`;
    startProcess(world, { name, salt: 60 + index }, (parts) =>
      runInboxListener({ ...parts, world, name, owner }),
    );
  }
}

function startScheduleClients(world: World): void {
  const { oracle, scale } = world;
  for (const [index, owner] of owners.entries()) {
    const name = `planner-${index}`;
    const made: string[] = [];
    world.schedules.set(owner, made);
    world.busyClients += 1;
    const busy = (): boolean => world.phase === "disruption";
    startProcess(world, { name, salt: 70 + index }, async (parts) => {
      await runScheduleClient({ ...parts, name, owner, made, oracle, scale, busy });
      world.busyClients -= 1;
    });
  }
}

function startNagClients(world: World): void {
  const { oracle, scale } = world;
  for (const [index, owner] of owners.entries()) {
    const name = `pester-${index}`;
    const made: string[] = [];
    world.nags.set(owner, made);
    world.busyClients += 1;
    const busy = (): boolean => world.phase === "disruption";
    startProcess(world, { name, salt: 80 + index }, async (parts) => {
      const wantsQuiet = !world.isCalm;
      await runNagClient({ ...parts, name, owner, made, oracle, scale, wantsQuiet, busy });
      world.busyClients -= 1;
    });
  }
}

/** Ends what would go on for ever, so that the world can come to rest. */
export function startShutdownClients(world: World): void {
  if (world.scale.name !== "minute") startInboxListeners(world, owners);
  for (const owner of owners) {
    startProcess(world, { name: `closer-${owner}`, salt: 40 }, (parts) =>
      endOwnerRecords(world, { ...parts, owner }),
    );
  }
}

/** Once all is healed schedules run on for a while, until each slot that came is decided. */
const runAfterRecoveryMs = 20_000;
const behindMs = 15_000;

async function isScheduleBehind({ clock }: World, book: Book, id: string): Promise<boolean> {
  const record = await book.get(id).catch(() => undefined);
  if (!is(scheduleKind, record) || record.endedAt !== null || record.state === "disabled") {
    return false;
  }
  const { cursor = 0, undecided } = record.outcome ?? {};
  if (undecided !== undefined) return true;
  return firesBetween(record.body.cadence, cursor, clock.now() - behindMs, 1).fires.length > 0;
}

/** Unless it was never written, or has ended. */
async function endSchedule(book: Book, id: string, clock: Clock): Promise<unknown> {
  const record = await book.get(id);
  if (!is(scheduleKind, record) || record.endedAt !== null || record.cancelling) return "gone";
  const { edit, consequences } = deletedSchedule(record, {}, Math.floor(clock.wall()));
  return book.edit(edit, consequences);
}

/** Asks until the store answers. */
async function untilAnswered<T>(clock: Clock, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    await sleep(clock, 300);
  }
}

/** Writes an owner's relays down. */
async function appendReconcilerRecords(
  { reconcilerIds }: World,
  { owner, count, ledger, clock }: ClientPorts & { owner: string; count: number },
): Promise<void> {
  const book = ledger.of(owner, "founder");
  const ids: string[] = [];
  reconcilerIds.set(owner, ids);
  for (let index = 0; index < count; index += 1) {
    const body = { name: `relay ${index}`, everyMs: 9_000 * (index + 1) };
    const place = { queue: reconcilerQueue, key: { name: body.name }, wakeAt: 0 };
    const draft = { kind: "chore" as const, state: "waiting" as const, body, ...place };
    ids.push((await untilAnswered(clock, () => book.append(draft))).id);
  }
  const body = { name: "scribe", everyMs: 0 };
  const place = { queue: carelessQueue, key: { name: "scribe" }, wakeAt: 0 };
  const draft = { kind: "chore" as const, state: "waiting" as const, body, ...place };
  ids.push((await untilAnswered(clock, () => book.append(draft))).id);
}

async function endOwnerRecords(
  world: World,
  ports: ClientPorts & { owner: string },
): Promise<void> {
  const { owner, ledger, clock } = ports;
  const book = ledger.of(owner, "founder");
  for (const id of world.reconcilerIds.get(owner) ?? [])
    await untilAnswered(clock, () => book.cancel({ id }));
  if (world.backend !== undefined) await awaitConvergence(world, owner, ports);
  if (world.hasSchedules) await sleep(clock, runAfterRecoveryMs);
  while (world.busyClients > 0) await sleep(clock, world.scale.checkMs / 5);
  for (const id of world.schedules.get(owner) ?? []) {
    while (await isScheduleBehind(world, book, id)) await sleep(clock, world.scale.checkMs);
    await untilAnswered(clock, () => endSchedule(book, id, clock));
  }
  if (world.hasNags) await sleep(clock, world.scale.nagRecoveryMs);
  for (const id of world.nags.get(owner) ?? []) {
    while (await isNagBehind(book, id, world.clock.now())) await sleep(clock, world.scale.checkMs);
    await untilAnswered(clock, () => endNag(book, id));
  }
  if (world.hasEvents) await endEvents(world, owner, ports);
  world.openOwners -= 1;
}
