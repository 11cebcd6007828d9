import { eventId } from "../../features/events/kind.ts";
import { kinds } from "../../features/index.ts";
import type { Job } from "../../features/tasks/runner.ts";
import type { Change } from "../../kernel/query.ts";
import type { Engine, Verb } from "../../kernel/verbs.ts";
import { sourceOwner } from "../simulator/event-service.ts";
import type { SendObserver } from "../simulator/faulty-channel.ts";
import type { StoreCall } from "../simulator/faulty-store.ts";
import type { TaskResult } from "../simulator/handler-runner.ts";
import type { VirtualProcess } from "../simulator/kernel.ts";
import type { Marks } from "../simulator/marks.ts";
import { owners } from "../simulator/targets.ts";
import type { Workload } from "../simulator/workload.ts";
import { watchCall, type Watch } from "./calls.ts";
import { type Facts } from "./facts.ts";
import { checkEnd, checkWorkloads } from "./final-check.ts";
import { watchTaskResult, watchWork } from "./handler-tasks.ts";
import { readHistory } from "./history.ts";
import { checkInvariant, factsOf, emptyModel, type Violation } from "./model.ts";
import { watchRun } from "./runs.ts";
import { checkLease, watchSends } from "./sends.ts";
import { watchSettleReport } from "./settles.ts";
import { watchActs, type WorkspaceObserver } from "./workspace-actions.ts";
import { checkAllCollected, unconverged } from "./workspace-convergence.ts";
import type { Backend } from "./workspace-notes.ts";
import { watchWorkspaceCalls } from "./workspace-settles.ts";

/**
 * Knows what must be true, from what was asked and answered, what arrived, and the ledger's history;
 * never by asking the store's own code what is right. A later capability adds a watch of its own
 * beside `watchCall` and `watchSends`, and its line to `states` in oracle-history.
 */
export interface Oracle {
  /** Before a call reaches the store: what it would erase is read first. */
  beforeCall(verb: Verb): void;
  recordCall(call: StoreCall): void;
  readonly sends: SendObserver;
  /** An attempt begins to act. */
  actStarted(process: VirtualProcess, id: string): void;
  /** A run begins on a node. */
  runStarted(process: VirtualProcess, job: Job): void;
  /** Work on a task of a handler begins, on a node or elsewhere; and what is said came of it. */
  taskStarted(process: VirtualProcess, id: string, where: "here" | "outside"): void;
  taskReported(process: VirtualProcess, id: string, settleReported: TaskResult | null): void;
  /** What is done where workspaces live. */
  readonly workspaces: WorkspaceObserver;
  /** They live there. */
  attachBackend(backend: Backend): void;
  /** Those that are not as they should be, in time. */
  unconverged(): readonly string[];
  /** By now nothing is left of what nobody needs. */
  garbageCollected(): void;
  /** A node says that it settled a record. */
  settleReported(process: VirtualProcess, id: string): void;
  /** A client was told that its append stands. */
  appendAcknowledged(id: string): void;
  /** A client read the feed. */
  feedRead(owner: string, changes: readonly Change[]): void;
  /** Whether every notification, task, schedule and nag has come to its end. */
  isSettled(): boolean;
  /** Those that have not. */
  unsettled(): string;
  /** Some rule is broken that a part of the harness sees by itself. */
  reportViolation(invariant: string, detail: string): void;
  /** The rules of the workloads, at this moment. */
  checkWorkloads(): void;
  /** Everything, once nothing moves any more. */
  finish(): void;
  readonly violations: readonly Violation[];
}

export function oracle(options: {
  engine: Engine;
  marks: Marks;
  owners: readonly string[];
  isCalm: boolean;
  /** What is done with features beside those of the program. */
  workloads: readonly Workload[];
  /** What happened where a source asks. */
  sourceEvents(): readonly string[];
  now(): number;
  storeNow(): number;
}): Oracle {
  const model = emptyModel([
    ...kinds,
    ...options.workloads.flatMap(({ feature }) => feature.kinds),
  ]);
  const history = readHistory(model, options.engine, options.owners);
  const watch: Watch = { ...options, model, history };
  const feeds = new Map(options.owners.map((owner) => [owner, [] as Change[]]));
  const acknowledgedIds = new Set<string>();
  /** A source loses nothing. */
  const missingSourceEvents = (): readonly string[] =>
    options
      .sourceEvents()
      .map((name) => eventId(sourceOwner, name, owners[0]))
      .filter((id) => model.facts.get(id)?.row == null);
  return {
    sends: watchSends(watch),
    violations: model.violations,
    beforeCall(verb) {
      if (verb === "prune") history.read();
    },
    recordCall(call) {
      watchCall(watch, call);
      watchWorkspaceCalls(watch, call);
    },
    workspaces: watchActs(watch),
    attachBackend: (backend) => void (model.workspaces.backend = backend),
    unconverged: () => unconverged(watch),
    garbageCollected: () => checkAllCollected(watch),
    actStarted: (process, id) => checkLease(watch, factsOf(model, id), process),
    runStarted: (process, job) => watchRun(watch, process, job),
    taskStarted: (process, id, where) => watchWork(watch, process, id, where),
    taskReported: (process, id, settleReported) =>
      watchTaskResult(watch, process, id, settleReported),
    settleReported: (process, id) => watchSettleReport(watch, process, id),
    appendAcknowledged: (id) => void acknowledgedIds.add(id),
    feedRead: (owner, changes) => void feeds.get(owner)?.push(...changes),
    isSettled() {
      history.read();
      return (
        missingSourceEvents().length === 0 &&
        model.facts.values().every((facts) => !isWaiting(facts))
      );
    },
    unsettled() {
      const waiting = model.facts.values().filter(isWaiting);
      return [...waiting.map(({ id }) => id), ...missingSourceEvents()].join(", ");
    },
    reportViolation: (invariant, detail) => checkInvariant(model, false, invariant, () => detail),
    checkWorkloads: () => checkWorkloads(watch, options.owners, options.workloads),
    finish() {
      history.read();
      checkEnd({
        watch,
        feeds,
        acknowledgedIds,
        owners: options.owners,
        workloads: options.workloads,
      });
    },
  };
}

const awaitedKinds = new Set(["notification", "schedule", "task", "nag", "event", "question"]);

function isWaiting({ end, row }: Facts): boolean {
  return end === null && awaitedKinds.has(row?.kind ?? "");
}
