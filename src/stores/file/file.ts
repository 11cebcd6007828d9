import { hints } from "../../kernel/hints.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { ledgerOver, type Transport } from "../../kernel/verbs.ts";
import { systemClock } from "../../platform/clock.ts";
import { ids, type Ids } from "../../platform/ids.ts";
import { systemRandom } from "../../platform/random.ts";
import { engineOver } from "../memory/memory.ts";
import { newModel, type Model } from "../memory/model.ts";
import { checkpoints, type Checkpoints } from "./checkpoint.ts";
import { claimOne } from "./claim-one.ts";
import type { OutsideDesk } from "./context.ts";
import { guarded } from "./errno.ts";
import type { Outside } from "./external.ts";
import type { Shown } from "./file-index.ts";
import { findFolder, prepareFolder } from "./folder.ts";
import { turns, type Turns } from "./group-commit.ts";
import { openJournal, type Journal } from "./journal.ts";
import { lockFolder } from "./lock.ts";
import { projector, type Projector } from "./projector.ts";
import { recover } from "./recover.ts";
import { repair } from "./repair.ts";
import type { OnStep } from "./step.ts";
import { outsideWatch } from "./watcher.ts";
import { isOutside } from "./worker-claim.ts";

export interface FileOptions {
  folder: string;
  now?: () => number;
  ids?: Ids;
  /** Commits between two checkpoints, at least. */
  checkpointCommits?: number;
  /** What is done with files that other programs drop, move and write; absent: they are left alone. */
  outside?: (ledger: Ledger) => Outside;
  /** How often the folders are looked through for them. */
  scanMs?: number;
  /** For tests that end the process, or fail the disk, at the worst moment. */
  onStep?: OnStep;
}

/** The ledger in a folder that a person can read: one file per record, in the folder of its state. */
export async function file(options: FileOptions): Promise<Ledger> {
  const store = openStore(options);
  const ledger = ledgerOver(store);
  const { outside, scanMs = scanMsDefault } = options;
  if (outside === undefined) return ledger;
  const desk = { ...store.desk, ledger, outside: outside(ledger) };
  const { strange } = store;
  const watch = outsideWatch(desk, { clock: systemClock(), scanMs, strange });
  const close = async (): Promise<void> => {
    await watch.stop();
    await ledger.close();
  };
  try {
    await watch.start();
    return { ...ledger, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** As often as those did who looked into these folders before. */
const scanMsDefault = 5000;

export async function fileStore(options: FileOptions): Promise<Transport> {
  return openStore(options);
}

type FileStore = Transport & {
  readonly desk: Omit<OutsideDesk, "ledger" | "outside">;
  readonly strange: readonly string[];
};

function openStore(options: FileOptions): FileStore {
  const clock = systemClock();
  const { now = () => clock.wall(), onStep = () => {} } = options;
  const model = newModel(options.ids ?? ids({ wall: now }, systemRandom()));
  const folder = findFolder(options.folder);
  const unlock = guarded(folder, () => lockFolder(folder));
  try {
    const parts = openParts(folder, model, { ...options, onStep });
    return storeOver(model, { ...parts, folder, now, onStep, unlock });
  } catch (error) {
    unlock();
    throw error;
  }
}

interface Parts {
  journal: Journal;
  projector: Projector;
  checkpoints: Checkpoints;
  shown: Shown;
  strange: readonly string[];
}

function openParts(
  folder: string,
  model: Model,
  { onStep, checkpointCommits = 1000 }: FileOptions & { onStep: OnStep },
): Parts {
  return guarded(folder, () => {
    prepareFolder(folder);
    const start = recover(folder, model);
    const { shown, missing, strange } = repair(folder, model);
    const files = projector(folder, shown, onStep);
    files.show(missing.map((row) => ({ what: "row", row })));
    files.flush();
    const journal = openJournal(folder, start.end, onStep);
    const all = { folder, model, journal, commits: checkpointCommits, onStep };
    const checks = checkpoints(all, start);
    return { journal, projector: files, checkpoints: checks, shown, strange };
  });
}

type Store = Parts & { folder: string; now: () => number; onStep: OnStep; unlock: () => void };

function storeOver(model: Model, store: Store): FileStore {
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
  return {
    perform: calls.perform,
    onHint: heard.onHint,
    close: () => (closing ??= close()),
    desk: deskOver(model, store, calls),
    strange: store.strange,
  };
}

function deskOver(model: Model, store: Store, { run }: Turns): FileStore["desk"] {
  const { folder: root, projector, shown, now, onStep } = store;
  return {
    root,
    shown,
    now,
    onStep,
    look: (id) => run(() => model.rows.get(id)),
    taken: new Set([...model.rows.values()].filter(isOutside).map(({ id }) => id)),
    claim: (id, holder, leaseMs) => run(() => claimOne(model, { id, holder, leaseMs, now: now() })),
    show: (row) => projector.show([{ what: "row", row }]),
    isBehind: projector.isBehind,
  };
}
