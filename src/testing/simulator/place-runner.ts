import type { Job, Ran, Runner } from "../../features/tasks/runner.ts";
import { touchEdit } from "../../features/workspaces/edits.ts";
import { workspaceKind } from "../../features/workspaces/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow } from "../chance.ts";
import type { KeepWorld } from "./keep-world.ts";
import type { Life } from "./kernel.ts";

interface PlaceRunnerOptions {
  clock: Clock;
  random: Random;
  ledger: Ledger;
  life: Life;
  world: KeepWorld;
}

/** The name of what runs in workspaces. */
export const placeName = "workspace";

/** Runs in a workspace, and says that it is used; when the workspace goes, so does the run. */
export function placeRunner({ clock, random, ledger, life, world }: PlaceRunnerOptions): Runner {
  const inUse = async ({ owner, by, workspaceId: place = "" }: Job): Promise<void> => {
    const book = ledger.of(owner, by);
    const record = await book.get(place);
    const edit = is(workspaceKind, record)
      ? touchEdit(record, Math.floor(clock.wall()), world.limits)
      : undefined;
    if (edit !== undefined) await book.edit(edit);
  };
  return {
    name: placeName,
    async run(job, fixture): Promise<Ran> {
      world.entered(life, job);
      for (let left = chance(random, 0.8) ? 1 : 3; left > 0; left -= 1) {
        if (fixture.signal.aborted) break;
        await inUse(job).catch(() => undefined);
        await sleep(clock, intBelow(random, 25_000), fixture.signal);
        if (!world.isUp(job.workspaceId ?? "")) return { result: "failed", reason: "it went away" };
      }
      fixture.write(`ran ${job.id}`);
      return { result: "completed" };
    },
  };
}
