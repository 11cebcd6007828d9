import { appendFileSync, readFileSync } from "node:fs";
import { inParts, plainPieces, type Part } from "../../adapters/channels/parts.ts";
import { plainProfile } from "../../features/accounts/profile.ts";
import type { Channel } from "../../features/notifications/channel.ts";
import { deliverer } from "../../features/notifications/controller.ts";
import { makeNotification, type NotificationKind } from "../../features/notifications/kind.ts";
import type { Sent } from "../../features/notifications/receipt.ts";
import type { Events } from "../../kernel/events.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import { runController } from "../../kernel/runtime.ts";
import { systemClock } from "../../platform/clock.ts";
import { bus } from "../../platform/event-bus.ts";
import { seededRandom } from "../../platform/random.ts";
import type { Service } from "../../platform/service.ts";
import { startedAt, withSteps, type Arrival, type OnStep } from "./node.ts";

const quiet = { from: "22:00", to: "08:00" };
const hourMs = 3_600_000;

/** One of each kind: short, in parts with a failure between, at most once, undeliverable, and two for a digest. */
export async function fillNotifications(ledger: Ledger): Promise<void> {
  const append = (owner: string, target: string, more: Partial<NotificationKind["body"]>) => {
    const message = `${owner} to ${target}`;
    const body = { message, at: startedAt, atText: "now", target, origin: target, ...more };
    return ledger.of(owner, owner).append(makeNotification(body));
  };
  await append("bob", "file:short", {});
  await append("bob", "file:once", { atMostOnce: true });
  await append("bob", "file:parts", {
    message: "this text is so long that it does not fit into one part and goes in two",
  });
  await append("bob", "nowhere:at-all", {});
  await append("ann", "file:quiet", { message: "first for the digest" });
  await append("ann", "file:quiet", { message: "second for the digest" });
}

/** A node that sends notifications to a file, one after another. */
export function notificationNode(ledger: Ledger, logPath: string, onStep: OnStep): Service {
  const clock = systemClock();
  const events = bus<Events>();
  const profile = (owner: string): Promise<Profile> =>
    Promise.resolve({ ...plainProfile, quiet: owner === "ann" ? quiet : null });
  const ports = { work: withSteps(ledger.work, onStep), clock, random: seededRandom(1), events };
  const delivery = deliverer({ channels: [toFile(logPath, onStep)], clock, ledger, profile });
  const one = { concurrency: 1, laneShare: 1 }; // so that the steps have the same order each time
  const options = { holder: `node-${process.pid}`, leaseMs: hourMs, pollMs: 5, ...one };
  return runController(delivery, ports, options);
}

function toFile(logPath: string, onStep: OnStep): Channel {
  const send = (part: Part): Sent => {
    onStep("before a send");
    // The second part of the long message fails once: the retry continues from there.
    const isSecond = part.address === "parts" && part.part === 2;
    if (isSecond && !part.maybeRepeat && !hasFailed(logPath)) {
      appendFileSync(logPath, `${failure}\n`);
      return { result: "retry", reason: "not now" };
    }
    const { id } = part.fullMessage;
    const arrival: Arrival = {
      id,
      part: part.part,
      text: part.text,
      maybeRepeat: part.maybeRepeat,
    };
    appendFileSync(logPath, `${JSON.stringify(arrival)}\n`);
    onStep("sent");
    return { result: "delivered", receipt: part.part };
  };
  return {
    name: "file",
    send: inParts(plainPieces({ sizeMax: 60 }), (part) => Promise.resolve(send(part))),
  };
}

const failure = `{"failed":true}`;

function hasFailed(logPath: string): boolean {
  return linesOf(logPath).includes(failure);
}

function linesOf(logPath: string): readonly string[] {
  return readFileSync(logPath, "utf8").split("\n").filter(Boolean);
}

export function arrivalsIn(logPath: string): readonly Arrival[] {
  return linesOf(logPath)
    .filter((line) => line !== failure)
    .map((line) => JSON.parse(line) as Arrival);
}
