import type { Check } from "./examine.ts";
import type { Texts } from "./texts-en.ts";

/** What can be seen of where workspaces live. */
export interface AlwaysFacts {
  readonly machines: Reached;
  readonly archives: Reached;
  /** Where who looks after the machines hears of what goes wrong; null: nobody said. */
  readonly administrator: string | null;
}

interface Reached {
  /** `local`, `docker`, `dir`, `s3`. */
  readonly name: string;
  /** What it said of itself; why it cannot be used. */
  readonly said: string | null;
  readonly problem: string | null;
}

/** What is well with them and what is not. */
export function examineAlways(facts: AlwaysFacts, texts: Texts): readonly Check[] {
  const { machines, archives, administrator } = facts;
  // Whoever uses their own computer is the one who looks after it.
  const isUntold = machines.name !== "local" && administrator === null;
  return [
    examineReached("machines", machines, texts),
    examineReached("archives", archives, texts),
    ...(isUntold
      ? [{ name: "workspaces", level: "warn", text: texts.administratorNone } as const]
      : []),
  ];
}

function examineReached(
  what: "machines" | "archives",
  { name, said, problem }: Reached,
  texts: Texts,
): Check {
  if (problem !== null) return { name: what, level: "bad", text: texts.placeBad(name, problem) };
  return { name: what, level: "ok", text: texts.placeOk(name, said ?? "") };
}
