import type { Host, NodeHost, NodePart } from "../../kernel/host.ts";
import { add, provide, type Provision } from "../../kernel/port.ts";
import { dayNumbers, deliveryHooks } from "../notifications/index.ts";
import { failureNotices, runHooks, waitingHolds } from "../tasks/index.ts";
import { scheduler } from "./controller.ts";
import { noticesAfterFailures } from "./explain.ts";
import { scheduleLimits } from "./ports.ts";
import { scheduleRuns } from "./run-hook.ts";
import { queuedHolds } from "./transfer.ts";
import { scheduleDelivery, undeliverableDefault } from "./undelivered.ts";

export function schedulesProvide(host: Host): readonly Provision[] {
  return [
    add(runHooks, () => scheduleRuns(host.ledger)),
    add(deliveryHooks, () => {
      // The settings may change: the limit is read when it is needed.
      const most = (): number => host.use(scheduleLimits).undeliverableMax ?? undeliverableDefault;
      return scheduleDelivery(host.ledger, most);
    }),
    provide(failureNotices, () => noticesAfterFailures),
    add(waitingHolds, () => queuedHolds),
  ];
}

export function schedulesOnNode(host: NodeHost): NodePart {
  return { services: [host.run(scheduler({ ...host, numbers: host.use(dayNumbers) }))] };
}
