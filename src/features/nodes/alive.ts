import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import { nodeKind, systemOwner } from "./node.ts";
import type { IsProcessGone } from "./takeover.ts";

/** Whether a node works on the book, here or on another machine: it was heard of lately, and its process is not gone. */
export async function isNodeAlive(
  ledger: Ledger,
  { now, isGone }: { now: number; isGone: IsProcessGone },
): Promise<boolean> {
  const book = ledger.of(systemOwner, systemOwner);
  for await (const { body, wakeAt } of recordsIn(book, { kind: nodeKind, live: true })) {
    const { pid, process } = body;
    const isSilent = wakeAt === null || wakeAt <= now;
    if (!isSilent && (process === undefined || !isGone(pid, process))) return true;
  }
  return false;
}
