import type { TestContext } from "node:test";

/** `npm test` runs a sample of each long test; `npm run test:all`, and so CI, runs all of it. */
export const isFullDepth = process.env["DAYBOOK_TEST_DEPTH"] === "all";

/** Why a long test is skipped that no sample has. */
export const skipUnlessFull = isFullDepth ? false : "not in the sample; npm run test:all runs it";

/** Of tests that are alike, why one is skipped that a sample does not have. */
export function skipUnlessIn<Case>(chosen: readonly Case[], each: Case): string | false {
  return chosen.includes(each) ? false : skipUnlessFull;
}

type Test = Pick<TestContext, "diagnostic">;

interface Sample {
  /** How many cases run when not all do. */
  readonly size: number;
  /** What the cases are, in the plural. */
  readonly of: string;
  /** From 0 to 1. Tests over like cases differ in it, so that together they run more of them. */
  readonly shift?: number;
}

/** How many of so many cases a test runs. It says so when these are not all. */
export function sampleSize(t: Test, all: number, { size, of }: Sample): number {
  if (isFullDepth || all <= size) return all;
  t.diagnostic(`sampled: ${size} of ${all} ${of}; npm run test:all runs all`);
  return size;
}

/** The cases that a test runs: all, or a sample that is the same in every run. */
export function sampled<Case>(t: Test, cases: readonly Case[], sample: Sample): readonly Case[] {
  return spread(cases, sampleSize(t, cases.length, sample), sample.shift);
}

/** So many of the cases, at even distances. */
export function spread<Case>(cases: readonly Case[], size: number, shift = 0): readonly Case[] {
  const distance = cases.length / size;
  const chosen = Array.from({ length: size }, (_, nth) => Math.floor((nth + shift) * distance));
  return cases.filter((_, index) => chosen.includes(index));
}
