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
import { fault, isFull } from "./errno.ts";
import { type Entry, lineOf, packEntry } from "./journal-entry.ts";
import type { OnStep } from "./step.ts";

/** Where the newest journal ends. */
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
  /** Goes on in a new journal. Never during a commit. */
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
  let room = fstatSync(file).size; // bytes of the file, zeros after the last line included
  let broken: DaybookError | undefined;

  const fail = (cause: unknown): DaybookError => {
    // A failed sync is never tried again: the kernel may have dropped what it could not write.
    const path = pathOf(end.generation);
    broken = fault("unavailable", path, "failed: look at the disk, then start again.", cause);
    return fault("unknown", path, "failed: the write may or may not be on the disk.", cause);
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
      onStep("begun");
      const full = await orFail(() => tryWrite(file, line, end.size));
      if (full !== undefined) {
        room = end.size;
        const what = "has no room on its disk: free some space and try again.";
        throw fault("unavailable", pathOf(end.generation), what, full);
      }
      const size = end.size + line.length;
      if (size > room) room = addRoom(file, size);
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
      room = 0;
      closeSync(before); // its zeros go with it
    },
    close() {
      if (broken === undefined && room > end.size) ftruncateSync(file, end.size);
      closeSync(file);
    },
  };
}

/** Writes a line whole, or leaves the file as it was and answers why there is no room. */
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

/** A sync of bytes that overwrite others need not wait for the file system's own journal. */
const roomBytes = 256 * 1024;

/** Writes zeros after the last line, if they fit. Answers the length of the file with them. */
function addRoom(file: number, from: number): number {
  try {
    writeAll(file, Buffer.alloc(roomBytes), from);
    return from + roomBytes;
  } catch {
    return from; // the disk may be full: the next line fails if it is
  }
}

/** An empty journal whose name is on the disk, or none. */
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
