import type { NodeHost } from "../../kernel/host.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { messageOf } from "../../platform/errors.ts";
import { loop, type Loop } from "../../platform/loop.ts";
import { group, type Service } from "../../platform/service.ts";
import { homeOwner } from "../accounts/index.ts";
import { eventSources, type OwnedSource } from "./ports.ts";
import { planSources, sourceController } from "./source-controller.ts";

/** The store may answer at the next try. */
const retryMs = 5_000;

/** Runs a controller for each configured source; a wake checks whether the settings have changed. */
export function sourcePoller(host: NodeHost): Loop {
  const { ledger, clock, log } = host;
  const home = host.use(homeOwner);
  let current: readonly OwnedSource[] | undefined;
  let running: Service = group([]);
  const around = loop({
    clock,
    async pass() {
      const configured = host.use(eventSources);
      if (configured === current) return Infinity;
      await running.stop();
      await plan(ledger, configured, home);
      running = group(
        configured.map(({ source, filter }) =>
          host.run(sourceController(source, { clock, home, ...filter }), { concurrency: 1 }),
        ),
      );
      await running.start();
      current = configured;
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
      current = undefined;
    },
  };
}

/** Sources that were removed from the settings are found in the books of the home owner and of owners with sources. */
async function plan(
  ledger: Ledger,
  configured: readonly OwnedSource[],
  home: string,
): Promise<void> {
  for (const owner of new Set([home, ...configured.map((each) => each.owner)])) {
    const own = configured
      .filter((each) => each.owner === owner)
      .map(({ source, everyMs }) => ({ name: source.name, everyMs }));
    await planSources(ledger.of(owner, "config"), owner, own);
  }
}
