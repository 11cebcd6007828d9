import { randomBytes } from "node:crypto";
import { lstat, mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Archives } from "../../features/workspaces/index.ts";
import { stoppable, throwIfStopped } from "../../platform/byte-stream.ts";
import type { Clock } from "../../platform/clock.ts";
import { diskFault } from "../../platform/disk-fault.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import {
  contentOf,
  filesIn,
  isNone,
  makeFolders,
  partsIn,
  writeAtomically,
  removeEmpty,
  sweep,
} from "./directory-files.ts";
import { checkKey } from "./key.ts";

interface DirectoryOptions {
  /** An absolute path. */
  readonly folder: string;
  readonly clock: Pick<Clock, "wall">;
}

/** A part that was not written to for so long is abandoned. */
const partMsMax = 24 * 60 * 60_000;

const partsName = ".parts";

type Guarded = <T>(doing: string, signal: AbortSignal, run: () => Promise<T>) => Promise<T>;

/** Archives in a folder. A missing folder is an error, since its disk may not be mounted; `put` and `check` make it. */
export function directory({ folder, clock }: DirectoryOptions): Archives {
  // Archives are written here first: on the same disk, and never a key.
  const parts = join(folder, partsName);
  const newPart = () => join(parts, randomBytes(12).toString("hex"));
  const pathOf = (key: string): string => join(folder, checkKey(key));
  const fault = (error: unknown, doing: string) => faultIn(folder, error, doing);
  const guarded: Guarded = async (doing, signal, run) => {
    throwIfStopped(signal);
    try {
      return await run();
    } catch (error) {
      throw fault(error, doing);
    }
  };
  return {
    name: "dir",
    put: (key, bytes, signal) =>
      guarded(`writing the archive ${key}`, signal, async () => {
        const path = pathOf(key);
        await makeFolders(dirname(path));
        await mkdir(parts, { recursive: true, mode: 0o700 });
        await sweep(parts, clock.wall() - partMsMax);
        await writeAtomically(newPart(), path, stoppable(bytes, signal));
      }),
    get: (key, signal) => {
      const doing = `reading the archive ${key}`;
      return guarded(doing, signal, async () => {
        const path = pathOf(key);
        if ((await statsOf(folder, path)) === undefined) throw notThere(folder, key);
        return stoppable(
          contentOf(path, (error) => fault(error, doing)),
          signal,
        );
      });
    },
    head: (key, signal) =>
      guarded(`looking for the archive ${key}`, signal, async () => {
        const stats = await statsOf(folder, pathOf(key));
        return stats?.isFile() === true ? { size: stats.size } : null;
      }),
    async *list(prefix, signal) {
      throwIfStopped(signal);
      await present(folder);
      try {
        yield* filesIn(folder, "", prefix, signal);
      } catch (error) {
        throw fault(error, `listing the archives in ${folder}`);
      }
    },
    parts: partsOf(folder, guarded),
    remove: (keys, signal) =>
      guarded("removing archives", signal, async () => {
        await present(folder);
        for (const path of keys.map(pathOf)) {
          throwIfStopped(signal);
          await rm(path, { force: true });
          await removeEmpty(dirname(path), folder);
        }
      }),
    check: (signal) =>
      guarded(`checking the archive folder ${folder}`, signal, async () => {
        await mkdir(parts, { recursive: true, mode: 0o700 });
        await tryOut(newPart());
        return `archives in ${folder}`;
      }),
  };
}

function partsOf(folder: string, guarded: Guarded): NonNullable<Archives["parts"]> {
  const parts = join(folder, partsName);
  return {
    list: (signal) =>
      guarded(`listing unfinished archives in ${folder}`, signal, () => partsIn(parts)),
    remove: (names, signal) =>
      guarded("removing unfinished archives", signal, async () => {
        for (const name of names) await rm(join(parts, basename(name)), { force: true });
      }),
  };
}

async function tryOut(path: string): Promise<void> {
  await writeFile(path, "x", { flag: "wx", mode: 0o600 });
  await rm(path);
}

function faultIn(folder: string, error: unknown, doing: string): DaybookError {
  return diskFault(error, doing, { endpoint: `dir:${folder}` });
}

/** Undefined: it is not there, and its folder is. */
async function statsOf(folder: string, path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (!isNone(error)) throw error;
    await present(folder);
    return undefined;
  }
}

async function present(folder: string): Promise<void> {
  try {
    await lstat(folder);
  } catch (cause) {
    const sentence = `Cannot reach the archive folder ${folder} (${messageOf(cause)}): mount its disk, or create the folder.`;
    const details = { endpoint: `dir:${folder}` };
    throw new DaybookError("unavailable", sentence, { cause, details });
  }
}

function notThere(folder: string, key: string): DaybookError {
  const sentence = `The archive ${key} does not exist in ${folder}: check whether it was moved.`;
  return new DaybookError("not_found", sentence, { details: { key } });
}
