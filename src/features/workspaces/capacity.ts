import type { LedgerRecord } from "../../kernel/record.ts";
import type { Hold } from "../../kernel/unit.ts";
import { workspaceHold, workspaceSlots } from "./holds.ts";
import type { WorkspaceKind } from "./kind.ts";
import { desiredOf } from "./plan.ts";

type Workspace = LedgerRecord<WorkspaceKind>;

/** How many workspaces may run or start, of one owner and in all. */
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

/** Whether it counts against the limits: it will run, runs, or may run. */
export function needsCapacity({ state, body, outcome }: Workspace): boolean {
  const isStarting = outcome?.operation === "STARTING";
  const ranBefore = state === "error" && outcome?.previousStatus === "RUNNING";
  const mayRun = state === "running" || isStarting || ranBefore;
  return mayRun || isToRun({ body, outcome });
}

function isToRun({ body, outcome }: Pick<Workspace, "body" | "outcome">): boolean {
  return desiredOf(body, outcome) === "RUNNING";
}

/** The names that it holds from now on; undefined if they do not change. */
export function capacityChange(
  record: Workspace,
  after: Workspace,
  limits: RunningLimits,
): readonly Hold[] | undefined {
  // A workspace that runs without a request may hold no slot: a new request takes one in any case.
  const isNewRequest = isToRun(after) && !isToRun(record);
  if (needsCapacity(record) === needsCapacity(after) && !isNewRequest) return undefined;
  const { owner, body } = after;
  return holdsOf(owner, body.name, needsCapacity(after) ? limits : undefined);
}
