import { readAll, stoppable, throwIfStopped, type Bytes } from "../../platform/byte-stream.ts";
import { DaybookError, hasCode, messageOf } from "../../platform/errors.ts";
import { refusedTar } from "../../platform/tar/entry.ts";
import { vet } from "../../platform/tar/vet.ts";
import {
  metaText,
  readMeta,
  sealed,
  sealOf,
  type Seal,
  compressed,
  decompressed,
  type Codec,
} from "./archive-format.ts";
import type { Archives } from "./archives.ts";

/** An archive is two objects: the bytes, and a meta object that is written last. Without it there is no archive. */
function metaKeyOf(key: string): string {
  return `${key}.meta`;
}

const metaBytesMax = 64 * 1024;

/**
 * Stores a tar as an archive, and reads it back before it counts. A tar that could not be unpacked is refused; devices,
 * pipes and sockets are left out.
 */
export async function storeUnit(
  archives: Archives,
  key: string,
  tar: Bytes,
  signal: AbortSignal,
): Promise<Seal> {
  throwIfStopped(signal);
  const small = sealed(
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
    const sentence = `The archive ${key} does not read back as written: check the disk or the service that stores archives, then try again.`;
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

/** Reads a complete archive. Throws with the reason DataLost unless it exists and is as it was written. */
export async function verifyUnit(
  archives: Archives,
  key: string,
  signal: AbortSignal,
): Promise<Seal> {
  const meta = await metaOf(archives, key, signal);
  const found = await sealOf(stoppable(await objectOf(archives, key, signal), signal));
  return compare(key, meta, found);
}

/**
 * The vetted tar in an archive. It ends only after the complete archive was read and verified; otherwise the reader gets
 * an error.
 */
export async function openUnit(
  archives: Archives,
  key: string,
  signal: AbortSignal,
): Promise<Bytes> {
  const meta = await metaOf(archives, key, signal);
  const object = sourceOf(stoppable(await objectOf(archives, key, signal), signal));
  const source = sealed(object.bytes);
  async function* verified(): AsyncGenerator<Uint8Array> {
    try {
      yield* vet(checked(), { compressedBytes: source.size });
    } catch (error) {
      // Damaged bytes are seldom a tar: then the damage is reported, not the tar.
      if (!object.failed() && !signal.aborted) await verifyUnit(archives, key, signal);
      throw error instanceof DaybookError
        ? error
        : refusedTar(`it does not open (${messageOf(error)})`);
    }
  }
  async function* checked(): AsyncGenerator<Uint8Array> {
    yield* codecOf(archives).decompressed(key, source.bytes);
    compare(key, meta, source.seal() ?? (await verifyUnit(archives, key, signal)));
  }
  return verified();
}

/** The same bytes, and whether the source itself failed. */
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

/** Removes the meta object first: without it, the rest is not an archive, even if the removal is cut off. */
export async function removeUnit(
  archives: Archives,
  key: string,
  signal: AbortSignal,
): Promise<void> {
  const object = key.replace(/\.meta$/, "");
  await archives.remove([metaKeyOf(object), object], signal);
}

type Meta = NonNullable<ReturnType<typeof readMeta>>;

async function metaOf(archives: Archives, key: string, signal: AbortSignal): Promise<Meta> {
  const metaKey = metaKeyOf(key);
  const bytes = await orLost(archives.get(metaKey, signal), () =>
    lost("META_NOT_FOUND", key, `The archive ${key} is incomplete: ${metaKey} is missing`),
  );
  const text = await readAll(stoppable(bytes, signal), metaBytesMax);
  const meta = readMeta(text.toString("utf8"));
  if (meta !== undefined) return meta;
  throw lost("META_NOT_FOUND", key, `${metaKey} does not hold the hash of the archive`);
}

function objectOf(archives: Archives, key: string, signal: AbortSignal): Promise<Bytes> {
  const missing = () => lost("ARCHIVE_NOT_FOUND", key, `The archive ${key} does not exist`);
  return orLost(archives.get(key, signal), missing);
}

async function orLost<T>(read: Promise<T>, missing: () => DaybookError): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw hasCode(error, "not_found") ? missing() : error;
  }
}

function compare(key: string, meta: Meta, found: Seal): Seal {
  const { size = found.size, sha256 } = meta;
  if (found.size === size && found.sha256 === sha256) return found;
  const damage = `is damaged: it has ${found.size} bytes (sha256 ${found.sha256}), and was written as ${size} (sha256 ${sha256})`;
  throw lost("CHECKSUM_MISMATCH", key, `The archive ${key} ${damage}`);
}

function lost(code: string, key: string, what: string): DaybookError {
  const sentence = `${what}: put a copy back, or start the workspace without it.`;
  const details = { fault: "DataLost", code, archive_key: key, detail: what };
  return new DaybookError(code === "CHECKSUM_MISMATCH" ? "refused" : "not_found", sentence, {
    details,
  });
}
