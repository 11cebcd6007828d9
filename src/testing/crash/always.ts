import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { directory } from "../../adapters/archives/directory.ts";
import { local } from "../../adapters/machines/local.ts";
import type { Archives } from "../../features/workspaces/archives.ts";
import { workspaceController } from "../../features/workspaces/controller.ts";
import { makeWorkspace } from "../../features/workspaces/draft.ts";
import { workspaceQueue, workspaceKind } from "../../features/workspaces/kind.ts";
import type { Machines } from "../../features/workspaces/machines.ts";
import { requestLevel } from "../../features/workspaces/request.ts";
import { is } from "../../kernel/kind.ts";
import type { Book, Ledger } from "../../kernel/ledger.ts";
import type { Bytes } from "../../platform/byte-stream.ts";
import { childProcess } from "../../platform/child-process.ts";
import { systemClock } from "../../platform/clock.ts";
import { ids } from "../../platform/ids.ts";
import { systemRandom } from "../../platform/random.ts";
import type { Service } from "../../platform/service.ts";
import { openBook } from "./books.ts";
import { startedAt, type AtMoment } from "./node.ts";
import { playing } from "./playing.ts";

const owner = "bob";
/** It is there before its machines are: so its name is known. */
export const workspaceId = "01a3c5a6-0000-7000-8000-000000000001";
const limits = { perOwner: 2, inAll: 2 };
const minuteMs = 60_000;

/** A workspace that is to go into its archive. */
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

/** Where its volume and its archives are. */
export function foldersOf(notes: string): { machines: string; archives: string; home: string } {
  const machines = `${notes}.machines`;
  return { machines, archives: `${notes}.archives`, home: join(machines, workspaceId, "home") };
}

const clock = systemClock();

function machinesIn(folder: string): Machines {
  return local({ folder, node: "here", clock, spawn: childProcess({ clock }) });
}

/** What somebody has worked on. */
export async function makeHome(notes: string): Promise<void> {
  const { machines, home } = foldersOf(notes);
  const { signal } = new AbortController();
  await machinesIn(machines).volumes.provision({ id: workspaceId, owner }, signal);
  mkdirSync(join(home, "src"));
  writeFileSync(join(home, "src", "main.txt"), "가나다\n".repeat(20_000), { mode: 0o640 });
  writeFileSync(join(home, "empty"), "");
  symlinkSync("src/main.txt", join(home, "link"));
}

/** A node that looks after it; each step of it, out there too, is a moment to die at. */
function alwaysNode(ledger: Ledger, notes: string, at: AtMoment): Service {
  const { machines, archives } = foldersOf(notes);
  const { parts, run } = playing(ledger, notes, at);
  const settings = () => ({ limits, pollMs: minuteMs, administrator: null });
  const keeps = workspaceController({
    ...parts,
    machines: dyingMachines(machinesIn(machines), at),
    archives: dyingArchives(directory({ folder: archives, clock }), at),
    newOpId: ids(clock, systemRandom()),
    settings,
    operationsAtOnce: 1,
  });
  return run(keeps, "workspace");
}

function dyingMachines(machines: Machines, at: AtMoment): Machines {
  const { volumes } = machines;
  const step = around(at);
  return {
    ...machines,
    remove: (...asked) => step("machine removal", () => machines.remove(...asked)),
    volumes: {
      ...volumes,
      read: (...asked) => step("read", () => volumes.read(...asked)),
      remove: (...asked) => step("volume removal", () => volumes.remove(...asked)),
      restore: (volume, tar, signal) =>
        step("restore", () =>
          volumes.restore(volume, piecewise(tar, "a piece restored", at), signal),
        ),
    },
  };
}

function dyingArchives(archives: Archives, at: AtMoment): Archives {
  const step = around(at);
  return {
    ...archives,
    put(key, bytes, signal) {
      const what = key.endsWith(".meta") ? "meta" : "upload";
      const dying = piecewise(bytes, `a piece of the ${what}`, at);
      return step(what, () => archives.put(key, dying, signal));
    },
    async get(key, signal) {
      const what = key.endsWith(".meta") ? "reading the meta" : "reading back";
      return piecewise(await step(what, () => archives.get(key, signal)), "a piece read", at);
    },
  };
}

function around(at: AtMoment): <T>(what: string, run: () => Promise<T>) => Promise<T> {
  return async (what, run) => {
    at(`before ${what}`);
    const answer = await run();
    at(`after ${what}`);
    return answer;
  };
}

async function* piecewise(bytes: Bytes, what: string, at: AtMoment): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    at(what);
    yield piece;
  }
}

/** Into its archive, and back: until it is asleep again with all that was in it. */
export async function workAlways(
  place: string,
  notes: string,
  time: Float64Array,
  at: AtMoment,
): Promise<void> {
  const ledger = await openBook(place, time);
  const node = alwaysNode(ledger, notes, at);
  await node.start();
  const book = ledger.of(owner, owner);
  while (!(await isBack(book, time))) await turn(ledger, time);
  await node.stop();
  await ledger.close();
}

/** Whoever finds it archived asks for it back. */
async function isBack(book: Book, time: Float64Array): Promise<boolean> {
  const record = await book.get(workspaceId);
  if (!is(workspaceKind, record) || (record.outcome?.operation ?? null) !== null) return false;
  const { body, state, outcome } = record;
  if (body.desired === "STANDBY") return state === "standby";
  if (state === "pending" && (outcome?.archiveKey ?? null) !== null) {
    await book
      .edit(requestLevel(record, "STANDBY", { now: time[0] ?? NaN, limits }))
      .catch(() => undefined);
  }
  return false;
}

/** Time goes on only when nobody is at work. */
async function turn({ work }: Ledger, time: Float64Array): Promise<void> {
  const { queues } = await work.stats();
  const here = queues.find(({ queue }) => queue === workspaceQueue("local:here"));
  const isIdle = here !== undefined && here.due + here.leased === 0;
  if (isIdle) time[0] = (time[0] ?? NaN) + minuteMs;
  await new Promise((resolve) => setTimeout(resolve, 2));
}
