import { rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Model, Fact } from "../memory/model.ts";
import { temporaryPath, syncFolder } from "./atomic-file.ts";
import { type Entry, lineOf, packEntry } from "./journal-entry.ts";
import { journalName, type Journal, type JournalEnd } from "./journal.ts";
import type { OnStep } from "./step.ts";

/** The last line of a snapshot. */
export interface SnapshotEnd {
  /** The last line of the journals that it replaces. */
  readonly number: number;
}

export function snapshotName(generation: number): string {
  return `snapshot-${generation}`;
}

/** The current content of the model. Later writes replace rows and never change them. */
function capture(model: Model): Iterable<Entry> {
  const rows = [...model.rows.values()];
  const history = [...model.history];
  const keys = [...model.keys];
  const output = [...model.output].flatMap(([id, streams]) =>
    [...streams].map(([stream, { bytes, size }]) => ({ id, stream, bytes, size })),
  );
  return entriesOf(model.seq, function* (): Generator<Fact> {
    for (const row of rows) yield { what: "row", row };
    for (const entry of history) yield { what: "change", entry };
    for (const [name, entry] of keys) yield { what: "key", name, entry };
    for (const { id, stream, bytes, size } of output) {
      yield { what: "bytes", chunk: { id, stream, bytes: bytes.subarray(0, size) } };
    }
  });
}

const factsPerLine = 200;

function* entriesOf(seq: number, all: () => Iterable<Fact>): Generator<Entry> {
  let facts: Fact[] = [];
  for (const fact of all()) {
    facts.push(fact);
    if (facts.length < factsPerLine) continue;
    yield { seq, facts };
    facts = [];
  }
  yield { seq, facts };
}

const writeBytes = 1024 * 1024;

interface Snapshot {
  readonly generation: number;
  readonly number: number;
  readonly entries: Iterable<Entry>;
}

/** Writes a snapshot under a temporary name and renames it. Answers its size. */
async function writeSnapshot(
  folder: string,
  { generation, number, entries }: Snapshot,
  onStep: OnStep,
): Promise<number> {
  const path = join(folder, snapshotName(generation));
  const file = await open(temporaryPath(path), "wx", 0o600);
  let bytes = 0;
  try {
    for (const part of partsOf(entries, { number })) {
      await file.writeFile(part); // appends
      bytes += part.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  onStep("snapshot written");
  await rename(temporaryPath(path), path);
  syncFolder(folder);
  onStep("snapshot named");
  return bytes;
}

/** Joins a few lines at a time: all at once would hold the event loop. */
function* partsOf(entries: Iterable<Entry>, end: SnapshotEnd): Generator<Buffer> {
  let lines: Buffer[] = [];
  let bytes = 0;
  let number = 0;
  for (const entry of entries) {
    number += 1;
    const line = lineOf(number, packEntry(entry));
    lines.push(line);
    bytes += line.length;
    if (bytes < writeBytes) continue;
    yield Buffer.concat(lines);
    lines = [];
    bytes = 0;
  }
  yield Buffer.concat([...lines, lineOf(number + 1, end)]);
}

/** The files that a start has read. */
export interface Recovered {
  readonly end: JournalEnd;
  /** Its generation is that of the oldest journal, also when there is no snapshot. */
  readonly snapshot: { readonly generation: number; readonly bytes: number };
  /** The size of the journals since the snapshot, without the newest. */
  readonly earlierBytes: number;
}

export interface Checkpoints {
  /** Starts a checkpoint if one is due. Called between commits. */
  startIfDue(): void;
  /** Waits for the running checkpoint. */
  settled(): Promise<void>;
}

interface Parts {
  folder: string;
  model: Model;
  journal: Journal;
  /** Commits between two checkpoints, at least. */
  commits: number;
  onStep: OnStep;
}

/**
 * A checkpoint replaces the journals with a snapshot, so that a start has less to read. It waits until the
 * journals are as large as the last snapshot: then all snapshots together cost as much as the journals did.
 * Commits continue in the next journal.
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
    onStep("replaced");
  };
  return {
    startIfDue() {
      const { number, size } = journal.end();
      if (running || number - first < commits || earlierBytes + size < snapshot.bytes) return;
      running = write()
        // The journals still exist: the next checkpoint tries again.
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
