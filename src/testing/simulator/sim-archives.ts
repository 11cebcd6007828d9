import type { Codec } from "../../features/workspaces/archive-format.ts";
import type { Archives } from "../../features/workspaces/archives.ts";
import { readAll, type Bytes } from "../../platform/byte-stream.ts";
import { DaybookError } from "../../platform/errors.ts";
import { chance, intBelow } from "../chance.ts";
import { inPieces, lineTo, type Line, type LineOptions } from "./keep-line.ts";
import type { Life } from "./kernel.ts";

interface Kept {
  bytes: Buffer;
  /** As they were given. */
  readonly given: Buffer;
  /** Somebody read all of it, as it was given. */
  isReadBack: boolean;
}

export interface ArchivesTap {
  stored(life: Life, key: string, isAgain: boolean): void;
  /** Before they are gone. */
  collected(life: Life, keys: readonly string[]): void;
}

/** One storage for all nodes. */
export interface SimStorage {
  archivesFor(life: Life): Archives;
  keys(): readonly string[];
  /** What was given, whether it was read back since, and whether it is as it was. */
  at(key: string): { given: Buffer; isReadBack: boolean; isGood: boolean } | undefined;
  /** One of what is kept goes bad where it lies. */
  rot(): void;
}

/** Nothing is made smaller here: what node does for that, it does by threads. */
const plain: Codec = { compressed: (bytes) => bytes, decompressed: (_, bytes) => bytes };

type Options = Omit<LineOptions, "name" | "isAway"> & { tap: ArchivesTap };

const bytesMax = 2 ** 20;

export function simArchives(given: Options): SimStorage {
  const { random, faults, marks } = given;
  const options = { ...given, name: "storage", isAway: () => faults.isStorageAway };
  const all = new Map<string, Kept>();
  const line = lineTo(options);
  return {
    keys: () => [...all.keys()],
    at(key) {
      const kept = all.get(key);
      return kept && { ...kept, isGood: kept.bytes.equals(kept.given) };
    },
    rot() {
      const [key, kept] = [...all][intBelow(random, all.size)] ?? [];
      if (key === undefined || kept === undefined) return;
      marks.reached("bytes went bad");
      given.harmed(workspaceIn(key));
      kept.bytes = damaged(kept.bytes);
    },
    archivesFor: (life) => archivesOf({ all, line, options }, life),
  };
}

interface Storage {
  readonly all: Map<string, Kept>;
  readonly line: Line;
  readonly options: Options & LineOptions;
}

function archivesOf({ all, line, options }: Storage, life: Life): Archives {
  const ask = <T>(what: string, key: string, signal: AbortSignal, act: () => T): Promise<T> =>
    line.ask(life, { what, id: workspaceIn(key), signal, act });
  const listed = (prefix: string): { key: string; size: number }[] =>
    [...all]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, { bytes }]) => ({ key, size: bytes.length }));
  return {
    name: "sim",
    codec: plain,
    async put(key, bytes, signal) {
      const whole = await readAll(cutOff(bytes, options, key), bytesMax);
      await ask("put", key, signal, () => {
        options.tap.stored(life, key, all.has(key));
        all.set(key, keptOf(whole, options, key));
      });
    },
    async get(key, signal) {
      const kept = await ask("get", key, signal, () => {
        const found = all.get(key);
        if (found !== undefined) return found;
        throw new DaybookError("not_found", `There is no ${key}.`);
      });
      return read(kept, options, { life, id: workspaceIn(key) });
    },
    head: (key, signal) =>
      ask("head", key, signal, () => {
        const kept = all.get(key);
        return kept === undefined ? null : { size: kept.bytes.length };
      }),
    async *list(prefix, signal) {
      yield* await ask("list archives", "", signal, () => listed(prefix));
    },
    remove: (keys, signal) =>
      ask("remove archives", "", signal, () => {
        options.tap.collected(life, keys);
        for (const key of keys) all.delete(key);
      }),
    check: () => Promise.resolve("simulated"),
  };
}

function keptOf(given: Buffer, { random, faults, marks, harmed }: Options, key: string): Kept {
  const isWrong = chance(random, faults.keptWrong);
  if (!isWrong) return { bytes: given, given, isReadBack: false };
  marks.reached("bytes were kept wrongly");
  harmed(workspaceIn(key));
  return { bytes: damaged(given), given, isReadBack: false };
}

async function* read(
  kept: Kept,
  options: LineOptions,
  whose: { life: Life; id: string },
): AsyncGenerator<Uint8Array> {
  const { bytes } = kept;
  yield* inPieces(bytes, options, whose);
  if (bytes.equals(kept.given)) kept.isReadBack = true;
}

/** `archives/{workspace}/…` */
function workspaceIn(key: string): string {
  return key.split("/")[1] ?? "";
}

function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const at = copy.length >> 1;
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

/** Of some uploads only a part arrives: then nothing is kept. */
async function* cutOff(
  bytes: Bytes,
  { random, faults, harmed }: Options,
  key: string,
): AsyncGenerator<Uint8Array> {
  const isCut = chance(random, faults.cut);
  for await (const piece of bytes) yield piece;
  if (!isCut) return;
  harmed(workspaceIn(key));
  throw new DaybookError("unavailable", "The upload was cut off.");
}
