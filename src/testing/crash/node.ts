import { appendFileSync, readFileSync } from "node:fs";
import { inParts, plainPieces, type Part } from "../../adapters/channels/parts.ts";
import { plainProfile } from "../../features/accounts/profile.ts";
import type { Channel } from "../../features/notifications/channel.ts";
import { deliverer } from "../../features/notifications/controller.ts";
import { makeNotification, type NotificationKind } from "../../features/notifications/kind.ts";
import type { Sent } from "../../features/notifications/receipt.ts";
import type { Events } from "../../kernel/events.ts";
import type { Ledger, Work } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import { runController } from "../../kernel/runtime.ts";
import { systemClock } from "../../platform/clock.ts";
import { bus } from "../../platform/event-bus.ts";
import { seededRandom } from "../../platform/random.ts";
import type { Service } from "../../platform/service.ts";

/** What a process that may be killed writes down of each send, before anybody can know of it. */
export interface Arrival {
  readonly id: string;
  readonly part: number;
  readonly text: string;
  readonly maybeRepeat: boolean;
}

/** Called before and after each durable step. */
export type AtMoment = (moment: string) => void;

/** Half a minute before ann's quiet hours end. */
export const startedAt = Date.UTC(2027, 0, 15, 7, 59, 30);
const quiet = { from: "22:00", to: "08:00" };
const leaseMs = 3_600_000;

/** One of everything: short, in parts with a failure between, at most once, nowhere, and two for a digest. */
export async function fill(ledger: Ledger): Promise<void> {
  const ask = (owner: string, target: string, more: Partial<NotificationKind["body"]>) => {
    const message = `${owner} to ${target}`;
    const body = { message, at: startedAt, atText: "now", target, origin: target, ...more };
    return ledger.of(owner, owner).append(makeNotification(body));
  };
  await ask("bob", "file:short", {});
  await ask("bob", "file:once", { atMostOnce: true });
  await ask("bob", "file:parts", {
    message: "this text is so long that it does not fit into one part and goes in two",
  });
  await ask("bob", "nowhere:at-all", {});
  await ask("ann", "file:quiet", { message: "first for the digest" });
  await ask("ann", "file:quiet", { message: "second for the digest" });
}

/** A node that says one thing after another to a file, over a ledger. */
export function crashNode(ledger: Ledger, sends: string, at: AtMoment): Service {
  const clock = systemClock();
  const events = bus<Events>();
  const profile = (owner: string): Promise<Profile> =>
    Promise.resolve({ ...plainProfile, quiet: owner === "ann" ? quiet : null });
  const ports = { work: watched(ledger.work, at), clock, random: seededRandom(1), events };
  const says = deliverer({ channels: [toFile(sends, at)], clock, ledger, profile });
  const one = { concurrency: 1, laneShare: 1 }; // so that the moments come in the same order each time
  return runController(says, ports, { holder: `node-${process.pid}`, leaseMs, pollMs: 5, ...one });
}

/** The claims that hand out something, and everything that is written. */
export function watched(work: Work, at: AtMoment): Work {
  return {
    ...work,
    async claim(request) {
      const claim = await work.claim(request);
      if (claim.records.length > 0) at("claimed");
      return claim;
    },
    async keep(units) {
      at("before a keep");
      const kept = await work.keep(units);
      at("kept");
      return kept;
    },
    async write(part) {
      at("before a write");
      const written = await work.write(part);
      at("written");
      return written;
    },
    async settle(units) {
      at("before a settle");
      const settled = await work.settle(units);
      at("settled");
      return settled;
    },
  };
}

function toFile(sends: string, at: AtMoment): Channel {
  const say = (part: Part): Sent => {
    at("before a send");
    // The second part of the long one fails once: a retry goes on from there.
    const isSecond = part.address === "parts" && part.part === 2;
    if (isSecond && !part.maybeRepeat && !wasTried(sends)) {
      appendFileSync(sends, `${tried}\n`);
      return { result: "retry", reason: "not now" };
    }
    const { id } = part.whole;
    const arrival: Arrival = {
      id,
      part: part.part,
      text: part.text,
      maybeRepeat: part.maybeRepeat,
    };
    appendFileSync(sends, `${JSON.stringify(arrival)}\n`);
    at("sent");
    return { result: "delivered", receipt: part.part };
  };
  return {
    name: "file",
    send: inParts(plainPieces({ sizeMax: 60 }), (part) => Promise.resolve(say(part))),
  };
}

const tried = `{"tried":true}`;

function wasTried(sends: string): boolean {
  return linesOf(sends).includes(tried);
}

function linesOf(sends: string): readonly string[] {
  return readFileSync(sends, "utf8").split("\n").filter(Boolean);
}

export function arrivalsIn(sends: string): readonly Arrival[] {
  return linesOf(sends)
    .filter((line) => line !== tried)
    .map((line) => JSON.parse(line) as Arrival);
}
