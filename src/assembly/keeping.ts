import type { Archives } from "../archives/archives.ts";
import { inTime } from "../base/deadline.ts";
import { messageOf } from "../base/errors.ts";
import { ids } from "../base/ids.ts";
import { service, type Service } from "../base/service.ts";
import type { Chore } from "../controllers/chores.ts";
import { collectArchives, collector } from "../controllers/collecting.ts";
import { places, type Places } from "../controllers/places.ts";
import { workspaces, type WorkspaceSettings } from "../controllers/workspaces.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Profile } from "../ledger/profiles.ts";
import type { Machines } from "../machines/machines.ts";
import type { WorkspaceDefaults } from "../rules/always/workspace-defaults.ts";
import type { Ground } from "./compose.ts";
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

interface KeepingParts extends Ground {
  ledger: Ledger;
  profile(owner: string): Promise<Profile>;
  run: Run;
}

interface Keeping {
  readonly services: readonly Service[];
  readonly chores: readonly Chore[];
  readonly places?: Places;
}

/** One list of what is there serves so many at once. */
const looksAtOnce = 500;

/** All that happens unasked for workspaces, and for what is to run in them. */
export function keeping(parts: KeepingParts, always: AlwaysHere | undefined): Keeping {
  if (always === undefined) return { services: [], chores: [] };
  const { ledger, clock, random, profile, run } = parts;
  const { machines, archives, settings, concurrency } = always;
  const shared = { ledger, clock, machines, archives };
  const keeps = workspaces({
    ...shared,
    profile,
    settings,
    newOpId: ids(clock, random),
    operationsAtOnce: concurrency,
  });
  const implied = (name: string): ReturnType<Parameters<typeof places>[0]["implied"]> => {
    const { imageRef, ...defaults } = always.defaults(name);
    return imageRef === null ? undefined : { ...defaults, imageRef };
  };
  return {
    services: [reached(parts, archives), run(keeps, looksAtOnce)],
    chores: [collectArchives(collector({ ledger, archives }))],
    places: places({
      ...shared,
      limits: () => settings().limits,
      implied: (_owner, name) => implied(name),
    }),
  };
}

const checkMsMax = 10_000;

/** Archives are there before anything is put into them or looked for; if not, that is said and the rest goes on. */
function reached({ clock, log }: Ground, archives: Archives): Service {
  return service({
    async start() {
      const never = new AbortController().signal;
      const limits = { clock, timeoutMs: checkMsMax, graceMs: 0, signal: never };
      const problem = await inTime(limits, (signal) => archives.check(signal)).catch(messageOf);
      if (typeof problem === "string") log.warn("archives.unreached", { problem });
    },
    stop: () => Promise.resolve(),
  });
}
