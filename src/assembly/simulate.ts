import { DaybookError } from "../base/errors.ts";
import { bus } from "../base/events.ts";
import { seededRandom } from "../base/random.ts";
import { group } from "../base/service.ts";
import { virtualTime } from "../base/virtual-time.ts";
import type { Channel } from "../channels/channel.ts";
import { deliverer } from "../controllers/deliverer.ts";
import { runController, type RuntimePorts } from "../controllers/runtime.ts";
import { scheduler } from "../controllers/scheduler.ts";
import { tasks } from "../controllers/tasks.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Profile } from "../ledger/profiles.ts";
import type { Foreseen, Simulate } from "../operations/operation.ts";
import { slotTask } from "../rules/again/slot.ts";
import type { Events } from "../rules/events.ts";
import { socketQueue } from "../rules/once/notification.ts";
import type { LedgerRecord } from "../rules/record.ts";
import { parseTarget } from "../rules/target.ts";
import { inZone } from "../rules/zone.ts";
import type { Runner } from "../runners/runner.ts";
import { copyOf, plannedIn, type Planned } from "./simulated-book.ts";

const sweepMax = 10_000;
const spanMsMax = 366 * 86_400_000;
const dayMs = 86_400_000;
const sweepMs = 3_600_000;

/**
 * What would be said and run: the owner's schedules and messages in a book of their own, where the real
 * controllers do their work in virtual time, nothing is sent and nothing runs. Watches are left out: whether
 * somebody pings cannot be known.
 */
export async function simulate(
  ledger: Ledger,
  owner: string,
  { from, to, profile, limit }: Parameters<Simulate>[1],
): ReturnType<Simulate> {
  if (to <= from)
    throw new DaybookError("invalid", "It ends before it begins: swap the two times.");
  if (to - from > spanMsMax) {
    throw new DaybookError("too_large", "That is over a year: choose a shorter time.");
  }
  const records = await plannedIn(ledger.of(owner, owner));
  const time = virtualTime(from);
  const lines: Foreseen[] = [];
  const seen = (line: Omit<Foreseen, "at" | "dayHours">, zone = profile.zone): void => {
    if (lines.length > limit) return;
    lines.push({ ...line, at: time.now(), dayHours: dayHours(time.now(), zone) });
  };
  const copy = await copyOf(records, { owner, from, now: time.now });
  const running = controllers({ ledger: copy, time, profile }, records, seen);
  await running.start();
  const sweep = (): void => {
    time.clock.after(sweepMs, sweep);
    void copy.work.prune({ endedBefore: time.now(), limit: sweepMax }); // what was seen slows the rest down
  };
  sweep();
  await time.runUntil(to, () => lines.length > limit);
  return { lines: lines.slice(0, limit), isCut: lines.length > limit };
}

type See = (line: Omit<Foreseen, "at" | "dayHours">, zone?: string) => void;

function controllers(
  parts: { ledger: Ledger; time: ReturnType<typeof virtualTime>; profile: Profile },
  records: readonly Planned[],
  see: See,
): ReturnType<typeof group> {
  const { ledger, time, profile } = parts;
  const { clock } = time;
  const random = seededRandom(1);
  const ports: RuntimePorts = { work: ledger.work, clock, random, events: bus<Events>() };
  // Nothing is lost here: a look for lost hints is seldom enough.
  const options = { holder: "simulation", leaseMs: 60_000, pollMs: dayMs };
  const reader = (): Promise<Profile> => Promise.resolve(profile);
  const targets = records.map(({ body }) => parseTarget(body.target).channel);
  const channels = [...new Set(targets)].map((name) => inert(name, see));
  const says = deliverer({ channels, clock, ledger, profile: reader });
  const names = new Set(
    records.flatMap((each) => (each.kind === "schedule" ? [nameOf(each)] : [])),
  );
  const zones = new Map(records.map((each) => [each.id, zoneOf(each)]));
  return group([
    runController(says, ports, options),
    runController({ ...says, queue: socketQueue }, ports, options),
    runController(scheduler({ ledger, profile: reader }), ports, options),
    ...Array.from(names, (name) => {
      const runner = idle(name, (line) => see(line, zones.get(line.id)));
      return runController(tasks(runner, { ledger, clock, profile: reader }), ports, options);
    }),
  ]);
}

function nameOf(record: LedgerRecord<"schedule">): string {
  return slotTask(record, { at: 0, because: "cadence" }).body.name;
}

function zoneOf({ body }: Planned): string | undefined {
  return "cadence" in body && "zone" in body.cadence ? body.cadence.zone : undefined;
}

function inert(name: string, see: See): Channel {
  return {
    name,
    async send({ id, text, address }) {
      see({ what: "say", text, target: `${name}:${address}`, id });
      return { result: "delivered", receipt: "simulated" };
    },
  };
}

function idle(name: string, see: See): Runner {
  return {
    name,
    async run({ slot, target, id }) {
      see({ what: "run", text: slot?.name ?? name, target, id: slot?.schedule ?? id });
      return { result: "completed" };
    },
  };
}

/** A day on which the clocks change has more or fewer hours than others. */
function dayHours(at: number, zone: string): number | null {
  const { hoursInDay } = inZone(at, zone);
  return hoursInDay === 24 ? null : hoursInDay;
}
