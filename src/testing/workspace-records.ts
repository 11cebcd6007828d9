import {
  unobservedWorkspace,
  type WorkspaceKind,
  type WorkspaceOutcome,
} from "../features/workspaces/kind.ts";
import type { Observation } from "../features/workspaces/observation.ts";
import type { VerdictContext } from "../features/workspaces/verdict-context.ts";
import type { Claimed } from "../kernel/record.ts";

type Workspace = Claimed<WorkspaceKind>;

interface Parts {
  readonly record?: Partial<Workspace>;
  readonly body?: Partial<WorkspaceKind["body"]>;
  readonly outcome?: Partial<WorkspaceOutcome>;
}

/** A claimed workspace for rules: RUNNING is desired, and it was never observed. */
export function claimedWorkspace({ record = {}, body = {}, outcome = {} }: Parts = {}): Workspace {
  return {
    kind: "workspace",
    id: "w1",
    owner: "mina",
    by: "mina",
    key: null,
    parent: null,
    state: "pending",
    priority: "normal",
    queue: "workspace@here",
    lane: null,
    revision: 3,
    attempt: 1,
    lapses: 0,
    cancelling: false,
    readyAt: 0,
    wakeAt: 15_000,
    lease: { holder: "n1", fence: 1, claimedAt: 0 },
    createdAt: 0,
    updatedAt: 0,
    endedAt: null,
    ...record,
    body: {
      name: "dev",
      description: null,
      memo: null,
      imageRef: "node:24",
      machine: { memoryMb: 512, cpus: 1, pids: 256 },
      desired: "RUNNING",
      asks: 1,
      standbyTtlSeconds: 300,
      archiveTtlSeconds: 86_400,
      wakeAheadSeconds: 120,
      lastAccessAt: 0,
      deletedAt: null,
      waiting: [],
      target: "inbox:mina",
      origin: null,
      ...body,
    },
    outcome: { ...unobservedWorkspace, ...outcome },
  };
}

/** The context of a verdict: no slot, free capacity, and an administrator who is not the owner. */
export function verdictContext(parts: Partial<VerdictContext> = {}): VerdictContext {
  return {
    slotAt: null,
    pollMs: 60_000,
    limits: { perOwner: 2, inAll: 3 },
    reader: { zone: "UTC", language: "en" },
    administrator: "slack:ops",
    ...parts,
  };
}

/** The observation at each level, with a volume that was created empty. */
export const observedAt = {
  PENDING: { machine: null, volume: null },
  STANDBY: { machine: null, volume: { marker: null } },
  RUNNING: { machine: "running", volume: { marker: null } },
} as const satisfies Record<string, Observation>;
