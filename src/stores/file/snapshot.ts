import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Fact, Model } from "../memory/model.ts";
import { temporaryPath, syncFolder } from "./atomic-file.ts";
import { type Entry, lineOf, packEntry } from "./journal-entry.ts";
import type { OnStep } from "./step.ts";

/** The last line of a snapshot. */
export interface SnapshotEnd {
  /** The last line of the journals that it replaces. */
  readonly number: number;
}

export function snapshotName(generation: number): string {
  return `snapshot-${generation}`;
}

/** The whole model as it is now. Later writes replace rows and never change them. */
export function capture(model: Model): Iterable<Entry> {
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
export async function writeSnapshot(
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

/** Some lines at a time: all at once would hold the event loop. */
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
