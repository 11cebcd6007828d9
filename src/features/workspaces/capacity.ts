import type { LedgerRecord } from "../../kernel/record.ts";
import type { Hold } from "../../kernel/unit.ts";
import { workspaceHold, workspaceSlots } from "./holds.ts";
import type { WorkspaceKind } from "./kind.ts";
import { desiredOf } from "./plan.ts";

type Workspace = LedgerRecord<WorkspaceKind>;

/** How many workspaces may run or be about to, of one owner and in all. */
export interface RunningLimits {
  readonly perOwner: number;
  readonly inAll: number;
}

export interface RequestContext {
  readonly now: number;
  readonly limits: RunningLimits;
}

export function holdsOf(
  owner: string,
  name: string,
  limits: RunningLimits | undefined,
): readonly Hold[] {
  const own = workspaceHold(owner, name);
  return limits === undefined ? [own] : [own, ...workspaceSlots(owner, limits)];
}

/** It counts against the limits for as long as it is to run, and for as long as it does or may. */
export function needsCapacity({ state, body, outcome }: Workspace): boolean {
  const isStarting = outcome?.operation === "STARTING";
  const ranBefore = state === "error" && outcome?.previousStatus === "RUNNING";
  const mayRun = state === "running" || isStarting || ranBefore;
  return mayRun || isToRun({ body, outcome });
}

function isToRun({ body, outcome }: Pick<Workspace, "body" | "outcome">): boolean {
  return desiredOf(body, outcome) === "RUNNING";
}

/** The names it holds from now on, if they change: its slots are taken and released, never restated. */
export function capacityChange(
  record: Workspace,
  after: Workspace,
  limits: RunningLimits,
): { holds?: readonly Hold[] } {
  // One that runs unrequested may hold none: a request takes them in any case.
  const isAskedAnew = isToRun(after) && !isToRun(record);
  if (needsCapacity(record) === needsCapacity(after) && !isAskedAnew) return {};
  const { owner, body } = after;
  return { holds: holdsOf(owner, body.name, needsCapacity(after) ? limits : undefined) };
}
