import { systemClock } from "../../base/clock.ts";
import { ids, type Ids } from "../../base/ids.ts";
import { systemRandom } from "../../base/random.ts";
import { hints } from "../hints.ts";
import type { Ledger } from "../ledger.ts";
import { engineOver } from "../memory/memory.ts";
import { newModel, type Model } from "../memory/model.ts";
import { ledgerOver, type Transport } from "../verbs.ts";
import { checkpoints, type Checkpoints } from "./checkpoint.ts";
import { turns } from "./commits.ts";
import { guarded } from "./errno.ts";
import { findFolder, prepareFolder } from "./folder.ts";
import { openJournal, type Journal } from "./journal.ts";
import { lockFolder } from "./lock.ts";
import { projector, type Projector } from "./project.ts";
import { recover } from "./recover.ts";
import { repair } from "./repair.ts";
import type { OnStep } from "./step.ts";

export interface FileOptions {
  folder: string;
  now?: () => number;
  ids?: Ids;
  /** Commits between two checkpoints, at least. */
  checkpointCommits?: number;
  /** For tests that end the process, or fail the disk, at the worst moment. */
  onStep?: OnStep;
}

/** The ledger in a folder that a person can read: one file per record, in the folder of its state. */
export async function file(options: FileOptions): Promise<Ledger> {
  return ledgerOver(await fileStore(options));
}

export async function fileStore(options: FileOptions): Promise<Transport> {
  const clock = systemClock();
  const { now = () => clock.wall(), onStep = () => {} } = options;
  const model = newModel(options.ids ?? ids({ wall: now }, systemRandom()));
  const folder = findFolder(options.folder);
  const unlock = guarded(folder, () => lockFolder(folder));
  try {
    const parts = openParts(folder, model, { ...options, onStep });
    return storeOver(model, { ...parts, now, onStep, unlock });
  } catch (error) {
    unlock();
    throw error;
  }
}

interface Parts {
  journal: Journal;
  projector: Projector;
  checkpoints: Checkpoints;
}

function openParts(
  folder: string,
  model: Model,
  { onStep, checkpointCommits = 1000 }: FileOptions & { onStep: OnStep },
): Parts {
  return guarded(folder, () => {
    prepareFolder(folder);
    const start = recover(folder, model);
    const { places, missing } = repair(folder, model);
    const files = projector(folder, places, onStep);
    files.show(missing.map((row) => ({ what: "row", row })));
    files.flush();
    const journal = openJournal(folder, start.end, onStep);
    const all = { folder, model, journal, commits: checkpointCommits, onStep };
    return { journal, projector: files, checkpoints: checkpoints(all, start) };
  });
}

type Store = Parts & { now: () => number; onStep: OnStep; unlock: () => void };

function storeOver(model: Model, store: Store): Transport {
  const { journal, projector, checkpoints, onStep } = store;
  const engine = engineOver(model, store.now);
  const heard = hints();
  const calls = turns({
    model,
    answers: engine,
    commit: journal.commit,
    committed({ facts }) {
      projector.show(facts);
      heard.tell(engine.takeHints());
    },
    between() {
      onStep("answered");
      checkpoints.look();
    },
  });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await calls.close();
    await checkpoints.settled();
    projector.flush();
    projector.close();
    journal.close();
    store.unlock();
  };
  return { perform: calls.perform, onHint: heard.onHint, close: () => (closing ??= close()) };
}
