import { DaybookError } from "./errors.ts";

/** A stream of bytes in pieces; each is produced when it is requested. */
export type Bytes = AsyncIterable<Uint8Array>;

export function stoppedError(): DaybookError {
  return new DaybookError("closed", "It was told to stop before it was done: ask again.");
}

export function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw stoppedError();
}

/** The same bytes until the signal aborts: then it throws, even while it waits for a piece. */
export async function* stoppable(source: Bytes, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  throwIfStopped(signal);
  const pieces = source[Symbol.asyncIterator]();
  let stop = (): void => undefined;
  const onAbort = (): void => stop();
  const nextPiece = () =>
    new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
      stop = () => reject(stoppedError());
      pieces.next().then(resolve, reject);
    });
  signal.addEventListener("abort", onAbort, { once: true });
  let isOver = false;
  try {
    for (;;) {
      throwIfStopped(signal);
      const piece = await nextPiece();
      isOver = piece.done === true;
      if (piece.done === true) return;
      yield piece.value;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    // A source that hangs in a piece would never answer.
    const closing = isOver ? undefined : pieces.return?.().catch(() => undefined);
    if (!signal.aborted) await closing;
  }
}

/** All bytes of a stream. Throws when there are more than allowed. */
export async function readAll(source: Bytes, bytesMax: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of source) {
    size += piece.length;
    if (size > bytesMax) {
      const sentence = `It is longer than the ${bytesMax} bytes that it may have: look what it is.`;
      throw new DaybookError("too_large", sentence, { details: { bytesMax } });
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The last bytes of a stream. */
interface LastBytes {
  add(bytes: Uint8Array): void;
  all(): { readonly tail: Buffer; readonly isCut: boolean };
}

/** Holds at most a few times as many bytes as it keeps. */
export function lastBytes(bytesMax: number): LastBytes {
  let kept: Uint8Array[] = [];
  let size = 0;
  let isCut = false;
  const shrink = (): Buffer => {
    const all = Buffer.concat(kept);
    const tail = all.subarray(Math.max(all.length - bytesMax, 0));
    isCut ||= all.length > bytesMax;
    [kept, size] = [[tail], tail.length];
    return tail;
  };
  return {
    add(bytes) {
      kept.push(bytes);
      size += bytes.length;
      if (size > 4 * bytesMax) shrink();
    },
    all: () => ({ tail: shrink(), isCut }),
  };
}
