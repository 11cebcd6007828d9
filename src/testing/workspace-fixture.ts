import { plainProfile } from "../features/accounts/profile.ts";
import { notificationKind } from "../features/notifications/kind.ts";
import { taskController } from "../features/tasks/controller.ts";
import { makeTask, type TaskKind, taskKind } from "../features/tasks/kind.ts";
import type { Archives } from "../features/workspaces/archives.ts";
import { workspaceController } from "../features/workspaces/controller.ts";
import { makeWorkspace } from "../features/workspaces/draft.ts";
import { levelEdit, deletionEdit, recoveryEdit } from "../features/workspaces/edits.ts";
import { collector, type Collector } from "../features/workspaces/garbage-collector.ts";
import {
  type Level,
  type WorkspaceKind,
  type WorkspaceOutcome,
  workspaceKind,
} from "../features/workspaces/kind.ts";
import type { Machines } from "../features/workspaces/machines.ts";
import { taskWorkspaces } from "../features/workspaces/task-workspace.ts";
import { is } from "../kernel/kind.ts";
import type { Profile } from "../kernel/profile.ts";
import type { LedgerRecord } from "../kernel/record.ts";
import { runController } from "../kernel/runtime.ts";
import { ids } from "../platform/ids.ts";
import type { Service } from "../platform/service.ts";
import { nodeFixture, type NodeFixture } from "./node-fixture.ts";
import { fakeRunner, type FakeRunner } from "./run-fixture.ts";
import { runHooks } from "./run-hooks.ts";
import { marks } from "./simulator/marks.ts";
import { engineName, simulatedEngine, type SimEngine } from "./simulator/simulated-engine.ts";
import { simulatedStorage, type SimStorage } from "./simulator/simulated-storage.ts";
import { drawWorkspaceFaults, type WorkspaceFaults } from "./simulator/workspace-faults.ts";

type Workspace = LedgerRecord<WorkspaceKind>;

/** An engine, an archive and a controller for the workspaces of one owner. */
export interface WorkspaceFixture extends NodeFixture {
  readonly engine: SimEngine;
  readonly storage: SimStorage;
  /** The ports of nodes; a test may replace them. */
  machines: Machines;
  archives: Archives;
  readonly faults: WorkspaceFaults;
  /** Everything that machines and archives did, in order. */
  readonly acts: string[];
  readonly runner: FakeRunner;
  /** Starts a node. */
  node(holder?: string): Promise<Service>;
  make(desired: Level, body?: Partial<WorkspaceKind["body"]>): Promise<string>;
  get(id: string): Promise<Workspace>;
  ask(id: string, desired: Level): Promise<void>;
  recover(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Writes the outcome that a dead node left. */
  leave(id: string, outcome: Partial<WorkspaceOutcome>): Promise<void>;
  runIn(name: string): Promise<string>;
  task(id: string): Promise<LedgerRecord<TaskKind>>;
  /** The notices to the owner and the administrator. */
  notices(): Promise<readonly string[]>;
  collect: Collector;
}

export const owner = "mina";
const limits = { perOwner: 2, inAll: 3 };
export const minuteMs = 60_000;

export function workspaceFixture(): WorkspaceFixture {
  const at = nodeFixture();
  const { kernel, ledger, clock } = at;
  const random = kernel.randomFor(3);
  const faults = drawWorkspaceFaults(random, true);
  const acts: string[] = [];
  const observer = {
    acted: (_: unknown, __: string, what: string) => void acts.push(what),
    destroyed: () => undefined,
    ended: () => undefined,
    ran: () => undefined,
    stored: (_: unknown, key: string) => void acts.push(`put ${key.split("/").at(-1) ?? ""}`),
    collected: (_: unknown, keys: readonly string[]) => void acts.push(`collect ${keys.length}`),
  };
  const parts = { kernel, random, faults, marks: marks(), observer, faulted: () => undefined };
  const [engine, storage] = [simulatedEngine(parts), simulatedStorage(parts)];
  const process = kernel.spawn("n1", () => undefined);
  const runner = { ...fakeRunner(() => ({ result: "completed" })), name: "workspace" };
  const profile = (): Promise<Profile> => Promise.resolve(plainProfile);
  const made: WorkspaceFixture = Object.assign(at, {
    engine,
    storage,
    machines: engine.machinesFor(process),
    archives: storage.archivesFor(process),
    faults,
    acts,
    runner,
    async node(holder = "n1") {
      const { machines, archives } = made;
      const shared = { ledger, clock, machines, archives, profile };
      const settings = () => ({ limits, pollMs: minuteMs, administrator: "fake:ops" });
      const workspaceLoop = workspaceController({
        ...shared,
        settings,
        newOpId: ids(clock, random),
        operationsAtOnce: 10,
      });
      const workspaces = taskWorkspaces({
        ...shared,
        limits: () => limits,
        implied: () => undefined,
      });
      const options = { ...at.options, holder };
      const running = runController(workspaceLoop, at.ports, { ...options, concurrency: 50 });
      await running.start();
      const taskLoop = taskController(runner, {
        ...shared,
        workspaces,
        hooks: runHooks({ ledger }),
      });
      await runController(taskLoop, at.ports, options).start();
      return running;
    },
    ...requests(at),
    collect: (round: Parameters<Collector>[0]) =>
      collector({ ledger, archives: made.archives })(round),
  });
  return made;
}

type Requests = Pick<
  WorkspaceFixture,
  "make" | "get" | "ask" | "recover" | "remove" | "leave" | "runIn" | "task" | "notices"
>;

/** The requests of its owner. */
function requests({ kernel, ledger }: NodeFixture): Requests {
  const book = ledger.of(owner, owner);
  const { now } = kernel;
  const get = async (id: string): Promise<Workspace> => {
    const record = await book.get(id);
    if (!is(workspaceKind, record)) throw new Error(`no workspace ${id}`);
    return record;
  };
  return {
    async make(desired: Level, body: Partial<WorkspaceKind["body"]> = {}) {
      const request = { ...plain, owner, desired, ...body };
      return (await book.append(makeWorkspace(request, engineName, { now: now(), limits }))).id;
    },
    get,
    async ask(id: string, desired: Level) {
      await book.edit(levelEdit(await get(id), desired, { now: now(), limits }));
    },
    async recover(id: string) {
      await book.edit(recoveryEdit(await get(id)));
    },
    async remove(id: string) {
      await book.edit(deletionEdit(await get(id), now()));
    },
    async leave(id: string, outcome: Partial<WorkspaceOutcome>) {
      const record = await get(id);
      if (record.outcome === null) throw new Error("it was never observed");
      const left = { ...record.outcome, ...outcome };
      await book.edit({ kind: "workspace", id, outcome: left, wakeAt: 0 });
    },
    async runIn(name: string) {
      const to = { target: "fake:a", origin: null, timeoutMs: minuteMs, at: now() };
      return (await book.append(makeTask({ name: "workspace", in: name, input: {}, ...to }))).id;
    },
    async task(id: string) {
      const record = await book.get(id);
      if (!is(taskKind, record)) throw new Error(`no task ${id}`);
      return record;
    },
    async notices() {
      const { records } = await book.list({ kind: notificationKind, limit: 500 });
      return records.map(({ body }) => `${body.target} ${body.message.split("\n")[0] ?? ""}`);
    },
  };
}

const plain = {
  name: "dev",
  imageRef: "node:24",
  machine: { memoryMb: 512, cpus: 1, pids: 256 },
  standbyTtlSeconds: 300,
  archiveTtlSeconds: 86_400,
  wakeAheadSeconds: 120,
  target: "fake:me",
  origin: null,
};
