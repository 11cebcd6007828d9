import type { Book } from "../../kernel/ledger.ts";
import type { Context } from "../../kernel/operation.ts";
import { port, registry } from "../../kernel/port.ts";
import type { AnyRecord, LedgerRecord } from "../../kernel/record.ts";
import type { Consequences, Hold } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { CallRule } from "../notifications/index.ts";
import type { TaskDefinition } from "./function.ts";
import type { TaskKind } from "./kind.ts";
import type { RunHook } from "./run-hook.ts";
import type { Runner } from "./runner.ts";
import type { TaskWorkspaces } from "./workspace-wait.ts";

type Task = LedgerRecord<TaskKind>;

/** What a run needs of workspaces. */
export interface RunWorkspaces {
  /** Whether machines are processes of this computer, so that their programs run on it. */
  readonly isLocal: boolean;
  /** Throws unless a workspace of this name exists, or its first run can create it: then it is the answer. */
  checkRunIn(name: string, context: Context): Promise<MissingWorkspace | undefined>;
}

/** A workspace that does not exist yet. */
export interface MissingWorkspace {
  readonly name: string;
  /** The names of those that exist. */
  readonly others: readonly string[];
}

/** Undefined where no machines are configured. */
export const runWorkspaces = port<RunWorkspaces | undefined>("tasks.workspaces", undefined);

export function runWorkspacesIn(context: Context): RunWorkspaces {
  const workspaces = context.use(runWorkspaces);
  if (workspaces === undefined) throw noWorkspaces();
  return workspaces;
}

export function noWorkspaces(): DaybookError {
  const sentence =
    "Workspaces are not set up here: set machines to docker or local in daybook.yaml, or set DAYBOOK_MACHINES.";
  return new DaybookError("unsupported", sentence);
}

/** What the feature with the handlers adds to operations on their tasks. */
export interface HandledTasks {
  /** The records that end with a task that is cancelled while no runner has it. */
  cancels(book: Book, task: Task, reason: string | null): Promise<Consequences>;
  /** The consequences to write instead when those were refused: they are decided again later. */
  cancelsLater(book: Book, task: Task): Promise<Consequences>;
  /** The open question of a task that has ended. */
  openQuestion(book: Book, task: Task): Promise<OpenQuestion | null>;
}

/** The names under which external workers may claim tasks. */
export const workerNames = port<readonly string[]>("tasks.workers", []);

export const handledTasks = port<HandledTasks | undefined>("tasks.handled", undefined);

/** After how many failures in a row the schedule among the causes sends a notice; null: there is no schedule. */
export const failureNotices = port<(causes: readonly AnyRecord[]) => number | null>(
  "tasks.failureNotices",
  () => null,
);

interface OpenQuestion {
  readonly id: string;
  readonly text: string;
  readonly choices: readonly string[];
}

/** What can run here. An absent field is not set up. */
export interface LocalRunners {
  /** Whether any program may run, or whether this one may. */
  readonly command?: boolean | ((program: string) => boolean);
  /** The owners whose commands run. Absent: every owner's. */
  readonly commandOwners?: readonly string[] | undefined;
  readonly http?: CallRule;
  readonly agent?: boolean;
  /** Functions of the program that embeds the book. */
  readonly tasks?: readonly TaskDefinition[];
}

export const localRunners = port<LocalRunners>("tasks.runners", {});

/** The runners of this node. Tasks of other names wait for a node that has a runner for them. */
export const nodeRunners = port<readonly Runner[]>("tasks.nodeRunners", []);

/** What the features add to the end of a run. */
export const runHooks = registry<RunHook>("tasks.runHooks");

/** The names that a task holds while it waits for its turn, by the features that make such tasks. */
export const waitingHolds =
  registry<(task: Pick<Task, "id" | "body">) => readonly Hold[]>("tasks.waitingHolds");

/** The workspaces that tasks run in; undefined: no task can run in one. */
export const taskWorkspaces = port<TaskWorkspaces | undefined>("tasks.taskWorkspaces", undefined);
