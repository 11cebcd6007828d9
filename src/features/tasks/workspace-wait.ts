import type { Claimed } from "../../kernel/record.ts";
import type { Follows } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { emptyOutcome, sameAttempt, type TaskKind } from "./kind.ts";

type Task = Claimed<TaskKind>;

/** What was seen of the workspace that a task is to run in. */
export type PlaceSeen =
  | { readonly place: "up"; readonly id: string }
  /** What has to be written so that it comes up, and wakes the task then. */
  | { readonly place: "down"; readonly name: string; readonly follows: Follows }
  /** No more may run now. */
  | { readonly place: "full"; readonly reason: string }
  /** It will not come up by itself. */
  | { readonly place: "never"; readonly reason: string };

export type PlaceWait = PlaceSeen & { place: "down" | "full" };

/** The workspace wakes the task when it runs; this is the net under that. */
const upCheckMs = 60_000;
/** Nobody is woken when a place becomes free: it may be another owner's. */
const fullCheckMs = 15_000;

/** It waits for its place as a record: nothing waits in a process, and no attempt is counted. */
export function awaitsPlace(record: Task, seen: PlaceWait, facts: Facts): Verdict<TaskKind> {
  const isFull = seen.place === "full";
  const waitMs = isFull ? fullCheckMs : upCheckMs;
  return {
    state: "pending",
    wakeAt: facts.now + Math.round(waitMs * (0.5 + facts.jitter / 2)),
    freshStart: true,
    outcome: sameAttempt(record, record.outcome ?? emptyOutcome),
    note: isFull ? seen.reason : `it waits until the workspace '${seen.name}' runs`,
    // What is being cancelled asks for nothing any more.
    ...(isFull || record.cancelling ? {} : { follows: seen.follows }),
  };
}
