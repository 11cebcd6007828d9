/** The end of what comes piece by piece. */
interface LastBytes {
  add(bytes: Uint8Array): void;
  all(): { readonly tail: Buffer; readonly isCut: boolean };
}

/** Holds no more than a few times as much as it keeps. */
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
