import type { Events } from "../../kernel/events.ts";
import type { Ledger, Work } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { Leased } from "../../kernel/work-unit.ts";
import { hasCode } from "../../platform/errors.ts";
import type { Bus } from "../../platform/event-bus.ts";
import type { ProcessIdentity } from "../../platform/process-identity.ts";
import { type NodeKind, nodeKind, systemOwner } from "./node.ts";

export type IsProcessGone = (pid: number, known: ProcessIdentity) => boolean;

interface TakeoverOptions {
  readonly ledger: Ledger;
  readonly events: Bus<Events>;
  /** The node that takes over. */
  readonly name: string;
  readonly isGone: IsProcessGone;
}

/**
 * Ends the nodes whose process on this machine is gone, and lets their leases lapse now. Then they are claimed as any
 * lapsed lease is: with a higher fence, and as attempts whose result is unknown.
 */
export async function takeOver(options: TakeoverOptions): Promise<void> {
  const { ledger, events, name, isGone } = options;
  const book = ledger.of(systemOwner, name);
  for await (const { id, body } of recordsIn(book, { kind: nodeKind, live: true })) {
    const { pid, process } = body;
    if (process === undefined || !isGone(pid, process)) continue;
    await lapseLeases(ledger.work, body.name);
    try {
      // Last: whoever dies before this leaves it to the next.
      await book.edit<NodeKind>({
        kind: "node",
        id,
        ends: "lost",
        outcome: { reason: "its process is gone" },
      });
      events.emit("node lost", { name: body.name });
    } catch (error) {
      if (!hasCode(error, "ended")) throw error; // another node was faster
    }
  }
}

const pageMax = 500;

/** A claim that comes in between has a newer fence, and keeps its lease. */
async function lapseLeases(work: Work, holder: string): Promise<void> {
  const { queues } = await work.stats();
  for (const { queue } of queues.filter(({ leased }) => leased > 0)) {
    for (let after: string | null | undefined; after !== null;) {
      const { records, next } = await work.inQueue({ queue, after, limit: pageMax });
      const held = records.flatMap(({ id, lease }): Leased[] =>
        lease?.holder === holder ? [{ id, fence: lease.fence }] : [],
      );
      if (held.length > 0) await work.keep(held.map((each) => ({ ...each, leaseMs: 1 })));
      after = next;
    }
  }
}
