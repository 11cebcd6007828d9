import type { Job, Ran, Runner } from "../../features/tasks/runner.ts";
import { touchEdit } from "../../features/workspaces/edits.ts";
import { workspaceKind } from "../../features/workspaces/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow } from "../chance.ts";
import type { VirtualProcess } from "./kernel.ts";
import type { SimulatedBackend } from "./workspace-backend.ts";

interface WorkspaceRunnerOptions {
  clock: Clock;
  random: Random;
  ledger: Ledger;
  process: VirtualProcess;
  backend: SimulatedBackend;
}

/** The name of what runs in workspaces. */
export const workspaceTaskName = "workspace";

/** Runs in a workspace, and says that it is used; when the workspace goes, so does the run. */
export function workspaceRunner({
  clock,
  random,
  ledger,
  process,
  backend,
}: WorkspaceRunnerOptions): Runner {
  const markUsed = async ({ owner, by, workspaceId: id = "" }: Job): Promise<void> => {
    const book = ledger.of(owner, by);
    const record = await book.get(id);
    const edit = is(workspaceKind, record)
      ? touchEdit(record, Math.floor(clock.wall()), backend.limits)
      : undefined;
    if (edit !== undefined) await book.edit(edit);
  };
  return {
    name: workspaceTaskName,
    async run(job, fixture): Promise<Ran> {
      backend.entered(process, job);
      for (let left = chance(random, 0.8) ? 1 : 3; left > 0; left -= 1) {
        if (fixture.signal.aborted) break;
        await markUsed(job).catch(() => undefined);
        await sleep(clock, intBelow(random, 25_000), fixture.signal);
        if (!backend.isUp(job.workspaceId ?? ""))
          return { result: "failed", reason: "it went away" };
      }
      fixture.write(`ran ${job.id}`);
      return { result: "completed" };
    },
  };
}
