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
  return {
    lines,
    add(at, who, what) {
      const line = `${at} ${who} ${what}`;
      for (let index = 0; index < line.length; index += 1) {
        // Two FNV-1a lanes with different primes: 64 bits without BigInt, a few ns for each letter.
        low = Math.imul(low ^ line.charCodeAt(index), 0x01000193);
        high = Math.imul(high ^ line.charCodeAt(index), 0x5bd1e995);
      }
      if (keepLines) lines.push(line);
    },
    digest: () => hex(high) + hex(low),
  };
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}
