import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { DaybookError } from "../../platform/errors.ts";
import { openNew, syncFolder } from "./atomic-file.ts";
import { fault, isFull } from "./faults.ts";
import { type Entry, lineOf, packEntry } from "./journal-entry.ts";
import type { OnStep } from "./step.ts";

/** The end of the newest journal. */
export interface JournalEnd {
  /** Of the journal, in its name. */
  readonly generation: number;
  /** Of its last line. */
  readonly number: number;
  /** Bytes of whole lines. */
  readonly size: number;
}

export interface Journal {
  end(): JournalEnd;
  /** Resolves when the entry is on the disk. Rejects with `unavailable` when it is not, and with `unknown` when that
   * is uncertain: then nothing is ever written again. */
  commit(entry: Entry): Promise<void>;
  /** Continues in a new journal. Never during a commit. */
  rotate(): void;
  close(): void;
}

export function journalName(generation: number): string {
  return `journal-${generation}`;
}

const dataOnDisk = promisify(fdatasync);

export function openJournal(folder: string, start: JournalEnd, onStep: OnStep): Journal {
  const pathOf = (generation: number): string => join(folder, journalName(generation));
  let end = start;
  let file = openSync(pathOf(end.generation), constants.O_RDWR | constants.O_NOFOLLOW);
  let reserved = fstatSync(file).size; // the size of the file, with the zeros after its last line
  let broken: DaybookError | undefined;

  const fail = (cause: unknown): DaybookError => {
    // A failed sync is never tried again: the kernel may have dropped the unwritten bytes.
    const path = pathOf(end.generation);
    broken = fault("unavailable", path, "failed: check the disk, then restart.", cause);
    return fault(
      "unknown",
      path,
      "failed, so the write may or may not be on the disk: restart and check.",
      cause,
    );
  };
  const orFail = async <T>(run: () => T | Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      throw fail(error);
    }
  };
  return {
    end: () => end,
    async commit(entry) {
      if (broken !== undefined) throw broken; // also for readers: the state of the disk is unknown
      if (entry.facts.length === 0) return;
      const number = end.number + 1;
      const line = lineOf(number, packEntry(entry));
      onStep("started");
      const full = await orFail(() => tryWrite(file, line, end.size));
      if (full !== undefined) {
        reserved = end.size;
        const problem = "cannot grow because the disk is full: free some space and try again.";
        throw fault("unavailable", pathOf(end.generation), problem, full);
      }
      const size = end.size + line.length;
      if (size > reserved) reserved = reserveSpace(file, size);
      await orFail(() => {
        onStep("written");
        return dataOnDisk(file);
      });
      end = { ...end, number, size };
      onStep("synced");
    },
    rotate() {
      if (broken !== undefined) throw broken;
      const before = file;
      file = newJournal(folder, end.generation + 1);
      end = { generation: end.generation + 1, number: end.number, size: 0 };
      reserved = 0;
      closeSync(before); // its zeros go with it
    },
    close() {
      if (broken === undefined && reserved > end.size) ftruncateSync(file, end.size);
      closeSync(file);
    },
  };
}

/** Writes a whole line. On a full disk it restores the file and answers the error. */
function tryWrite(file: number, line: Buffer, position: number): unknown {
  try {
    writeAll(file, line, position);
    return undefined;
  } catch (error) {
    if (!isFull(error)) throw error;
    ftruncateSync(file, position);
    return error;
  }
}

/** A sync of overwritten bytes need not wait for the file system's own journal. */
const reserveBytes = 256 * 1024;

/** Writes zeros after the last line, if they fit. Answers the new size of the file. */
function reserveSpace(file: number, from: number): number {
  try {
    writeAll(file, Buffer.alloc(reserveBytes), from);
    return from + reserveBytes;
  } catch {
    return from; // the disk may be full: the next line fails if it is
  }
}

/** Creates an empty journal and waits until its name is on the disk. */
export function newJournal(folder: string, generation: number): number {
  const path = join(folder, journalName(generation));
  const file = openNew(path);
  try {
    syncFolder(folder);
    return file;
  } catch (error) {
    closeSync(file);
    rmSync(path);
    throw error;
  }
}

function writeAll(file: number, bytes: Buffer, position: number): void {
  let done = 0;
  while (done < bytes.length) {
    done += writeSync(file, bytes, done, bytes.length - done, position + done);
  }
}
