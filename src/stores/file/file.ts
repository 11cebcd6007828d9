import { ledgerOver } from "../../kernel/checked-ledger.ts";
import type { ExternalPrograms, FileLayout } from "../../kernel/files.ts";
import { hints } from "../../kernel/hints.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Transport } from "../../kernel/verbs.ts";
import { systemClock } from "../../platform/clock.ts";
import { ids, type Ids } from "../../platform/ids.ts";
import { systemRandom } from "../../platform/random.ts";
import { engineOver } from "../memory/memory.ts";
import { newModel, type Model } from "../memory/model.ts";
import type { Row } from "../memory/row.ts";
import { guarded } from "./faults.ts";
import type { FileIndex } from "./file-index.ts";
import type { FolderContext } from "./folder-context.ts";
import { findFolder, keepsNames, lockFolder, prepareFolder } from "./folder.ts";
import { groupCommit, type GroupCommit } from "./group-commit.ts";
import { openJournal, type Journal } from "./journal.ts";
import { layoutsOf, type Layouts } from "./layouts.ts";
import { projector, type Projector } from "./projector.ts";
import { recover } from "./recovery.ts";
import { repair } from "./repair.ts";
import { checkpoints, type Checkpoints } from "./snapshot.ts";
import type { OnStep } from "./step.ts";
import { folderWatcher } from "./watcher.ts";
import { claimRecord, isHeldOverFiles } from "./worker-claims.ts";

export interface FileOptions {
  folder: string;
  /** The layouts of kinds whose files differ from the default. */
  layouts: readonly FileLayout[];
  now?: () => number;
  ids?: Ids;
  /** Commits between two checkpoints, at least. */
  checkpointCommits?: number;
  /** The actions of other programs in the folders; absent: their files are ignored. */
  external?: ((ledger: Ledger) => ExternalPrograms) | undefined;
  /** How often the folders are scanned for their files. */
  scanMs?: number;
  /** For tests that end the process, or fail the disk, at this moment. */
  onStep?: OnStep;
}

/** The ledger in a folder that people can read: one file per record, in the folder of its state. */
export async function file(options: FileOptions): Promise<Ledger> {
  const store = openStore(options);
  const ledger = ledgerOver(store);
  const { external, scanMs = scanMsDefault } = options;
  if (external === undefined) return ledger;
  const context = { ...store.context, ledger, external: external(ledger) };
  const { unknown } = store;
  const watcher = folderWatcher(context, { clock: systemClock(), scanMs, unknown });
  const close = async (): Promise<void> => {
    await watcher.stop();
    await ledger.close();
  };
  try {
    await watcher.start();
    return { ...ledger, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The interval that earlier programs used on these folders. */
const scanMsDefault = 5000;

export async function fileStore(options: FileOptions): Promise<Transport> {
  return openStore(options);
}

type FileStore = Transport & {
  readonly context: Omit<FolderContext, "ledger" | "external">;
  readonly unknown: readonly string[];
};

function openStore(options: FileOptions): FileStore {
  const clock = systemClock();
  const { now = () => clock.wall(), onStep = () => {} } = options;
  const model = newModel(options.ids ?? ids({ wall: now }, systemRandom()));
  const folder = findFolder(options.folder);
  const unlock = guarded(folder, () => lockFolder(folder));
  try {
    guarded(folder, () => prepareFolder(folder));
    const layouts = layoutsOf(options.layouts, { keepsNames: keepsNames(folder) });
    const parts = openParts(folder, model, { ...options, layouts, onStep });
    return storeOver(model, { ...parts, layouts, folder, now, onStep, unlock });
  } catch (error) {
    unlock();
    throw error;
  }
}

interface Parts {
  journal: Journal;
  projector: Projector;
  checkpoints: Checkpoints;
  index: FileIndex;
  unknown: readonly string[];
  missing: readonly Row[];
}

function openParts(
  folder: string,
  model: Model,
  options: { layouts: Layouts; onStep: OnStep; checkpointCommits?: number },
): Parts {
  const { layouts, onStep, checkpointCommits = 1000 } = options;
  return guarded(folder, () => {
    const start = recover(folder, model);
    const { index, missing, unknown } = repair({ root: folder, layouts, model });
    const files = projector({ root: folder, layouts, index, onStep });
    files.show(missing.map((row) => ({ what: "row", row })));
    files.flush();
    const journal = openJournal(folder, start.end, onStep);
    const all = { folder, model, journal, commits: checkpointCommits, onStep };
    const checks = checkpoints(all, start);
    return { journal, projector: files, checkpoints: checks, index, unknown, missing };
  });
}

type Store = Parts & {
  layouts: Layouts;
  folder: string;
  now: () => number;
  onStep: OnStep;
  unlock: () => void;
};

function storeOver(model: Model, store: Store): FileStore {
  const { journal, projector, checkpoints, onStep } = store;
  const engine = engineOver(model, store.now);
  const local = hints();
  const calls = groupCommit({
    model,
    answers: engine,
    commit: journal.commit,
    committed({ facts }) {
      projector.show(facts);
      local.notify(engine.takeHints());
    },
    between() {
      onStep("answered");
      checkpoints.startIfDue();
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
    onHint: local.onHint,
    close: () => (closing ??= close()),
    context: contextOver(model, store, calls),
    unknown: store.unknown,
  };
}

function contextOver(model: Model, store: Store, { run }: GroupCommit): FileStore["context"] {
  const { folder: root, layouts, projector, index, now, onStep } = store;
  return {
    root,
    layouts,
    index,
    now,
    unshown: new Set(store.missing.map(({ id }) => id)),
    onStep,
    find: (id) => run(() => model.rows.get(id)),
    held: new Set([...model.rows.values()].filter(isHeldOverFiles).map(({ id }) => id)),
    claim: (id, holder, leaseMs) =>
      run(() => claimRecord(model, layouts, { id, holder, leaseMs, now: now() })),
    show: (row) => projector.show([{ what: "row", row }]),
    isBehind: projector.isBehind,
  };
}
