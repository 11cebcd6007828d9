import {
  type EventFilter,
  type PollResult,
  planSources,
  sourceController,
  type Source,
  type SourceKind,
} from "../features/events/index.ts";
import type { Controller } from "../kernel/controller.ts";
import type { Ledger } from "../kernel/ledger.ts";
import { messageOf } from "../platform/errors.ts";
import { loop, type Loop } from "../platform/loop.ts";
import type { PlatformPorts } from "../platform/ports.ts";
import { group, type Service } from "../platform/service.ts";
import { self } from "./self.ts";

/** Something that is asked what happened, and in whose book that is written. */
export interface SourceHere {
  readonly source: Source;
  readonly owner: string;
  readonly everyMs: number;
  readonly interest: EventFilter;
}

interface SourcingOptions extends PlatformPorts {
  ledger: Ledger;
  /** The same list as long as nothing has changed. */
  current(): readonly SourceHere[];
  run(controller: Controller<SourceKind, PollResult>): Service;
}

/** The store may answer the next time. */
const againMs = 5_000;

/** Asks what is set up to be asked. A wake looks whether that has changed. */
export function sourcing({ ledger, clock, log, current, run }: SourcingOptions): Loop {
  let request: readonly SourceHere[] | undefined;
  let running: Service = group([]);
  const around = loop({
    clock,
    async pass() {
      const wanted = current();
      if (wanted === request) return Infinity;
      await running.stop();
      await plan(ledger, wanted);
      running = group(
        wanted.map(({ source, interest }) =>
          run(sourceController(source, { clock, home: self.owner, ...interest })),
        ),
      );
      await running.start();
      request = wanted;
      return Infinity;
    },
    failed(error) {
      log.warn("sources.failed", { reason: messageOf(error) });
      return againMs;
    },
  });
  return {
    start: around.start,
    wake: around.wake,
    async stop() {
      await around.stop();
      await running.stop();
      request = undefined;
    },
  };
}

/** What is asked no more is found in the books of the installation's owner, and of those who still have some. */
async function plan(ledger: Ledger, wanted: readonly SourceHere[]): Promise<void> {
  for (const owner of new Set([self.owner, ...wanted.map((each) => each.owner)])) {
    const own = wanted
      .filter((each) => each.owner === owner)
      .map(({ source, everyMs }) => ({ name: source.name, everyMs }));
    await planSources(ledger.of(owner, "config"), owner, own);
  }
}
