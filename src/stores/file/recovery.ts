import { lstatSync, readFileSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { type Fact, type Model, replaceRow, setKey } from "../memory/model.ts";
import { grow } from "../memory/output.ts";
import { temporaryPath } from "./atomic-file.ts";
import { fault } from "./faults.ts";
import { type Entry, type Lines, readLines, unpackEntry } from "./journal-entry.ts";
import { type JournalEnd, journalName } from "./journal.ts";
import { quarantineBytes } from "./quarantine.ts";
import { type SnapshotEnd, snapshotName, type Recovered } from "./snapshot.ts";

/** Restores the model from the newest snapshot and every journal since. Refuses damaged files. */
export function recover(folder: string, model: Model): Recovered {
  const { newest, journals } = generations(folder);
  const [oldest = 1] = journals;
  const replay = replayInto(model);
  const { number, bytes } = newest === 0 ? none : readSnapshot(folder, newest, replay);
  let end: JournalEnd = { generation: oldest, number, size: 0 };
  let earlierBytes = 0;
  for (const generation of journals) {
    const isLast = generation === journals.at(-1);
    earlierBytes += end.size;
    end = readJournal(folder, { ...end, generation }, { replay, isLast });
  }
  replay.finish();
  removeOlder(folder, oldest);
  return { end, snapshot: { generation: oldest, bytes }, earlierBytes };
}

const none = { number: 0, bytes: 0 };

/** The newest snapshot (0: none), the journal that started with it, and all later ones. */
function generations(folder: string): { newest: number; journals: readonly number[] } {
  const names = readdirSync(folder);
  const newest = numbered(names, "snapshot").at(-1) ?? 0;
  const oldest = Math.max(newest, 1);
  const journals = numbered(names, "journal").filter((each) => each >= oldest);
  const last = Math.max(journals.at(-1) ?? 0, oldest);
  for (let each = oldest; each <= last; each += 1) {
    if (!journals.includes(each)) throw damaged(join(folder, journalName(each)), "is missing");
  }
  return { newest, journals };
}

function readSnapshot(folder: string, generation: number, replay: Replay): typeof none {
  const path = join(folder, snapshotName(generation));
  const file = readRegular(path);
  let last: SnapshotEnd | undefined;
  const { end } = readLines(file, 0, (content) => {
    if (isEnd(content)) last = content;
    else replay.add(unpackEntry(content));
  });
  if (last === undefined || end !== "whole") throw damaged(path, "is damaged");
  return { number: last.number, bytes: file.length };
}

function isEnd(content: unknown): content is SnapshotEnd {
  return typeof content === "object" && content !== null && "number" in content;
}

function readJournal(
  folder: string,
  { generation, number }: JournalEnd,
  { replay, isLast }: { replay: Replay; isLast: boolean },
): JournalEnd {
  const path = join(folder, journalName(generation));
  const file = readRegular(path);
  const lines = readLines(file, number, (content) => replay.add(unpackEntry(content)));
  if (lines.end === "damaged" || (lines.end === "torn" && !isLast)) {
    throw damaged(path, `is damaged after byte ${lines.size}`);
  }
  if (lines.end === "torn") truncateTorn(folder, path, { file, lines });
  return { generation, number: lines.number, size: lines.size };
}

/** The commit that a crash tore was not acknowledged. Its bytes go to quarantine. */
function truncateTorn(
  folder: string,
  path: string,
  { file, lines }: { file: Buffer; lines: Lines },
): void {
  const { size } = lines;
  const reason = `A crash tore the last commit of ${path}, from byte ${size}. It was not acknowledged.`;
  quarantineBytes(folder, `torn-${lines.number + 1}`, {
    content: file.subarray(size, lines.until),
    reason,
  });
  truncateSync(path, size);
}

function readRegular(path: string): Buffer {
  if (!lstatSync(path).isFile()) throw damaged(path, "is not a regular file");
  return readFileSync(path);
}

function removeOlder(folder: string, oldest: number): void {
  const names = readdirSync(folder);
  for (const [prefix, nameOf] of [
    ["snapshot", snapshotName],
    ["journal", journalName],
  ] as const) {
    for (const each of numbered(names, prefix).filter((number) => number < oldest)) {
      rmSync(join(folder, nameOf(each)));
    }
  }
  for (const name of names.filter((each) => each.startsWith(temporaryPath("snapshot-")))) {
    rmSync(join(folder, name));
  }
}

function numbered(names: readonly string[], prefix: string): readonly number[] {
  const shape = new RegExp(`^${prefix}-([1-9]\\d{0,14})$`);
  const found = names.map((name) => Number(shape.exec(name)?.[1]));
  return found.filter((number) => !Number.isNaN(number)).toSorted((a, b) => a - b);
}

function damaged(path: string, problem: string): Error {
  return fault(
    "unavailable",
    path,
    `${problem}: restore the folder from a backup. Nothing was changed.`,
  );
}

/** Applies journal entries to a model. */
interface Replay {
  add(entry: Entry): void;
  /** Called once, after the last entry. */
  finish(): void;
}

function replayInto(model: Model): Replay {
  /** The last change of each pruned record. Its id may have been used again since. */
  const pruned = new Map<string, number>();

  const apply = (fact: Fact): void => {
    switch (fact.what) {
      case "row":
        freeze(fact.row.body);
        freeze(fact.row.outcome);
        return replaceRow(model, model.rows.get(fact.row.id), fact.row);
      case "gone":
        replaceRow(model, model.rows.get(fact.id), undefined);
        model.output.delete(fact.id);
        pruned.set(fact.id, model.history.at(-1)?.seq ?? 0);
        return;
      case "change":
        model.history.push(fact.entry);
        return;
      case "key":
        return setKey(model, fact.name, fact.entry);
      case "bytes":
        return grow(model, fact.chunk);
    }
  };
  return {
    add({ seq, facts }) {
      facts.forEach(apply);
      model.seq = seq;
    },
    finish() {
      if (pruned.size === 0) return;
      model.history = model.history.filter(({ seq, change }) => seq > (pruned.get(change.id) ?? 0));
    },
  };
}

/** A reader must not change stored values. */
function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}
