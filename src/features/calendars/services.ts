import type { Host, NodeHost, NodePart } from "../../kernel/host.ts";
import { provide, type Provision } from "../../kernel/port.ts";
import { sleep } from "../../platform/clock.ts";
import { calendarController } from "./controller.ts";
import { calendarConnectors, calendarSettings, callTime } from "./ports.ts";

export function calendarsProvide({ clock }: Host): readonly Provision[] {
  const limit = (ms: number): AbortSignal => {
    const controller = new AbortController();
    clock.after(ms, () => controller.abort());
    return controller.signal;
  };
  return [provide(callTime, () => ({ pause: (ms) => sleep(clock, ms), limit }))];
}

/** Each calendar of this node waits for changes all the time. */
const calendarsAtOnce = 1_000;

export function calendarsOnNode(host: NodeHost): NodePart {
  const controller = calendarController({
    ...host,
    connectors: () => host.use(calendarConnectors),
    pollMs: () => host.use(calendarSettings).pollMs,
  });
  return { services: [host.run(controller, { concurrency: calendarsAtOnce })] };
}
