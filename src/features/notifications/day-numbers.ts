import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { hasCode } from "../../platform/errors.ts";
import { systemOwner } from "../nodes/node.ts";
import {
  counterId,
  labelOf,
  makeCounter,
  takesBlock,
  type Numbered,
  type CounterKind,
  counterKind,
} from "./counter.ts";

/** Gives out numbers of a day, each once over all nodes. Some are never given out: whoever had them went away. */
export interface Numbers {
  take(what: Numbered, day: string): Promise<number>;
  /** `task-20260207-001` */
  label(what: Numbered, day: string): Promise<string>;
}

interface Block {
  next: number;
  end: number;
  /** How many were given out of it and of those before it. */
  used: number;
}

/** Days of which a block is kept: wherever on Earth its owner is, an older one does not come back. */
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
      const edit = takesBlock(counter, used);
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
      // All who need one meanwhile wait for the same block.
      const coming = refilling.get(name) ?? refill(what, day);
      refilling.set(name, coming);
      await coming.finally(() => refilling.delete(name));
    }
  };
  return { take, label: async (what, day) => labelOf(what, day, await take(what, day)) };
}
