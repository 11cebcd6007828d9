import { ledgerPort } from "../../kernel/node.ts";
import { port, registry } from "../../kernel/port.ts";
import type { Consequences } from "../../kernel/unit.ts";
import { runHooks, type RunAttempt, type Task } from "./run-hook.ts";

/** Runs tasks of one name: adapters add theirs. */
export interface Runner {
  readonly name: string;
  run(task: Task, workspace: string | undefined): Promise<RunAttempt>;
}

/** Where tasks run that need a workspace. */
export interface Workspaces {
  look(task: Task, name: string): Promise<WorkspaceSeen>;
}

export type WorkspaceSeen =
  | { readonly is: "up"; readonly id: string }
  /** What has to be written so that it comes up, and wakes the task then. */
  | { readonly is: "down"; readonly consequences: Consequences }
  | { readonly is: "never"; readonly reason: string };

const notSetUp: Workspaces = {
  look: async () => ({
    is: "never",
    reason: "Workspaces are not set up on this node: set `machines`.",
  }),
};

export const workspacesPort = port<Workspaces>("tasks.workspaces", notSetUp);
export const runners = registry<Runner>("tasks.runners");

export const needs = { ledger: ledgerPort, runHooks, runners, workspaces: workspacesPort };
