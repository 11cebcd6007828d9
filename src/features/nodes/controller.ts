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
import { takeOver, type IsProcessGone } from "./takeover.ts";

interface NodesOptions extends RuntimeOptions {
  self: Body<NodeKind>;
  /** A node that was silent for this long is lost. */
  silenceMs: number;
  isGone: IsProcessGone;
}

/**
 * Tracks the running nodes. A node writes a record of itself that comes due when the node falls silent: while it runs,
 * it moves the wake time ahead (a move writes no history). Any node claims a due record, and ends it as lost.
 */
export function nodeController(
  ledger: Ledger,
  ports: RuntimePorts,
  options: NodesOptions,
): Service {
  const { isGone, self } = options;
  const { events } = ports;
  return group([
    service({
      start: () => takeOver({ ledger, events, name: self.name, isGone }),
      stop: () => Promise.resolve(),
    }),
    presence(ledger, ports, options),
    runController(lostNodes(ports), ports, { ...options, concurrency: 4 }),
  ]);
}

function lostNodes(ports: RuntimePorts): Controller<NodeKind, null> {
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

  /** The name is held, so that a repeated call after a lost response writes no second record. */
  const register = async (wakeAt: number): Promise<string> => {
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
    // Not registered at the first beat, or after a silence in which another node ended the record.
    const isRegistered = id !== undefined && (moved > 0 || (await book.get(id))?.endedAt === null);
    if (!isRegistered) id = await register(wakeAt);
    return silenceMs / 4;
  };
  const beats = loop({
    clock,
    pass: beat,
    failed(error) {
      events.emit("store failed", {
        doing: "report that this node is alive",
        reason: messageOf(error),
      });
      return silenceMs / 16;
    },
  });
  return service({
    async start() {
      await beat();
      await beats.start();
    },
    async stop() {
      await beats.stop();
      if (id !== undefined)
        await book.edit({ kind: "node", id, ends: "stopped" }).catch(() => undefined);
    },
  });
}
