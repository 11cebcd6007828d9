import type { Context } from "../../kernel/operation.ts";
import { port } from "../../kernel/port.ts";
import { noWorkspaces, type RunWorkspaces } from "../tasks/index.ts";
import type { Archives } from "./archives.ts";
import type { RequestContext, RunningLimits } from "./capacity.ts";
import type { WorkspaceSettings } from "./controller.ts";
import type { WorkspaceDefaults } from "./draft.ts";
import type { Brake, Collected } from "./garbage.ts";
import type { Machines } from "./machines.ts";
import type { Observation } from "./observation.ts";

/** The machines and archives of this installation, and what is set for workspaces on them. */
export interface WorkspaceBackend {
  readonly machines: Machines;
  readonly archives: Archives;
  /** Operations of a node at once. */
  readonly concurrency: number;
  settings(): WorkspaceSettings;
  /** What is set for one of this name: under `keep`, else under `workspaces`. */
  defaults(name: string): WorkspaceDefaults;
}

/** Connected to on use; undefined where no workspaces are kept. */
export const workspaceBackend = port<(() => WorkspaceBackend) | undefined>(
  "workspaces.backend",
  undefined,
);

/** What asks about workspaces, beside the book. */
export interface WorkspacePorts extends RunWorkspaces {
  /** Whose machines they are on: `Machines.place`. */
  readonly place: string;
  limits(): RunningLimits;
  /** What is set for one of this name: under `keep`, else under `workspaces`. */
  defaults(name: string): WorkspaceDefaults;
  /** Looks what is there; absent where that cannot be done. */
  look?(id: string): Promise<Observation>;
  /** Looks for archives that nobody needs, and removes them if told. */
  collect?(options: {
    apply: boolean;
    confirm: boolean;
  }): Promise<Collected & { /** Why none goes, if none does. */ why?: Brake }>;
}

export const keptWorkspaces = port<WorkspacePorts | undefined>("workspaces.kept", undefined);

export function workspacesOf(context: Context): WorkspacePorts {
  const workspaces = context.use(keptWorkspaces);
  if (workspaces === undefined) throw noWorkspaces();
  return workspaces;
}

/** By what it is decided whether there is a place for one more. */
export function requestContext(context: Context): RequestContext {
  return { now: context.now(), limits: workspacesOf(context).limits() };
}
