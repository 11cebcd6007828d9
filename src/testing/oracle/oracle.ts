import { eventId } from "../../features/events/kind.ts";
import { kinds } from "../../features/index.ts";
import type { Job } from "../../features/tasks/runner.ts";
import type { Change } from "../../kernel/query.ts";
import type { Engine, Verb } from "../../kernel/verbs.ts";
import type { SendTap } from "../simulator/faulty-channel.ts";
import type { Witnessed } from "../simulator/faulty-store.ts";
import type { Life } from "../simulator/kernel.ts";
import type { Marks } from "../simulator/marks.ts";
import { sourceOwner } from "../simulator/service.ts";
import { owners as everyone } from "../simulator/targets.ts";
import type { Said } from "../simulator/work-runner.ts";
import type { Workload } from "../simulator/workload.ts";
import { watchActs, type KeepTap } from "./always-acts.ts";
import { checkAllCollected, unconverged } from "./always-end.ts";
import type { Outside } from "./always-notes.ts";
import { watchPlaces } from "./always-settles.ts";
import { watchCall, type Watch } from "./calls.ts";
import { checkEnd, checkWorkloads } from "./end.ts";
import { type Facts } from "./facts.ts";
import { history } from "./history.ts";
import { demand, factsOf, notes, type Violation } from "./notes.ts";
import { watchRun } from "./runs.ts";
import { checkLease, watchSends } from "./sends.ts";
import { watchSaid } from "./settles.ts";
import { watchSaidOf, watchWork } from "./when-works.ts";

/**
 * Knows what must be true, from what was asked and answered, what arrived, and the ledger's history;
 * never by asking the store's own code what is right. A later capability adds a watch of its own
 * beside `watchCall` and `watchSends`, and its line to `states` in oracle-history.
 */
export interface Oracle {
  /** Before a call reaches the store: what it would erase is read first. */
  about(verb: Verb): void;
  witness(call: Witnessed): void;
  readonly sends: SendTap;
  /** An attempt begins to act. */
  began(life: Life, id: string): void;
  /** A run begins on a node. */
  ran(life: Life, job: Job): void;
  /** Work on a task of a handler begins, on a node or elsewhere; and what is said came of it. */
  worked(life: Life, id: string, where: "here" | "outside"): void;
  workedOut(life: Life, id: string, said: Said | null): void;
  /** What is done where workspaces live. */
  readonly keeps: KeepTap;
  /** They live there. */
  lives(outside: Outside): void;
  /** Those that are not as they should be, in time. */
  unconverged(): readonly string[];
  /** By now nothing is left of what nobody needs. */
  collected(): void;
  /** A node says that it settled a record. */
  said(life: Life, id: string): void;
  /** A client was told that its append stands. */
  told(id: string): void;
  /** A client read the feed. */
  fed(owner: string, changes: readonly Change[]): void;
  /** Whether every notification, task, schedule and nag has come to its end. */
  settled(): boolean;
  /** Those that have not. */
  unsettled(): string;
  /** Some rule is broken that a part of the harness sees by itself. */
  blame(invariant: string, detail: string): void;
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
  happened(): readonly string[];
  now(): number;
  storeNow(): number;
}): Oracle {
  const known = notes([...kinds, ...options.workloads.flatMap(({ feature }) => feature.kinds)]);
  const past = history(known, options.engine, options.owners);
  const watch: Watch = { ...options, notes: known, history: past };
  const feeds = new Map(options.owners.map((owner) => [owner, [] as Change[]]));
  const toldIds = new Set<string>();
  /** A source loses nothing. */
  const unheard = (): readonly string[] =>
    options
      .happened()
      .map((name) => eventId(sourceOwner, name, everyone[0]))
      .filter((id) => known.facts.get(id)?.row == null);
  return {
    sends: watchSends(watch),
    violations: known.violations,
    about(verb) {
      if (verb === "prune") past.read();
    },
    witness(call) {
      watchCall(watch, call);
      watchPlaces(watch, call);
    },
    keeps: watchActs(watch),
    lives: (outside) => void (known.always.outside = outside),
    unconverged: () => unconverged(watch),
    collected: () => checkAllCollected(watch),
    began: (life, id) => checkLease(watch, factsOf(known, id), life),
    ran: (life, job) => watchRun(watch, life, job),
    worked: (life, id, where) => watchWork(watch, life, id, where),
    workedOut: (life, id, said) => watchSaidOf(watch, life, id, said),
    said: (life, id) => watchSaid(watch, life, id),
    told: (id) => void toldIds.add(id),
    fed: (owner, changes) => void feeds.get(owner)?.push(...changes),
    settled() {
      past.read();
      return unheard().length === 0 && known.facts.values().every((facts) => !isWaiting(facts));
    },
    unsettled() {
      const waiting = known.facts.values().filter(isWaiting);
      return [...waiting.map(({ id }) => id), ...unheard()].join(", ");
    },
    blame: (invariant, detail) => demand(known, false, invariant, () => detail),
    checkWorkloads: () => checkWorkloads(watch, options.owners, options.workloads),
    finish() {
      past.read();
      checkEnd({ watch, feeds, toldIds, owners: options.owners, workloads: options.workloads });
    },
  };
}

const waitedFor = new Set(["notification", "schedule", "task", "nag", "event", "question"]);

function isWaiting({ end, row }: Facts): boolean {
  return end === null && waitedFor.has(row?.kind ?? "");
}
