import type { Book } from "../../kernel/ledger.ts";
import type { Context } from "../../kernel/operation.ts";
import { port, registry } from "../../kernel/port.ts";
import type { AnyRecord, LedgerRecord } from "../../kernel/record.ts";
import type { Consequences } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { CallRule } from "../notifications/index.ts";
import type { TaskDefinition } from "./function.ts";
import type { TaskKind } from "./kind.ts";
import type { RunHook } from "./run-hook.ts";
import type { Runner } from "./runner.ts";
import type { TaskWorkspaces } from "./workspace-wait.ts";

type Task = LedgerRecord<TaskKind>;

/** Workspaces as whoever runs something in one needs them. */
export interface RunWorkspaces {
  /** Machines are processes of this computer, and what runs in them runs on it. */
  readonly isLocal: boolean;
  /** Throws unless there is one of this name, or it can be made when it is needed. */
  checkRunIn(name: string, context: Context): Promise<void>;
}

/** Absent where none are kept. */
export const runWorkspaces = port<RunWorkspaces | undefined>("tasks.workspaces", undefined);

export function runWorkspacesIn(context: Context): RunWorkspaces {
  const workspaces = context.use(runWorkspaces);
  if (workspaces === undefined) throw noWorkspaces();
  return workspaces;
}

export function noWorkspaces(): DaybookError {
  const sentence =
    "No workspaces are kept here: set machines to docker or local in daybook.yaml, or DAYBOOK_MACHINES.";
  return new DaybookError("unsupported", sentence);
}

/** What the feature that a task does its work for adds to operations on it. */
export interface HandledTasks {
  /** What ends with a task that nobody works on when it is cancelled. */
  cancels(book: Book, task: Task, reason: string | null): Promise<Consequences>;
  /** The same when that was refused: what is to be looked at once more instead. */
  cancelsLater(book: Book, task: Task): Promise<Consequences>;
  /** What a task that has ended asked, and waits for still. */
  openQuestion(book: Book, task: Task): Promise<OpenQuestion | null>;
}

/** Names under which workers outside may come for tasks. */
export const workerNames = port<readonly string[]>("tasks.workers", []);

export const handledTasks = port<HandledTasks | undefined>("tasks.handled", undefined);

/** Failures in a row until a notice is sent, as the schedule among the causes has it; null: none has. */
export const failureNotices = port<(causes: readonly AnyRecord[]) => number | null>(
  "tasks.failureNotices",
  () => null,
);

interface OpenQuestion {
  readonly id: string;
  readonly text: string;
  readonly choices: readonly string[];
}

/** What can be run. What is absent is not set up. */
export interface LocalRunners {
  /** Any program, or whether this one may be run. */
  readonly command?: boolean | ((program: string) => boolean);
  readonly http?: CallRule;
  readonly agent?: boolean;
  /** Functions of the program that the book is part of. */
  readonly tasks?: readonly TaskDefinition[];
}

export const localRunners = port<LocalRunners>("tasks.runners", {});

/** What this node runs, by name: tasks of other names wait for a node that has them. */
export const nodeRunners = port<readonly Runner[]>("tasks.nodeRunners", []);

/** What the features add to the end of a run. */
export const runHooks = registry<RunHook>("tasks.runHooks");

/** Where tasks run that are to run in a workspace; undefined: they cannot. */
export const taskWorkspaces = port<TaskWorkspaces | undefined>("tasks.taskWorkspaces", undefined);
