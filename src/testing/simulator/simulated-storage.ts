import type { Codec } from "../../features/workspaces/archive-format.ts";
import type { Archives } from "../../features/workspaces/archives.ts";
import { readAll, type Bytes } from "../../platform/byte-stream.ts";
import { DaybookError } from "../../platform/errors.ts";
import { chance, intBelow } from "../chance.ts";
import type { VirtualProcess } from "./kernel.ts";
import { inPieces, linkTo, type Link, type LinkOptions } from "./unreliable-link.ts";

interface StoredObject {
  bytes: Buffer;
  /** As they were given. */
  readonly original: Buffer;
  /** Somebody read all of it, as it was given. */
  isReadBack: boolean;
}

export interface ArchiveObserver {
  stored(process: VirtualProcess, key: string, isAgain: boolean): void;
  /** Before they are gone. */
  collected(process: VirtualProcess, keys: readonly string[]): void;
}

/** One storage for all nodes. */
export interface SimStorage {
  archivesFor(process: VirtualProcess): Archives;
  keys(): readonly string[];
  /** What was given, whether it was read back since, and whether it is as it was. */
  at(key: string): { original: Buffer; isReadBack: boolean; isGood: boolean } | undefined;
  /** One of what is kept goes bad where it lies. */
  bitRot(): void;
}

/** Nothing is made smaller here: what node does for that, it does by threads. */
const plain: Codec = { compressed: (bytes) => bytes, decompressed: (_, bytes) => bytes };

type Options = Omit<LinkOptions, "name" | "isAway"> & { observer: ArchiveObserver };

const bytesMax = 2 ** 20;

export function simulatedStorage(original: Options): SimStorage {
  const { random, faults, marks } = original;
  const options = { ...original, name: "storage", isAway: () => faults.isStorageAway };
  const all = new Map<string, StoredObject>();
  const link = linkTo(options);
  return {
    keys: () => [...all.keys()],
    at(key) {
      const stored = all.get(key);
      return stored && { ...stored, isGood: stored.bytes.equals(stored.original) };
    },
    bitRot() {
      const [key, stored] = [...all][intBelow(random, all.size)] ?? [];
      if (key === undefined || stored === undefined) return;
      marks.reached("an archive was corrupted in storage");
      original.faulted(workspaceIn(key));
      stored.bytes = corrupted(stored.bytes);
    },
    archivesFor: (process) => archivesOf({ all, link, options }, process),
  };
}

interface Storage {
  readonly all: Map<string, StoredObject>;
  readonly link: Link;
  readonly options: Options & LinkOptions;
}

function archivesOf({ all, link, options }: Storage, process: VirtualProcess): Archives {
  const call = <T>(what: string, key: string, signal: AbortSignal, act: () => T): Promise<T> =>
    link.call(process, { what, id: workspaceIn(key), signal, act });
  const listed = (prefix: string): { key: string; size: number }[] =>
    [...all]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, { bytes }]) => ({ key, size: bytes.length }));
  return {
    name: "sim",
    codec: plain,
    async put(key, bytes, signal) {
      const complete = await readAll(cutOff(bytes, options, key), bytesMax);
      await call("put", key, signal, () => {
        options.observer.stored(process, key, all.has(key));
        all.set(key, storedObject(complete, options, key));
      });
    },
    async get(key, signal) {
      const stored = await call("get", key, signal, () => {
        const found = all.get(key);
        if (found !== undefined) return found;
        throw new DaybookError("not_found", `There is no ${key}.`);
      });
      return read(stored, options, { process, id: workspaceIn(key) });
    },
    head: (key, signal) =>
      call("head", key, signal, () => {
        const stored = all.get(key);
        return stored === undefined ? null : { size: stored.bytes.length };
      }),
    async *list(prefix, signal) {
      yield* await call("list archives", "", signal, () => listed(prefix));
    },
    remove: (keys, signal) =>
      call("remove archives", "", signal, () => {
        options.observer.collected(process, keys);
        for (const key of keys) all.delete(key);
      }),
    check: () => Promise.resolve("simulated"),
  };
}

function storedObject(
  original: Buffer,
  { random, faults, marks, faulted }: Options,
  key: string,
): StoredObject {
  const isWrong = chance(random, faults.corruptWrite);
  if (!isWrong) return { bytes: original, original, isReadBack: false };
  marks.reached("an archive was stored corrupt");
  faulted(workspaceIn(key));
  return { bytes: corrupted(original), original, isReadBack: false };
}

async function* read(
  stored: StoredObject,
  options: LinkOptions,
  whose: { process: VirtualProcess; id: string },
): AsyncGenerator<Uint8Array> {
  const { bytes } = stored;
  yield* inPieces(bytes, options, whose);
  if (bytes.equals(stored.original)) stored.isReadBack = true;
}

/** `archives/{workspace}/…` */
function workspaceIn(key: string): string {
  return key.split("/")[1] ?? "";
}

function corrupted(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const at = copy.length >> 1;
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

/** Of some uploads only a part arrives: then nothing is kept. */
async function* cutOff(
  bytes: Bytes,
  { random, faults, faulted }: Options,
  key: string,
): AsyncGenerator<Uint8Array> {
  const isCut = chance(random, faults.cut);
  for await (const piece of bytes) yield piece;
  if (!isCut) return;
  faulted(workspaceIn(key));
  throw new DaybookError("unavailable", "The upload was cut off.");
}
