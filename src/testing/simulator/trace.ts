/** What happened, as a running hash; the lines themselves only when somebody wants to read them. */
export interface Trace {
  add(at: number, who: string, what: string): void;
  /** Sixteen hex digits: the same run gives the same digits on every machine. */
  digest(): string;
  readonly lines: readonly string[];
}

export function traceOf(keepLines: boolean): Trace {
  const lines: string[] = [];
  let low = 0x811c9dc5;
  let high = 0x01000193;
  // Two FNV-1a lanes with different primes: 64 bits without BigInt, a few ns for each letter.
  const mix = (bits: number): void => {
    low = Math.imul(low ^ bits, 0x01000193);
    high = Math.imul(high ^ bits, 0x5bd1e995);
  };
  const mixText = (text: string): void => {
    for (let index = 0; index < text.length; index += 1) mix(text.charCodeAt(index));
    mix(0x1_0000); // no letter: where it ends is part of it
  };
  return {
    lines,
    add(at, who, what) {
      // Never as one line: to put it together takes longer than to hash it.
      mix(at / 2 ** 32);
      mix(at);
      mixText(who);
      mixText(what);
      if (keepLines) lines.push(`${at} ${who} ${what}`);
    },
    digest: () => hex(high) + hex(low),
  };
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}
