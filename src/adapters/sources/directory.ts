import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { link, lstat, mkdir, open, readdir, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { SourceEvent, Source } from "../../features/events/index.ts";
import type { Clock } from "../../platform/clock.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import { present } from "../../platform/json.ts";
import { unreadableCursor, unreadReason } from "./answers.ts";
import { droppedBytesMax, readDropped, type DroppedFile } from "./dropped-event.ts";

export interface DirectoryOptions {
  /** Default: `directory`. */
  name?: string;
  clock: Pick<Clock, "wall">;
  /** Programs write files as `.tmp-x` first, then rename them to `x.json`. */
  folder: string;
}

const filesMax = 500;
/** A file that is written in place may be incomplete for this long. */
const settleMs = 5_000;

/** The files that were read: moved away when the cursor comes back, after their events are stored. */
const cursorForm = z.strictObject({ taken: z.array(z.tuple([z.string(), z.string()])) });

/** Reads events from a folder of JSON files, each once. */
export function directory({ name = "directory", clock, folder }: DirectoryOptions): Source {
  return {
    name,
    async poll(cursor, { signal }) {
      const { data: before } = cursorForm.safeParse(cursor ?? { taken: [] });
      if (before === undefined) throw unreadableCursor(name);
      try {
        await mkdir(join(folder, "done"), { recursive: true });
        for (const [file, seal] of before.taken) await moveAway(folder, file, seal);
        const names = await droppedIn(folder);
        const taken: [file: string, seal: string][] = [];
        const events: SourceEvent[] = [];
        const reasons: string[] = [];
        for (const file of names.slice(0, filesMax)) {
          if (signal.aborted) break;
          const dropped = await readFile(folder, file);
          if (dropped === undefined) continue;
          const read = readDropped(name, file, dropped);
          if ("event" in read) {
            events.push(read.event);
            taken.push([file, dropped.seal]);
          } else if (clock.wall() - dropped.at > settleMs) {
            await setAside(folder, file, { ...dropped, reason: read.wrong });
            reasons.push(`${file}: ${read.wrong}`);
          }
        }
        return present({
          events,
          cursor: { taken },
          // Poll again, to move them away and to read the rest.
          more: taken.length > 0 || undefined,
          reason: unreadReason(reasons, "moved to failed"),
        });
      } catch (cause) {
        if (cause instanceof DaybookError) throw cause;
        const message = `The folder ${folder} cannot be read: ${messageOf(cause)}. Check that it exists.`;
        throw new DaybookError("unavailable", message, { cause });
      }
    },
  };
}

async function droppedIn(folder: string): Promise<string[]> {
  const all = await readdir(folder, { withFileTypes: true });
  const files = all.filter((each) => each.isFile() && /^[^.].*\.json$/.test(each.name));
  return files.map((each) => each.name).toSorted();
}

/** Undefined when it is gone or a symlink. */
async function readFile(folder: string, file: string): Promise<DroppedFile | undefined> {
  let handle;
  try {
    handle = await open(join(folder, file), constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ELOOP")) return undefined;
    throw error;
  }
  try {
    const { mtimeMs, size } = await handle.stat();
    const at = Math.floor(mtimeMs);
    // One byte more than the limit shows that it is too long.
    const room = Buffer.alloc(Math.min(size, droppedBytesMax + 1));
    const { bytesRead } = await handle.read(room, 0, room.length, 0);
    const bytes = room.subarray(0, bytesRead);
    return { bytes, at, seal: sealOf(`${mtimeMs}\n${bytes.toString()}`) };
  } finally {
    await handle.close();
  }
}

function sealOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** After its event is stored. A file that replaced it meanwhile stays. */
async function moveAway(folder: string, file: string, seal: string): Promise<void> {
  if ((await readFile(folder, file))?.seal !== seal) return;
  const done = join(folder, "done");
  const name = sealedName(file, seal);
  await rename(join(folder, file), join(done, name));
  // A file that replaced it between the check and the rename is moved back.
  if ((await readFile(done, name))?.seal === seal) return;
  await link(join(done, name), await freeName(folder, file));
  await unlink(join(done, name));
}

/** Unique in `done/` and `failed/`. */
function sealedName(file: string, seal: string): string {
  return `${file.slice(0, -".json".length)}~${seal}.json`;
}

async function freeName(folder: string, file: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? file : `${number}-${file}`);
    const isTaken = await lstat(path).then(
      () => true,
      () => false,
    );
    if (!isTaken) return path;
  }
}

/** Moves a file that is no event to `failed/`, with the reason beside it. */
async function setAside(
  folder: string,
  file: string,
  { seal, reason }: Pick<DroppedFile, "seal"> & { reason: string },
): Promise<void> {
  const failed = join(folder, "failed");
  const name = sealedName(file, seal);
  await mkdir(failed, { recursive: true });
  await writeFile(join(failed, `${name}.reason.txt`), `${reason}\n`);
  await rename(join(folder, file), join(failed, name));
}

function hasErrno(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
