import { eventKind } from "../../features/events/kind.ts";
import { questionKind } from "../../features/events/question.ts";
import { numbers } from "../../features/notifications/counter.ts";
import { taskKind } from "../../features/tasks/kind.ts";
import { sleep } from "../../platform/clock.ts";
import { chance } from "../chance.ts";
import { answer } from "./answers.ts";
import { startProcess, type ClientPorts } from "./client-process.ts";
import { emitAgain, planSource, runEventClient } from "./event-client.ts";
import type { EventClient } from "./event-emission.ts";
import { runExternalWorker } from "./external-worker.ts";
import { currentProcess } from "./kernel.ts";
import { retried } from "./request-retry.ts";
import { owners } from "./targets.ts";
import type { World } from "./world.ts";

/** Whoever tells of events, and whoever works on their tasks elsewhere. */
export function startEventClients(world: World): void {
  for (const [index, owner] of owners.entries()) {
    const name = `emitter-${index}`;
    const eventNames: string[] = [];
    world.eventNames.set(owner, eventNames);
    world.busyClients += 1;
    startProcess(world, { name, salt: 90 + index }, async (parts) => {
      await runEventClient(clientOptions(world, { ...parts, name, owner, eventNames }));
      world.busyClients -= 1;
    });
  }
  for (const index of [0, 1]) startExternalWorker(world, index);
}

function startExternalWorker(world: World, index: number): void {
  const name = `outsider-${index}`;
  const { oracle } = world;
  startProcess(world, { name, salt: 95 + index }, (parts) => {
    const process = currentProcess();
    if (process === undefined) throw new Error("an outsider lives");
    return runExternalWorker({
      ...parts,
      name,
      started: (id) => oracle.taskStarted(process, id, "outside"),
      answered: (id, said) => oracle.taskReported(process, id, said),
      isRecovered: () => world.phase !== "disruption",
      busy: () => world.phase === "disruption" || world.phase === "recovery",
    });
  });
}

type ClientIdentity = ClientPorts & { name: string; owner: string; eventNames: string[] };

function clientOptions(world: World, options: ClientIdentity) {
  return {
    ...options,
    oracle: world.oracle,
    setHealth: (health: World["health"]) => (world.health = health),
    busy: () => world.phase === "disruption",
  };
}

/** What is known for thirty days outlives what is forgotten after a minute. */
const echoMs = 130_000;
/** A world takes twice as long with it. */
const echoChance = 0.3;

/** Answers whatever is asked, as long as somebody may ask. */
async function answerAll(world: World, client: EventClient): Promise<void> {
  const query = { kind: questionKind, live: true, limit: 500 } as const;
  while (world.phase === "recovery") {
    const found = await retried(client, () => client.book.list(query));
    for (const question of found?.records ?? []) {
      await retried(client, () => answer(client, question));
    }
    await sleep(client.clock, 4 * world.scale.checkMs);
  }
}

/** Waits until nothing of an owner is left to do; then tells of everything once more. */
export async function endEvents(world: World, owner: string, parts: ClientPorts): Promise<void> {
  const { ledger, clock } = parts;
  const eventNames = world.eventNames.get(owner) ?? [];
  const name = `closer-${owner}`;
  const book = ledger.of(owner, name);
  const options = clientOptions(world, { ...parts, name, owner, eventNames });
  const client: EventClient = { ...options, book, numbers: numbers(ledger) };
  const isBusy = async (): Promise<boolean> => {
    const live = { live: true, limit: 1 } as const;
    if ((await book.list({ kind: eventKind, ...live })).records.length > 0) return true;
    return (await book.list({ kind: taskKind, ...live })).records.length > 0;
  };
  const untilDone = async (): Promise<void> => {
    while (await isBusy().catch(() => true)) await sleep(clock, 3 * world.scale.checkMs);
  };
  void answerAll(world, client);
  await retried(client, () => planSource(client)); // the store may have been down until now
  await untilDone();
  if (!chance(parts.random, echoChance)) return;
  await sleep(clock, echoMs);
  for (const each of eventNames) await retried(client, () => emitAgain(client, each));
  await untilDone(); // some were never written before
}
