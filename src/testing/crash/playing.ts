import { appendFileSync } from "node:fs";
import { plainProfile } from "../../features/accounts/profile.ts";
import type { Channel } from "../../features/notifications/channel.ts";
import { deliverer } from "../../features/notifications/controller.ts";
import type { Controller, RuntimePorts } from "../../kernel/controller.ts";
import type { Events } from "../../kernel/events.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import { runController } from "../../kernel/runtime.ts";
import type { Shape } from "../../kernel/shape.ts";
import { systemClock, type Clock } from "../../platform/clock.ts";
import { bus } from "../../platform/event-bus.ts";
import { seededRandom } from "../../platform/random.ts";
import type { Service } from "../../platform/service.ts";
import { openBook } from "./books.ts";
import { untilNothingIsLeft } from "./deaths.ts";
import { watched, type Arrival, type AtMoment } from "./node.ts";

const minuteMs = 60_000;
/** Short beside the time between two things: what a dead node had is free before the next one comes. */
export const leaseMs = minuteMs;

/** What the controllers of a play are made of, and how they are run: one thing after another. */
export interface Playing {
  readonly parts: {
    readonly ledger: Ledger;
    readonly clock: Clock;
    profile(owner: string): Promise<Profile>;
  };
  /** Says everything to a file. */
  readonly says: ReturnType<typeof deliverer>;
  /** With a name, its own steps are moments to die at. */
  run<K extends Shape, Seen>(controller: Controller<K, Seen>, name?: string): Service;
}

export function playing(ledger: Ledger, notes: string, at: AtMoment): Playing {
  const clock = systemClock();
  const profile = (): Promise<Profile> => Promise.resolve(plainProfile);
  const parts = { ledger, clock, profile };
  const { work } = ledger;
  const ports: RuntimePorts = { work, clock, random: seededRandom(1), events: bus<Events>() };
  const one = { concurrency: 1, laneShare: 1, leaseMs, pollMs: 5 };
  const options = { holder: `node-${process.pid}`, ...one };
  return {
    parts,
    says: deliverer({ channels: [toFile(notes, at)], ...parts }),
    run(controller, name) {
      const dying = name && { work: watched(work, (moment) => at(`${name}: ${moment}`)) };
      return runController(controller, { ...ports, ...dying }, options);
    },
  };
}

function toFile(notes: string, at: AtMoment): Channel {
  return {
    name: "file",
    async send({ id, text, maybeRepeat }) {
      at("before a send");
      const arrival: Arrival = { id, part: 1, text, maybeRepeat };
      appendFileSync(notes, `${JSON.stringify(arrival)}\n`);
      at("sent");
      return { result: "delivered", receipt: { messageId: text } };
    },
  };
}

/** Works in a book until nothing waits in these queues. */
export async function playOut(
  place: string,
  time: Float64Array,
  { node, queues }: { node(ledger: Ledger): Service; queues: readonly string[] },
): Promise<void> {
  const ledger = await openBook(place, time);
  const running = node(ledger);
  await running.start();
  await untilNothingIsLeft(ledger, time, { queues, stepMs: 5 * minuteMs });
  await running.stop();
  await ledger.close();
}
