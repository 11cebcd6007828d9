import { appendFileSync } from "node:fs";
import { systemClock } from "../../base/clock.ts";
import { bus } from "../../base/events.ts";
import { seededRandom } from "../../base/random.ts";
import { group, type Service } from "../../base/service.ts";
import type { Channel } from "../../channels/channel.ts";
import { deliverer } from "../../controllers/deliverer.ts";
import { nagger } from "../../controllers/nagger.ts";
import { runController, type RuntimePorts } from "../../controllers/runtime.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { plainProfile, type Profile } from "../../ledger/profiles.ts";
import type { Events } from "../../rules/events.ts";
import type { Curve } from "../../rules/until/curve.ts";
import { makeNag } from "../../rules/until/nag.ts";
import { makePage } from "../../rules/until/page.ts";
import { startedAt, watched, type Arrival, type AtMoment } from "./node.ts";

const minuteMs = 60_000;
/** Short beside the time between two of them: what a dead node had is free before the next one comes. */
export const leaseMs = minuteMs;
const hour = { count: 1, unit: "hours" } as const;
const hourly: Curve = { base: hour, factor: 1, cap: hour };

/** How often each is said before it rests. */
export const timesOf: Readonly<Record<string, number>> = { "pay the rent": 2, "a page": 2 };

/** One about a text and one about a page, so that no two are said at once; each rests after two. */
export async function fillNags(ledger: Ledger): Promise<void> {
  const book = ledger.of("bob", "bob");
  const ask = async (name: string, about: { text: string } | { page: string }, at: number) => {
    const curve = { ...hourly, countMax: timesOf[name] ?? NaN };
    const asked = { about, curve, curveName: "test", at, atText: "then" };
    const target = "file:me";
    const draft = makeNag({ ...asked, target, origin: target }, { owner: "bob", quiet: null });
    await book.append({ ...draft, id: name });
  };
  await ask("pay the rent", { text: "pay the rent" }, startedAt + 10 * minuteMs);
  await book.append(makePage("bob", { pageId: "p", title: "a page", body: "" }));
  await ask("a page", { page: "p" }, startedAt + 40 * minuteMs);
}

/** A node that says them, one after another. */
export function nagsNode(ledger: Ledger, notes: string, at: AtMoment): Service {
  const clock = systemClock();
  const events = bus<Events>();
  const profile = (): Promise<Profile> => Promise.resolve(plainProfile);
  const ports: RuntimePorts = { work: ledger.work, clock, random: seededRandom(1), events };
  const seen = (what: string): RuntimePorts => {
    return { ...ports, work: watched(ledger.work, (moment) => at(`${what}: ${moment}`)) };
  };
  const one = { concurrency: 1, laneShare: 1, leaseMs, pollMs: 5 };
  const options = { holder: `node-${process.pid}`, ...one };
  const says = deliverer({ channels: [toFile(notes, at)], clock, ledger, profile });
  return group([
    runController(nagger({ ledger, profile }), seen("nag"), options),
    runController(says, seen("notification"), options),
  ]);
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
