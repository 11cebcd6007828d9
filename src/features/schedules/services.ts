import type { Host, NodeHost, NodePart } from "../../kernel/host.ts";
import { add, provide, type Provision } from "../../kernel/port.ts";
import { dayNumbers } from "../notifications/index.ts";
import { failureNotices, runHooks } from "../tasks/index.ts";
import { scheduler } from "./controller.ts";
import { noticesAfterFailures } from "./explain.ts";
import { scheduleRuns } from "./run-hook.ts";

export function schedulesProvide(host: Host): readonly Provision[] {
  return [
    add(runHooks, () => scheduleRuns(host.ledger)),
    provide(failureNotices, () => noticesAfterFailures),
  ];
}

export function schedulesOnNode(host: NodeHost): NodePart {
  return { services: [host.run(scheduler({ ...host, numbers: host.use(dayNumbers) }))] };
}
