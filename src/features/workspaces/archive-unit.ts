import { readAll, stoppable, throwIfStopped, type Bytes } from "../../platform/byte-stream.ts";
import { DaybookError, hasCode, messageOf } from "../../platform/errors.ts";
import { refusedTar } from "../../platform/tar/entry.ts";
import { vet } from "../../platform/tar/vet.ts";
import {
  metaText,
  readMeta,
  sealing,
  sealOf,
  type Seal,
  compressed,
  decompressed,
  type Codec,
} from "./archive-format.ts";
import type { Archives } from "./archives.ts";

/** An archive is two objects: the bytes, and what says what they are. The second is written last: without it there is none. */
function metaKeyOf(key: string): string {
  return `${key}.meta`;
}

const metaBytesMax = 64 * 1024;

/**
 * Keeps a tar as an archive, and reads it back before it counts. What could not be unpacked again is not kept; devices, pipes
 * and sockets are left out.
 */
export async function storeUnit(
  archives: Archives,
  key: string,
  tar: Bytes,
  signal: AbortSignal,
): Promise<Seal> {
  throwIfStopped(signal);
  const small = sealing(
    codecOf(archives).compressed(
      stoppable(
        kept(tar, () => small.size()),
        signal,
      ),
    ),
  );
  await archives.put(key, small.bytes, signal);
  const written = small.seal();
  const found = await sealOf(stoppable(await archives.get(key, signal), signal));
  if (written === undefined || found.size !== written.size || found.sha256 !== written.sha256) {
    const sentence = `The archive ${key} reads back other bytes than were written: look at the disk or the service that keeps archives, then try again.`;
    const details = { fault: "ActionFailed", code: "CHECKSUM_MISMATCH", archive_key: key };
    throw new DaybookError("unavailable", sentence, { details });
  }
  await archives.put(metaKeyOf(key), oneText(metaText(written)), signal);
  return written;
}

function codecOf({ codec = { compressed, decompressed } }: Archives): Codec {
  return codec;
}

function kept(tar: Bytes, compressedBytes: () => number): Bytes {
  return vet(tar, { special: "skip", compressedBytes });
}

async function* oneText(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Reads all of an archive. Throws, with the fault DataLost, unless it is there and as it was written. */
export async function verifyUnit(
  archives: Archives,
  key: string,
  signal: AbortSignal,
): Promise<Seal> {
  const said = await metaOf(archives, key, signal);
  const found = await sealOf(stoppable(await objectOf(archives, key, signal), signal));
  return compare(key, said, found);
}

/**
 * The tar in an archive, vetted. It ends only when all of the archive was read and is as it was written: whoever has
 * its end has all of it, and whoever had less is thrown at.
 */
export async function openUnit(
  archives: Archives,
  key: string,
  signal: AbortSignal,
): Promise<Bytes> {
  const said = await metaOf(archives, key, signal);
  const object = sourceOf(stoppable(await objectOf(archives, key, signal), signal));
  const source = sealing(object.bytes);
  async function* verified(): AsyncGenerator<Uint8Array> {
    try {
      yield* vet(checked(), { compressedBytes: source.size });
    } catch (error) {
      // Bytes that are damaged are seldom a tar: that is what is wrong with them, then.
      if (!object.failed() && !signal.aborted) await verifyUnit(archives, key, signal);
      throw error instanceof DaybookError
        ? error
        : refusedTar(`it does not open (${messageOf(error)})`);
    }
  }
  async function* checked(): AsyncGenerator<Uint8Array> {
    yield* codecOf(archives).decompressed(key, source.bytes);
    compare(key, said, source.seal() ?? (await verifyUnit(archives, key, signal)));
  }
  return verified();
}

/** The same bytes; remembers whether it was the source that failed. */
function sourceOf(source: Bytes): { bytes: Bytes; failed(): boolean } {
  let failed = false;
  async function* passing(): AsyncGenerator<Uint8Array> {
    try {
      yield* source;
    } catch (error) {
      failed = true;
      throw error;
    }
  }
  return { bytes: passing(), failed: () => failed };
}

/** Removes what says what it is first: the rest is then no archive, however far this comes. */
export async function removeUnit(
  archives: Archives,
  key: string,
  signal: AbortSignal,
): Promise<void> {
  const object = key.replace(/\.meta$/, "");
  await archives.remove([metaKeyOf(object), object], signal);
}

type Said = NonNullable<ReturnType<typeof readMeta>>;

async function metaOf(archives: Archives, key: string, signal: AbortSignal): Promise<Said> {
  const metaKey = metaKeyOf(key);
  const bytes = await orLost(archives.get(metaKey, signal), () =>
    lost("META_NOT_FOUND", key, `The archive ${key} was never finished, or its ${metaKey} is gone`),
  );
  const text = await readAll(stoppable(bytes, signal), metaBytesMax);
  const said = readMeta(text.toString("utf8"));
  if (said !== undefined) return said;
  throw lost("META_NOT_FOUND", key, `${metaKey} does not say what the archive is`);
}

function objectOf(archives: Archives, key: string, signal: AbortSignal): Promise<Bytes> {
  const gone = () => lost("ARCHIVE_NOT_FOUND", key, `The archive ${key} is not there`);
  return orLost(archives.get(key, signal), gone);
}

async function orLost<T>(getting: Promise<T>, gone: () => DaybookError): Promise<T> {
  try {
    return await getting;
  } catch (error) {
    throw hasCode(error, "not_found") ? gone() : error;
  }
}

function compare(key: string, said: Said, found: Seal): Seal {
  const { size = found.size, sha256 } = said;
  if (found.size === size && found.sha256 === sha256) return found;
  const is = `is damaged: it has ${found.size} bytes (sha256 ${found.sha256}), and was written as ${size} (sha256 ${sha256})`;
  throw lost("CHECKSUM_MISMATCH", key, `The archive ${key} ${is}`);
}

function lost(code: string, key: string, what: string): DaybookError {
  const sentence = `${what}: put a copy back, or let the workspace begin anew without it.`;
  const details = { fault: "DataLost", code, archive_key: key, detail: what };
  return new DaybookError(code === "CHECKSUM_MISMATCH" ? "refused" : "not_found", sentence, {
    details,
  });
}
