import type { CallOf, Watch } from "./calls.ts";
import { checkFence } from "./claims.ts";
import { demand, factsOf, type Notes } from "./notes.ts";

/** Bytes of output: each accepted chunk once, where the one before it ended. */
export function watchWrite(watch: Watch, { input, answer }: CallOf<"write">): void {
  if (answer === undefined) return;
  const { notes, marks } = watch;
  const facts = factsOf(notes, input.id);
  checkFence(watch, facts, input.fence, answer.result);
  marks.reached(`write answered ${answer.result}`);
  if (answer.result === "stale") return;
  const tell = (): string =>
    `${input.id}: ${input.bytes.length} bytes at ${input.offset} of ${facts.output.length}`;
  const fits = input.offset === facts.output.length;
  demand(notes, fits === (answer.result === "written"), "output has no gaps", tell);
  facts.stream = input.stream; // each kind writes one
  if (answer.result === "written") facts.output.push(...input.bytes);
  demand(notes, answer.size === facts.output.length, "output is as long as what was written", tell);
}

export function watchRead({ notes }: Watch, { input, answer }: CallOf<"read">): void {
  if (answer === undefined) return;
  const { output } = factsOf(notes, input.query.id);
  checkOutput(notes, { ...input.query, ...answer }, output);
}

export function checkOutput(
  notes: Notes,
  read: { id: string; offset: number; limit: number; bytes: Uint8Array; size: number },
  output: readonly number[],
): void {
  const expected = output.slice(read.offset, read.offset + read.limit);
  const same = read.size === output.length && expected.join() === read.bytes.join();
  demand(
    notes,
    same,
    "output reads back as it was written",
    () => `${read.id}: ${read.size} bytes`,
  );
}
