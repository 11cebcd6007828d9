import type { Context } from "../../../kernel/operation.ts";
import { DaybookError } from "../../../platform/errors.ts";

/** Workspaces as whoever runs something in one needs them. */
export interface RunWorkspaces {
  /** Machines are processes of this computer, and what runs in them runs on it. */
  readonly isLocal: boolean;
  /** Throws unless there is one of this name, or it can be made when it is needed. */
  checkRunIn(name: string, context: Context): Promise<void>;
}

export function runWorkspaces({ workspaces }: Context): RunWorkspaces {
  if (workspaces === undefined) throw noWorkspaces();
  return workspaces;
}

export function noWorkspaces(): DaybookError {
  const sentence =
    "No workspaces are kept here: set machines to docker or local in daybook.yaml, or DAYBOOK_MACHINES.";
  return new DaybookError("unsupported", sentence);
}
