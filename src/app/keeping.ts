import type { Chore } from "../features/nodes/index.ts";
import type { TaskWorkspaces } from "../features/tasks/index.ts";
import {
  type Archives,
  workspaceController,
  type WorkspaceSettings,
  type WorkspaceDefaults,
  collectArchives,
  collector,
  type Machines,
  taskWorkspaces,
} from "../features/workspaces/index.ts";
import type { Ledger } from "../kernel/ledger.ts";
import type { Profile } from "../kernel/profile.ts";
import { withDeadline } from "../platform/deadline.ts";
import { messageOf } from "../platform/errors.ts";
import { ids } from "../platform/ids.ts";
import type { PlatformPorts } from "../platform/ports.ts";
import { service, type Service } from "../platform/service.ts";
import type { Run } from "./handling.ts";

/** Where workspaces live that this node looks after. */
export interface AlwaysHere {
  machines: Machines;
  archives: Archives;
  settings(): WorkspaceSettings;
  /** What is set for one of this name. */
  defaults(name: string): WorkspaceDefaults;
  /** Operations at once. */
  concurrency: number;
}

interface KeepingParts extends PlatformPorts {
  ledger: Ledger;
  profile(owner: string): Promise<Profile>;
  run: Run;
}

interface Keeping {
  readonly services: readonly Service[];
  readonly chores: readonly Chore[];
  readonly workspaces?: TaskWorkspaces;
}

/** One list of what is there serves so many at once. */
const looksAtOnce = 500;

/** All that happens unasked for workspaces, and for what is to run in them. */
export function keeping(parts: KeepingParts, always: AlwaysHere | undefined): Keeping {
  if (always === undefined) return { services: [], chores: [] };
  const { ledger, clock, random, profile, run } = parts;
  const { machines, archives, settings, concurrency } = always;
  const shared = { ledger, clock, machines, archives };
  const keeps = workspaceController({
    ...shared,
    profile,
    settings,
    newOpId: ids(clock, random),
    operationsAtOnce: concurrency,
  });
  const implied = (name: string): ReturnType<Parameters<typeof taskWorkspaces>[0]["implied"]> => {
    const { imageRef, ...defaults } = always.defaults(name);
    return imageRef === null ? undefined : { ...defaults, imageRef };
  };
  return {
    services: [reached(parts, archives), run(keeps, looksAtOnce)],
    chores: [collectArchives(collector({ ledger, archives }))],
    workspaces: taskWorkspaces({
      ...shared,
      limits: () => settings().limits,
      implied: (_owner, name) => implied(name),
    }),
  };
}

const checkMsMax = 10_000;

/** Archives are there before anything is put into them or looked for; if not, that is said and the rest goes on. */
function reached({ clock, log }: PlatformPorts, archives: Archives): Service {
  return service({
    async start() {
      const never = new AbortController().signal;
      const limits = { clock, timeoutMs: checkMsMax, graceMs: 0, signal: never };
      const problem = await withDeadline(limits, (signal) => archives.check(signal)).catch(
        messageOf,
      );
      if (typeof problem === "string") log.warn("archives.unreached", { problem });
    },
    stop: () => Promise.resolve(),
  });
}
