import type { CallOf, Watch } from "./calls.ts";
import { checkFence } from "./claims.ts";
import { checkInvariant, factsOf, type Model } from "./model.ts";

/** Bytes of output: each accepted chunk once, where the one before it ended. */
export function watchWrite(watch: Watch, { input, answer }: CallOf<"write">): void {
  if (answer === undefined) return;
  const { model, marks } = watch;
  const facts = factsOf(model, input.id);
  checkFence(watch, facts, input.fence, answer.result);
  marks.reached(`write answered ${answer.result}`);
  if (answer.result === "stale") return;
  const detail = (): string =>
    `${input.id}: ${input.bytes.length} bytes at ${input.offset} of ${facts.output.length}`;
  const fits = input.offset === facts.output.length;
  checkInvariant(model, fits === (answer.result === "written"), "output has no gaps", detail);
  facts.stream = input.stream; // each kind writes one
  if (answer.result === "written") facts.output.push(...input.bytes);
  checkInvariant(
    model,
    answer.size === facts.output.length,
    "the size of output is the size of what was written",
    detail,
  );
}

export function watchRead({ model }: Watch, { input, answer }: CallOf<"read">): void {
  if (answer === undefined) return;
  const { output } = factsOf(model, input.query.id);
  checkOutput(model, { ...input.query, ...answer }, output);
}

export function checkOutput(
  model: Model,
  read: { id: string; offset: number; limit: number; bytes: Uint8Array; size: number },
  output: readonly number[],
): void {
  const expected = output.slice(read.offset, read.offset + read.limit);
  const same = read.size === output.length && expected.join() === read.bytes.join();
  checkInvariant(
    model,
    same,
    "output is read as it was written",
    () => `${read.id}: ${read.size} bytes`,
  );
}
