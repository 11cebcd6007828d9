import { appendFileSync } from "node:fs";
import { plainProfile } from "../../features/accounts/profile.ts";
import type { Channel } from "../../features/notifications/channel.ts";
import { deliverer } from "../../features/notifications/controller.ts";
import type { Controller, RuntimePorts } from "../../kernel/controller.ts";
import type { Events } from "../../kernel/events.ts";
import type { Ledger, Work } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import { runController } from "../../kernel/runtime.ts";
import type { Shape } from "../../kernel/shape.ts";
import { systemClock, type Clock } from "../../platform/clock.ts";
import { bus } from "../../platform/event-bus.ts";
import { seededRandom } from "../../platform/random.ts";
import type { Service } from "../../platform/service.ts";

/** A send, as the process that may be killed logs it before any other part can know of it. */
export interface Arrival {
  readonly id: string;
  readonly part: number;
  readonly text: string;
  readonly maybeRepeat: boolean;
}

/** Called before and after each durable step. */
export type OnStep = (step: string) => void;

/** Half a minute before ann's quiet hours end. */
export const startedAt = Date.UTC(2027, 0, 15, 7, 59, 30);
/** Shorter than the time between two due records: a dead node's record is free before the next one is due. */
export const leaseMs = 60_000;

/** The parts that the controllers of a node share. */
export interface NodeParts {
  readonly parts: {
    readonly ledger: Ledger;
    readonly clock: Clock;
    profile(owner: string): Promise<Profile>;
  };
  /** Sends every notification to a file. */
  readonly delivery: ReturnType<typeof deliverer>;
  /** Runs a controller, one record after another. With a name, its calls to the ledger are steps. */
  run<K extends Shape, Seen>(controller: Controller<K, Seen>, name?: string): Service;
}

export function nodeParts(ledger: Ledger, logPath: string, onStep: OnStep): NodeParts {
  const clock = systemClock();
  const profile = (): Promise<Profile> => Promise.resolve(plainProfile);
  const parts = { ledger, clock, profile };
  const { work } = ledger;
  const ports: RuntimePorts = { work, clock, random: seededRandom(1), events: bus<Events>() };
  const one = { concurrency: 1, laneShare: 1, leaseMs, pollMs: 5 };
  const options = { holder: `node-${process.pid}`, ...one };
  return {
    parts,
    delivery: deliverer({ channels: [toFile(logPath, onStep)], ...parts }),
    run(controller, name) {
      const steps = name && { work: withSteps(work, (step) => onStep(`${name}: ${step}`)) };
      return runController(controller, { ...ports, ...steps }, options);
    },
  };
}

/** Reports each claim that returns records, and each write. */
export function withSteps(work: Work, onStep: OnStep): Work {
  return {
    ...work,
    async claim(request) {
      const claim = await work.claim(request);
      if (claim.records.length > 0) onStep("claimed");
      return claim;
    },
    async keep(units) {
      onStep("before a keep");
      const kept = await work.keep(units);
      onStep("kept");
      return kept;
    },
    async write(part) {
      onStep("before a write");
      const written = await work.write(part);
      onStep("written");
      return written;
    },
    async settle(units) {
      onStep("before a settle");
      const settled = await work.settle(units);
      onStep("settled");
      return settled;
    },
  };
}

function toFile(logPath: string, onStep: OnStep): Channel {
  return {
    name: "file",
    async send({ id, text, maybeRepeat }) {
      onStep("before a send");
      const arrival: Arrival = { id, part: 1, text, maybeRepeat };
      appendFileSync(logPath, `${JSON.stringify(arrival)}\n`);
      onStep("sent");
      return { result: "delivered", receipt: { messageId: text } };
    },
  };
}
