import type { Events } from "../../kernel/events.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import type { Bus } from "../../platform/event-bus.ts";
import { loop } from "../../platform/loop.ts";
import { service, type Service } from "../../platform/service.ts";
import {
  healthOf,
  sampleEveryMs,
  type Condition,
  type HealthLimits,
  type Load,
  type Sample,
} from "./health.ts";

/** How this machine is. */
export interface HealthWatch extends Service {
  /** As it is now. Its reason is that of its last turn: numbers that change all the time are no news. */
  now(): Condition;
}

interface HealthOptions {
  clock: Clock;
  events: Bus<Events>;
  /** As they are set now. */
  limits(): HealthLimits;
  measure(): Promise<Load>;
}

/** Measures the machine again and again, the first time before it has started. */
export function healthWatch({ clock, events, limits, measure }: HealthOptions): HealthWatch {
  let sample: Sample | undefined;
  let seen: Condition | undefined;
  let isFailing = false;
  let hasJustLooked = false;

  const now = (): Condition => {
    const fresh = healthOf(sample, limits(), clock.wall(), seen?.health);
    const before = seen;
    if (before !== undefined && isSame(before, fresh)) return before;
    seen = fresh;
    if ((before?.health ?? "green") !== fresh.health) {
      const { health: to, reason } = fresh;
      events.emit("health turned", { from: before?.health ?? "green", to, reason });
    }
    return fresh;
  };
  const look = async (): Promise<number> => {
    const load = await measure();
    sample = { ...load, at: clock.wall() };
    isFailing = false;
    now();
    return sampleEveryMs;
  };
  const failed = (error: unknown): number => {
    if (!isFailing) events.emit("health unknown", { reason: messageOf(error) });
    isFailing = true;
    now();
    return sampleEveryMs;
  };
  const pass = async (): Promise<number> => {
    if (!hasJustLooked) return look();
    hasJustLooked = false;
    return sampleEveryMs;
  };
  const looking = loop({ clock, pass, failed });
  const parts = service({
    async start() {
      await look().catch(failed);
      hasJustLooked = true;
      await looking.start();
    },
    stop: () => looking.stop(),
  });
  return { ...parts, now };
}

/** The same, for the same causes, whatever their numbers are by now. */
function isSame(one: Condition, other: Condition): boolean {
  const causes = ({ overloads: strains }: Condition): string =>
    strains.map(({ what }) => what).join();
  return one.health === other.health && causes(one) === causes(other);
}
