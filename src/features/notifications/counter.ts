import { defineKind, type Kind } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf, EditOf } from "../../kernel/unit.ts";
import { idFrom } from "../../platform/ids.ts";

/** Numbers that are given out in blocks, each once: `task-20260207-001`. In the system's own book. */
export interface CounterKind {
  name: "counter";
  body: { name: string; next: number };
  outcome: null;
  live: "kept";
  end: "cancelled";
}

export const counterKind: Kind<CounterKind> = defineKind({
  name: "counter",
  states: { kept: [] },
});

/** What is numbered day by day. */
export type Numbered = "task" | "msg";

/** What is taken at once: the rest of a block whose taker goes away is never given out. */
export const blockSize = 100;
/** Whoever has used many of a day's takes more at once, so that nobody waits for numbers all the time. */
const blockSizeMax = 2_000;
const digitsMin = 3;

/** `task-20260207-001`, for a day like `2026-02-07`. After 999 it goes on with four digits. */
export function labelOf(what: Numbered, day: string, number: number): string {
  return `${counterName(what, day)}-${String(number).padStart(digitsMin, "0")}`;
}

export function counterId(what: Numbered, day: string): string {
  return idFrom(`counter:${counterName(what, day)}`);
}

/** The counter of a day that has none. Numbers begin at 1. */
export function makeCounter(what: Numbered, day: string): DraftOf<CounterKind> {
  const body = { name: counterName(what, day), next: 1 };
  return { kind: "counter", id: counterId(what, day), body, state: "kept" };
}

/** The next block is taken, by one who has used so many: refused as `stale` when somebody else took it. */
export function takesBlock(
  { id, revision, body }: LedgerRecord<CounterKind>,
  used: number,
): EditOf<CounterKind> & { body: CounterKind["body"] } {
  const next = body.next + Math.min(Math.max(used, blockSize), blockSizeMax);
  return { kind: "counter", id, ifRevision: revision, body: { ...body, next } };
}

function counterName(what: Numbered, day: string): string {
  return `${what}-${day.replaceAll("-", "")}`;
}
