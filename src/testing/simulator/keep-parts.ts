import type { Chore } from "../../features/nodes/chore.ts";
import { scheduler } from "../../features/schedules/controller.ts";
import { taskController, type TasksOptions } from "../../features/tasks/controller.ts";
import { workspaceController } from "../../features/workspaces/controller.ts";
import { collectArchives, collector } from "../../features/workspaces/garbage-collector.ts";
import { taskWorkspaces } from "../../features/workspaces/task-workspace.ts";
import type { RuntimePorts } from "../../kernel/controller.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { runController } from "../../kernel/runtime.ts";
import { ids } from "../../platform/ids.ts";
import type { Service } from "../../platform/service.ts";
import { runHooks } from "../run-hooks.ts";
import type { KeepWorld } from "./keep-world.ts";
import { lifeName, type Life } from "./kernel.ts";
import { placeRunner } from "./place-runner.ts";
import type { Scale } from "./scale.ts";

interface KeepParts {
  ledger: Ledger;
  ports: RuntimePorts;
  profile: TasksOptions["profile"];
  life: Life;
  world: KeepWorld;
  scale: Scale;
  /** It has none for anything else. */
  needsScheduler: boolean;
}

const lookEveryMs = 60_000;

/** What a node needs to look after workspaces, and to run something in them. */
export function keepServices(parts: KeepParts): readonly Service[] {
  const { ledger, ports, profile, life, world, scale } = parts;
  const { clock, random } = ports;
  const { limits, administrator } = world;
  const shared = {
    ledger,
    clock,
    profile,
    machines: world.machinesFor(life),
    archives: world.archivesFor(life),
  };
  const settings = () => ({ limits, administrator, pollMs: lookEveryMs });
  const keeps = workspaceController({
    ...shared,
    settings,
    newOpId: ids(clock, random),
    operationsAtOnce: 6,
  });
  const at = taskWorkspaces({ ...shared, limits: () => limits, implied: () => undefined });
  const runner = placeRunner({ ...shared, random, life, world });
  const runs = taskController(runner, { ...shared, workspaces: at, hooks: runHooks({ ledger }) });
  const holder = { holder: lifeName(life), leaseMs: scale.leaseMs, pollMs: scale.pollMs };
  return [
    runController(keeps, ports, { ...holder, concurrency: 60 }),
    runController(runs, ports, { ...holder, concurrency: 8 }),
    ...(parts.needsScheduler
      ? [runController(scheduler(parts), ports, { ...holder, concurrency: 4 })]
      : []),
  ];
}

const collectEveryMs = 20 * 60_000;

export function keepChores(
  { ledger, life }: Pick<KeepParts, "ledger" | "life">,
  world: KeepWorld | undefined,
): readonly Chore[] {
  if (world === undefined) return [];
  const archives = world.archivesFor(life);
  const chore = collectArchives(collector({ ledger, archives }));
  return [{ ...chore, everyMs: collectEveryMs }];
}
