import type { Host, NodeHost, NodePart } from "../../kernel/host.ts";
import { provide, provideOnce, type Provision } from "../../kernel/port.ts";
import { cached } from "../../platform/cached.ts";
import { sleep } from "../../platform/clock.ts";
import { busyTimes, calendarMark } from "../notifications/index.ts";
import { calendarController } from "./controller.ts";
import { busyTimesIn, marks } from "./marks.ts";
import { calendarConnectors, calendarSettings, callTime } from "./ports.ts";

/** A send reads its owner's busy times at most this often. */
const busyMs = 1_000;

export function calendarsProvide({ clock, ledger }: Host): readonly Provision[] {
  const limit = (ms: number): AbortSignal => {
    const controller = new AbortController();
    clock.after(ms, () => controller.abort());
    return controller.signal;
  };
  return [
    provideOnce(calendarMark, marks),
    provideOnce(busyTimes, () => cached(clock, busyMs, busyTimesIn(ledger))),
    provide(callTime, () => ({ pause: (ms) => sleep(clock, ms), limit })),
  ];
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
