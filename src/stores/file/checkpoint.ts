import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Model } from "../memory/model.ts";
import { temporaryPath } from "./atomic-file.ts";
import { journalName, type Journal } from "./journal.ts";
import type { Recovered } from "./recover.ts";
import { capture, snapshotName, writeSnapshot } from "./snapshot.ts";
import type { OnStep } from "./step.ts";

export interface Checkpoints {
  /** Starts a checkpoint if one is due. Called between two commits. */
  startIfDue(): void;
  /** Waits for the one under way. */
  settled(): Promise<void>;
}

interface Parts {
  folder: string;
  model: Model;
  journal: Journal;
  /** How many commits there are between two checkpoints at least. */
  commits: number;
  onStep: OnStep;
}

/**
 * A checkpoint replaces the journals with a snapshot, so that a start has less to read. It waits until the
 * journals are as large as the last snapshot: then all snapshots together cost as much as the journals did.
 * Commits go on meanwhile, in the next journal.
 */
export function checkpoints(parts: Parts, start: Recovered): Checkpoints {
  const { folder, model, journal, commits, onStep } = parts;
  let snapshot = start.snapshot;
  let earlierBytes = start.earlierBytes;
  let first = start.end.number;
  let running: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    const entries = capture(model);
    const covered = journal.end();
    journal.rotate();
    earlierBytes += covered.size;
    first = covered.number;
    onStep("rotated");
    const { generation } = journal.end();
    const bytes = await writeSnapshot(folder, { ...covered, generation, entries }, onStep);
    removeReplaced(folder, snapshot.generation, generation);
    snapshot = { bytes, generation };
    earlierBytes = 0;
    onStep("forgotten");
  };
  return {
    startIfDue() {
      const { number, size } = journal.end();
      if (running || number - first < commits || earlierBytes + size < snapshot.bytes) return;
      running = write()
        // The journals are still there: the next checkpoint tries again.
        .catch(() => {
          first = journal.end().number;
          removeTemporary(folder, journal.end().generation);
        })
        .finally(() => (running = undefined));
    },
    settled: async () => running,
  };
}

/** Removes the files that a snapshot replaces. After a crash, the next start removes the rest. */
function removeReplaced(folder: string, from: number, until: number): void {
  for (let generation = from; generation < until; generation += 1) {
    for (const name of [snapshotName(generation), journalName(generation)]) {
      rmSync(join(folder, name), { force: true });
    }
  }
}

function removeTemporary(folder: string, generation: number): void {
  rmSync(temporaryPath(join(folder, snapshotName(generation))), { force: true });
}
