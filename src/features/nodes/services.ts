import { claimable, type Host, type NodeHost, type NodePart } from "../../kernel/host.ts";
import { add, provide, type Provision } from "../../kernel/port.ts";
import { service, type Service } from "../../platform/service.ts";
import { chores, planChores, pruneOld } from "./chore.ts";
import { nodeController } from "./controller.ts";
import { heartbeat } from "./heartbeat.ts";
import { metrics } from "./metrics.ts";
import { pauseReader } from "./pause.ts";
import { unpausedWork } from "./paused-work.ts";
import {
  choreRegistry,
  keepMs,
  monitor,
  nodeMetrics,
  nodeSilenceMs,
  processGone,
} from "./ports.ts";

export function nodesProvide(host: Host): readonly Provision[] {
  const { ledger, clock } = host;
  return [
    provide(claimable, () => (work) => unpausedWork(work, pauseReader(ledger, clock), clock)),
    add(choreRegistry, () => pruneOld(ledger, () => host.use(keepMs))),
  ];
}

const choresAtOnce = 4;

export function nodesOnNode(host: NodeHost): NodePart {
  const { ledger, events } = host;
  const known = host.use(choreRegistry);
  const heartbeats = heartbeat({ ...host, beat: () => host.use(monitor) });
  const counted = metrics(events, ledger.work);
  return {
    services: [
      planned(() => planChores(ledger, known)),
      nodeController(ledger, host, {
        ...host.runtime,
        self: host.self,
        silenceMs: host.use(nodeSilenceMs),
        isGone: host.use(processGone),
      }),
      host.run(chores(known), { concurrency: choresAtOnce }),
      heartbeats,
    ],
    provides: [provide(nodeMetrics, () => counted)],
    reloadSettings: () => heartbeats.wake(),
  };
}

function planned(plan: () => Promise<void>): Service {
  return service({ start: plan, stop: () => Promise.resolve() });
}
