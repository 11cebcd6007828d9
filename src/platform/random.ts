import { randomFillSync } from "node:crypto";

/** The source of randomness. The simulator seeds it. */
export interface Random {
  /** 32 random bits as an unsigned integer. */
  bits(): number;
}

export function systemRandom(): Random {
  const pool = new Uint32Array(256);
  let used = pool.length;
  return {
    bits() {
      if (used === pool.length) {
        randomFillSync(pool);
        used = 0;
      }
      const value = pool[used] ?? 0;
      used += 1;
      return value;
    },
  };
}

/** The same seed gives the same numbers on every machine (the sfc32 generator). */
export function seededRandom(seed: number): Random {
  let a = seed >>> 0;
  let b = (seed / 2 ** 32) >>> 0;
  let c = 0x9e3779b9;
  let counter = 1;
  const bits = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  // Seeds that differ in one bit start alike; a few rounds separate them.
  for (let round = 0; round < 12; round += 1) bits();
  return { bits };
}

/** A number in [0, 1). */
export function fraction(random: Random): number {
  return random.bits() / 2 ** 32;
}
