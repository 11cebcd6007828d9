import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { directory } from "../../adapters/archives/directory.ts";
import { local } from "../../adapters/machines/local.ts";
import type { Archives } from "../../features/workspaces/archives.ts";
import { workspaceController } from "../../features/workspaces/controller.ts";
import { makeWorkspace } from "../../features/workspaces/draft.ts";
import { levelEdit } from "../../features/workspaces/edits.ts";
import { workspaceQueue, workspaceKind } from "../../features/workspaces/kind.ts";
import type { Machines } from "../../features/workspaces/machines.ts";
import { is } from "../../kernel/kind.ts";
import type { Book, Ledger } from "../../kernel/ledger.ts";
import type { Bytes } from "../../platform/byte-stream.ts";
import { childProcess } from "../../platform/child-process.ts";
import { systemClock } from "../../platform/clock.ts";
import { ids } from "../../platform/ids.ts";
import { systemRandom } from "../../platform/random.ts";
import type { Service } from "../../platform/service.ts";
import { openLedger } from "./ledgers.ts";
import { startedAt, type OnStep } from "./node.ts";
import { nodeParts } from "./node.ts";

const owner = "bob";
/** The home folder is created before the workspace, so its id is fixed. */
export const workspaceId = "01a3c5a6-0000-7000-8000-000000000001";
const limits = { perOwner: 2, inAll: 2 };
const minuteMs = 60_000;

/** A workspace that is to be archived. */
export async function fillWorkspace(ledger: Ledger): Promise<void> {
  const draft = makeWorkspace(
    {
      owner,
      name: "dev",
      imageRef: "local",
      machine: { memoryMb: 512, cpus: 1, pids: 256 },
      desired: "PENDING",
      standbyTtlSeconds: 366 * 86_400,
      archiveTtlSeconds: 366 * 86_400,
      wakeAheadSeconds: 0,
      target: "file:me",
      origin: null,
    },
    "local:here",
    { now: startedAt, limits },
  );
  await ledger.of(owner, owner).append({ ...draft, id: workspaceId });
}

/** The folders of its machines, its archives and its home. */
export function foldersOf(logPath: string): { machines: string; archives: string; home: string } {
  const machines = `${logPath}.machines`;
  return { machines, archives: `${logPath}.archives`, home: join(machines, workspaceId, "home") };
}

const clock = systemClock();

function machinesIn(folder: string): Machines {
  return local({ folder, node: "here", clock, spawn: childProcess({ clock }) });
}

/** Writes the files of the workspace's home. */
export async function makeHome(logPath: string): Promise<void> {
  const { machines, home } = foldersOf(logPath);
  const { signal } = new AbortController();
  await machinesIn(machines).volumes.provision({ id: workspaceId, owner }, signal);
  mkdirSync(join(home, "src"));
  writeFileSync(join(home, "src", "main.txt"), "가나다\n".repeat(20_000), { mode: 0o640 });
  writeFileSync(join(home, "empty"), "");
  symlinkSync("src/main.txt", join(home, "link"));
}

/** A node that reconciles the workspace; its calls to machines and archives are steps too. */
function workspaceNode(ledger: Ledger, logPath: string, onStep: OnStep): Service {
  const { machines, archives } = foldersOf(logPath);
  const { parts, run } = nodeParts(ledger, logPath, onStep);
  const settings = () => ({ limits, pollMs: minuteMs, administrator: null });
  const controller = workspaceController({
    ...parts,
    machines: machinesWithSteps(machinesIn(machines), onStep),
    archives: archivesWithSteps(directory({ folder: archives, clock }), onStep),
    newOpId: ids(clock, systemRandom()),
    settings,
    operationsAtOnce: 1,
  });
  return run(controller, "workspace");
}

function machinesWithSteps(machines: Machines, onStep: OnStep): Machines {
  const { volumes } = machines;
  const step = withStepsAround(onStep);
  return {
    ...machines,
    start: (...input) => step("machine start", () => machines.start(...input)),
    remove: (...input) => step("machine removal", () => machines.remove(...input)),
    volumes: {
      ...volumes,
      read: (...input) => step("read", () => volumes.read(...input)),
      remove: (...input) => step("volume removal", () => volumes.remove(...input)),
      restore: (volume, tar, signal) =>
        step("restore", () =>
          volumes.restore(volume, inPieces(tar, "a piece restored", onStep), signal),
        ),
    },
  };
}

function archivesWithSteps(archives: Archives, onStep: OnStep): Archives {
  const step = withStepsAround(onStep);
  return {
    ...archives,
    put(key, bytes, signal) {
      const what = key.endsWith(".meta") ? "meta" : "upload";
      const crashTest = inPieces(bytes, `a piece of the ${what}`, onStep);
      return step(what, () => archives.put(key, crashTest, signal));
    },
    async get(key, signal) {
      const what = key.endsWith(".meta") ? "reading the meta" : "reading back";
      return inPieces(await step(what, () => archives.get(key, signal)), "a piece read", onStep);
    },
  };
}

function withStepsAround(onStep: OnStep): <T>(what: string, run: () => Promise<T>) => Promise<T> {
  return async (what, run) => {
    onStep(`before ${what}`);
    const answer = await run();
    onStep(`after ${what}`);
    return answer;
  };
}

async function* inPieces(bytes: Bytes, what: string, onStep: OnStep): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    onStep(what);
    yield piece;
  }
}

/** Archives, restores, starts and stops the workspace, until it is on standby again. */
export async function workOnWorkspace(
  location: string,
  logPath: string,
  time: Float64Array,
  onStep: OnStep,
): Promise<void> {
  const ledger = await openLedger(location, time);
  const node = workspaceNode(ledger, logPath, onStep);
  await node.start();
  const book = ledger.of(owner, owner);
  while (!(await isBack(book, time))) await turn(ledger, time);
  await node.stop();
  await ledger.close();
}

/** Whether the workspace is back and stopped. Requests the next level once one is reached. */
async function isBack(book: Book, time: Float64Array): Promise<boolean> {
  const record = await book.get(workspaceId);
  if (!is(workspaceKind, record) || (record.outcome?.operation ?? null) !== null) return false;
  const { body, state, outcome } = record;
  if (body.desired === "STANDBY") return state === "standby";
  const isArchived = state === "pending" && (outcome?.archiveKey ?? null) !== null;
  const next = isArchived ? "RUNNING" : state === "running" ? "STANDBY" : undefined;
  if (next !== undefined) {
    await book
      .edit(levelEdit(record, next, { now: time[0] ?? NaN, limits }))
      .catch(() => undefined);
  }
  return false;
}

/** The clock advances only while no record is due or leased. */
async function turn({ work }: Ledger, time: Float64Array): Promise<void> {
  const { queues } = await work.stats();
  const here = queues.find(({ queue }) => queue === workspaceQueue("local:here"));
  const isIdle = here !== undefined && here.due + here.leased === 0;
  if (isIdle) time[0] = (time[0] ?? NaN) + minuteMs;
  await new Promise((resolve) => setTimeout(resolve, 2));
}
