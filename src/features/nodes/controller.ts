import type { Controller, RuntimePorts } from "../../kernel/controller.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { runController, type RuntimeOptions } from "../../kernel/runtime.ts";
import type { Body } from "../../kernel/shape.ts";
import { storeNow } from "../../kernel/store-clock.ts";
import { hasCode, messageOf } from "../../platform/errors.ts";
import { loop } from "../../platform/loop.ts";
import { group, service, type Service } from "../../platform/service.ts";
import { nodeHold } from "./holds.ts";
import { systemOwner, type NodeKind, nodeKind } from "./node.ts";

interface NodesOptions extends RuntimeOptions {
  self: Body<NodeKind>;
  /** A node that has not been heard of for this long is lost. */
  silenceMs: number;
}

/**
 * Who is alive. A node writes a record of itself that comes due when the node falls silent: while it
 * lives it moves the time ahead (a move writes no history). What comes due is claimed by any node,
 * which writes that this one was lost.
 */
export function nodeController(
  ledger: Ledger,
  ports: RuntimePorts,
  options: NodesOptions,
): Service {
  return group([
    presence(ledger, ports, options),
    runController(mourner(ports), ports, { ...options, concurrency: 4 }),
  ]);
}

function mourner(ports: RuntimePorts): Controller<NodeKind, null> {
  return {
    name: "nodes",
    kind: nodeKind,
    act(record) {
      ports.events.emit("node lost", { name: record.body.name });
      return Promise.resolve(null);
    },
    decide: () => ({ ends: "lost", outcome: { reason: "it fell silent" } }),
  };
}

function presence(ledger: Ledger, ports: RuntimePorts, options: NodesOptions): Service {
  const { work, clock, events } = ports;
  const { self, silenceMs } = options;
  const book = ledger.of(systemOwner, self.name);
  let id: string | undefined;

  /** The name is held, so that an answer that was lost does not make two of us. */
  const enrol = async (wakeAt: number): Promise<string> => {
    const holds = [nodeHold(self.name)];
    const draft = { kind: "node", body: self, state: "running", lane: self.name, holds } as const;
    try {
      return (await book.append({ ...draft, wakeAt })).id;
    } catch (error) {
      if (hasCode(error, "held")) return String(error.details["holder"]);
      throw error;
    }
  };
  const beat = async (): Promise<number> => {
    const wakeAt = (await storeNow(work)) + silenceMs;
    const moved = await work.move({ queue: "node", lane: self.name, to: wakeAt, limit: 1 });
    // The first beat, or we were silent for so long that another called us lost.
    const isKnown = id !== undefined && (moved > 0 || (await book.get(id))?.endedAt === null);
    if (!isKnown) id = await enrol(wakeAt);
    return silenceMs / 4;
  };
  const beating = loop({
    clock,
    pass: beat,
    failed(error) {
      events.emit("store failed", {
        doing: "say that this node is alive",
        reason: messageOf(error),
      });
      return silenceMs / 16;
    },
  });
  return service({
    async start() {
      await beat();
      await beating.start();
    },
    async stop() {
      await beating.stop();
      if (id !== undefined)
        await book.edit({ kind: "node", id, ends: "stopped" }).catch(() => undefined);
    },
  });
}
