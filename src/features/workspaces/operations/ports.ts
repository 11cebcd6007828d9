import type { Context } from "../../../kernel/operation.ts";
import { DaybookError } from "../../../platform/errors.ts";
import type { WorkspaceDefaults } from "../defaults.ts";
import type { Brake, Collected } from "../garbage.ts";
import type { Sighting } from "../observation.ts";
import type { AskedAt, RunningLimits } from "../request.ts";

/** What asks about workspaces, beside the book. */
export interface WorkspacesDesk {
  /** Whose machines they are on: `Machines.place`. */
  readonly place: string;
  /** Machines are processes of this computer, and what runs in them runs on it. */
  readonly isLocal: boolean;
  limits(): RunningLimits;
  /** What is set for one of this name: under `keep`, else under `workspaces`. */
  defaults(name: string): WorkspaceDefaults;
  /** Looks what is there; absent where that cannot be done. */
  look?(id: string): Promise<Sighting>;
  /** Looks for archives that nobody needs, and removes them if told. */
  collect?(options: {
    apply: boolean;
    confirm: boolean;
  }): Promise<Collected & { /** Why none goes, if none does. */ why?: Brake }>;
}

export function workspacesOf({ workspaces }: Context): WorkspacesDesk {
  if (workspaces !== undefined) return workspaces;
  const sentence =
    "No workspaces are kept here: set machines to docker or local in daybook.yaml, or DAYBOOK_MACHINES.";
  throw new DaybookError("unsupported", sentence);
}

/** By what it is decided whether there is a place for one more. */
export function askedAt(context: Context): AskedAt {
  return { now: context.now(), limits: workspacesOf(context).limits() };
}
