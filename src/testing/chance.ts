import { fraction, type Random } from "../platform/random.ts";

/** A whole number in [0, below). */
export function intBelow(random: Random, below: number): number {
  return Math.floor(fraction(random) * below);
}

export function chance(random: Random, probability: number): boolean {
  return fraction(random) < probability;
}

export function pick<T>(random: Random, from: readonly [T, ...T[]]): T {
  return from[intBelow(random, from.length)] ?? from[0];
}
