import * as z from "zod";
import { is, defineKind, type KindOf } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { count } from "../../kernel/schemas.ts";
import type { DraftOf, EditOf } from "../../kernel/unit.ts";
import { hasCode } from "../../platform/errors.ts";
import { idFrom } from "../../platform/ids.ts";
import { systemOwner } from "../nodes/index.ts";

/** Numbers that nodes take in blocks, each once: `task-20260207-001`. In the system's own book. */
export const counterKind = defineKind({
  name: "counter",
  wakeTimeOptional: true,
  body: z.strictObject({ name: z.string(), next: count }),
  outcome: z.null(),
  states: { kept: [] },
});
export interface CounterKind extends KindOf<typeof counterKind> {}

/** The prefixes that are numbered per day. */
export type Numbered = "task" | "msg";

/** Numbers per block: the rest of a block is lost when its node stops. */
export const blockSize = 100;
/** A node that uses many numbers takes larger blocks, and waits less often. */
const blockSizeMax = 2_000;
const digitsMin = 3;

/** `task-20260207-001`, for a day like `2026-02-07`. After 999 it continues with four digits. */
export function labelOf(what: Numbered, day: string, number: number): string {
  return `${counterName(what, day)}-${String(number).padStart(digitsMin, "0")}`;
}

function counterId(what: Numbered, day: string): string {
  return idFrom(`counter:${counterName(what, day)}`);
}

/** A new counter for a day. Numbers start at 1. */
export function makeCounter(what: Numbered, day: string): DraftOf<CounterKind> {
  const body = { name: counterName(what, day), next: 1 };
  return { kind: "counter", id: counterId(what, day), body, state: "kept" };
}

/** Takes the next block for a node that has used so many numbers; `stale` if another node took it. */
function takeBlock(
  { id, revision, body }: LedgerRecord<CounterKind>,
  used: number,
): EditOf<CounterKind> & { body: CounterKind["body"] } {
  const next = body.next + Math.min(Math.max(used, blockSize), blockSizeMax);
  return { kind: "counter", id, ifRevision: revision, body: { ...body, next } };
}

function counterName(what: Numbered, day: string): string {
  return `${what}-${day.replaceAll("-", "")}`;
}

/** Issues the numbers of a day, each once over all nodes. The numbers of a stopped node's block are lost. */
export interface Numbers {
  take(what: Numbered, day: string): Promise<number>;
  /** `task-20260207-001` */
  label(what: Numbered, day: string): Promise<string>;
}

interface Block {
  next: number;
  end: number;
  /** How many were issued from it and from the blocks before it. */
  used: number;
}

/** Days whose blocks are kept: in no time zone is an older day still today. */
const daysKept = 4;

export function numbers(ledger: Ledger): Numbers {
  const book = ledger.of(systemOwner, systemOwner);
  const blocks = new Map<string, Block>();
  const refilling = new Map<string, Promise<void>>();

  const counterOf = async (what: Numbered, day: string): Promise<LedgerRecord<CounterKind>> => {
    const found = await book.get(counterId(what, day));
    if (is(counterKind, found)) return found;
    const { record } = await book.append(makeCounter(what, day));
    return record ?? counterOf(what, day);
  };
  const refill = async (what: Numbered, day: string): Promise<void> => {
    const name = `${what}:${day}`;
    const used = blocks.get(name)?.used ?? 0;
    for (;;) {
      const counter = await counterOf(what, day);
      const edit = takeBlock(counter, used);
      try {
        await book.edit(edit);
        blocks.delete(name);
        blocks.set(name, { next: counter.body.next, end: edit.body.next, used });
        for (const old of [...blocks.keys()].slice(0, -2 * daysKept)) blocks.delete(old);
        return;
      } catch (error) {
        if (!hasCode(error, "stale")) throw error; // another node took that one
      }
    }
  };
  const take = async (what: Numbered, day: string): Promise<number> => {
    const name = `${what}:${day}`;
    for (;;) {
      const block = blocks.get(name);
      if (block !== undefined && block.next < block.end) {
        block.used += 1;
        block.next += 1;
        return block.next - 1;
      }
      // Concurrent callers wait for the same block.
      const coming = refilling.get(name) ?? refill(what, day);
      refilling.set(name, coming);
      await coming.finally(() => refilling.delete(name));
    }
  };
  return { take, label: async (what, day) => labelOf(what, day, await take(what, day)) };
}
