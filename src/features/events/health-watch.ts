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

/** Measures the load of this machine. */
export interface HealthWatch extends Service {
  /** The condition now. Its reason is from the last change of health, as the numbers change all the time. */
  now(): Condition;
}

interface HealthOptions {
  clock: Clock;
  events: Bus<Events>;
  /** The limits in the current settings. */
  limits(): HealthLimits;
  measure(): Promise<Load>;
}

/** Measures the machine regularly; the first sample is there when the start resolves. */
export function healthWatch({ clock, events, limits, measure }: HealthOptions): HealthWatch {
  let sample: Sample | undefined;
  let seen: Condition | undefined;
  let isFailing = false;
  let hasJustMeasured = false;

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
  const takeSample = async (): Promise<number> => {
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
    if (!hasJustMeasured) return takeSample();
    hasJustMeasured = false;
    return sampleEveryMs;
  };
  const measuring = loop({ clock, pass, failed });
  const parts = service({
    async start() {
      await takeSample().catch(failed);
      hasJustMeasured = true;
      await measuring.start();
    },
    stop: () => measuring.stop(),
  });
  return { ...parts, now };
}

/** The same health for the same causes, with any numbers. */
function isSame(one: Condition, other: Condition): boolean {
  const causes = ({ overloads }: Condition): string => overloads.map(({ what }) => what).join();
  return one.health === other.health && causes(one) === causes(other);
}
