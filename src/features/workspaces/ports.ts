import type { Context } from "../../kernel/operation.ts";
import { port } from "../../kernel/port.ts";
import { noWorkspaces, type RunWorkspaces } from "../tasks/index.ts";
import type { Archives } from "./archives.ts";
import type { RequestContext, RunningLimits } from "./capacity.ts";
import type { WorkspaceSettings } from "./controller.ts";
import type { WorkspaceDefaults } from "./draft.ts";
import type { Brake, Garbage, LeftPart } from "./garbage.ts";
import type { Machines } from "./machines.ts";
import type { Observation } from "./observation.ts";

/** The machines and archives of this installation, and the settings of workspaces on them. */
export interface WorkspaceBackend {
  readonly machines: Machines;
  readonly archives: Archives;
  /** The most operations of a node at once. */
  readonly concurrency: number;
  settings(): WorkspaceSettings;
  /** The settings of a workspace of this name: under `keep`, else under `workspaces`. */
  defaults(name: string): WorkspaceDefaults;
}

/** Connected to on use; undefined where no machines are configured. */
export const workspaceBackend = port<(() => WorkspaceBackend) | undefined>(
  "workspaces.backend",
  undefined,
);

/** What operations on workspaces need beside the book. */
export interface WorkspacePorts extends RunWorkspaces {
  /** The location of their machines: `Machines.location`. */
  readonly location: string;
  limits(): RunningLimits;
  /** How often a workspace is observed. */
  pollMs(): number;
  /** The settings of a workspace of this name: under `keep`, else under `workspaces`. */
  defaults(name: string): WorkspaceDefaults;
  /** Observes a workspace; absent where the machines cannot be reached. */
  observe?(id: string): Promise<Observation>;
  /** Finds archives that no workspace needs, and removes them if `apply` is set. */
  collect?(options: { apply: boolean; confirm: boolean }): Promise<Collected>;
}

interface Collected extends Garbage {
  /** Why none is removed. */
  readonly why?: Brake | undefined;
  readonly parts: readonly LeftPart[];
}

export const keptWorkspaces = port<WorkspacePorts | undefined>("workspaces.kept", undefined);

export function workspacesOf(context: Context): WorkspacePorts {
  const workspaces = context.use(keptWorkspaces);
  if (workspaces === undefined) throw noWorkspaces();
  return workspaces;
}

/** The time and the limits that a request is decided by. */
export function requestContext(context: Context): RequestContext {
  return { now: context.now(), limits: workspacesOf(context).limits() };
}
