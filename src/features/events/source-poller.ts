import type { NodeHost } from "../../kernel/host.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { messageOf } from "../../platform/errors.ts";
import { loop, type Loop } from "../../platform/loop.ts";
import { group, type Service } from "../../platform/service.ts";
import { homeOwner } from "../accounts/index.ts";
import { eventSources, type OwnedSource } from "./ports.ts";
import { planSources, sourceController } from "./source-controller.ts";

/** The store may answer the next time. */
const retryMs = 5_000;

/** Runs a controller for each source that is set up; a wake reads whether that has changed. */
export function sourcePoller(host: NodeHost): Loop {
  const { ledger, clock, log } = host;
  const home = host.use(homeOwner);
  let known: readonly OwnedSource[] | undefined;
  let running: Service = group([]);
  const around = loop({
    clock,
    async pass() {
      const wanted = host.use(eventSources);
      if (wanted === known) return Infinity;
      await running.stop();
      await plan(ledger, wanted, home);
      running = group(
        wanted.map(({ source, interest }) =>
          host.run(sourceController(source, { clock, home, ...interest }), { concurrency: 1 }),
        ),
      );
      await running.start();
      known = wanted;
      return Infinity;
    },
    failed(error) {
      log.warn("sources.failed", { reason: messageOf(error) });
      return retryMs;
    },
  });
  return {
    start: around.start,
    wake: around.wake,
    async stop() {
      await around.stop();
      await running.stop();
      known = undefined;
    },
  };
}

/** A source that is no longer set up is found in the book of the home owner, and of those who still have some. */
async function plan(ledger: Ledger, wanted: readonly OwnedSource[], home: string): Promise<void> {
  for (const owner of new Set([home, ...wanted.map((each) => each.owner)])) {
    const own = wanted
      .filter((each) => each.owner === owner)
      .map(({ source, everyMs }) => ({ name: source.name, everyMs }));
    await planSources(ledger.of(owner, "config"), owner, own);
  }
}
