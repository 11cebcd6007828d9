import type { Foreseen } from "../features/book/index.ts";
import { handlerRuns } from "../features/events/index.ts";
import { nagController } from "../features/nags/index.ts";
import { type Pause, unpausedWork } from "../features/nodes/index.ts";
import { type Channel, deliverer, socketQueue } from "../features/notifications/index.ts";
import {
  scheduler,
  type ScheduleKind,
  scheduleKind,
  scheduleRuns,
  slotTask,
} from "../features/schedules/index.ts";
import { taskController, type Runner } from "../features/tasks/index.ts";
import type { RuntimePorts } from "../kernel/controller.ts";
import type { Events } from "../kernel/events.ts";
import { is } from "../kernel/kind.ts";
import type { Ledger } from "../kernel/ledger.ts";
import type { Profile } from "../kernel/profile.ts";
import type { LedgerRecord } from "../kernel/record.ts";
import { runController } from "../kernel/runtime.ts";
import { parseTarget } from "../kernel/target.ts";
import { bus } from "../platform/event-bus.ts";
import { seededRandom } from "../platform/random.ts";
import { group } from "../platform/service.ts";
import type { VirtualTime } from "../platform/virtual-time.ts";
import type { Planned } from "./simulated-book.ts";

const dayMs = 86_400_000;
const yearMs = 366 * dayMs;

/** Takes a line of the simulation, with the time zone of its record if that has one. */
export type See = (line: Omit<Foreseen, "at" | "dayHours">, zone?: string) => void;

/** The real controllers over that book, with channels that send nothing and runners that run nothing. */
export function simulatedNode(
  parts: { ledger: Ledger; time: VirtualTime; profile: Profile; pauses: readonly Pause[] },
  records: readonly Planned[],
  see: See,
): ReturnType<typeof group> {
  const { ledger, time, profile, pauses } = parts;
  const { clock } = time;
  const random = seededRandom(1);
  // A pause does not end early in a simulation: paused work is claimed again when the pause expires.
  const recheck = { kindMs: yearMs, recordMs: yearMs };
  const work = unpausedWork(ledger.work, () => Promise.resolve(pauses), clock, recheck);
  const ports: RuntimePorts = { work, clock, random, events: bus<Events>() };
  // No hint is lost in a simulation, so that polls can be rare.
  const options = { holder: "simulation", leaseMs: 60_000, pollMs: dayMs };
  // Concurrent nags would be refused each other's minutes.
  const nagOptions = { ...options, concurrency: 1 };
  const reader = (): Promise<Profile> => Promise.resolve(profile);
  const names = new Set(records.flatMap(targetsOf).map((target) => parseTarget(target).channel));
  const zones = new Map(records.map((each) => [each.id, zoneOf(each)]));
  const seeInZone: See = (line) => see(line, zones.get(line.id));
  const channels = Array.from(names, (name) => inert(name, seeInZone));
  const delivery = deliverer({ channels, clock, ledger, profile: reader });
  const runners = new Set(
    records.flatMap((each) => (is(scheduleKind, each) ? [nameOf(each)] : [])),
  );
  const hooks = [scheduleRuns(ledger), handlerRuns({ ledger })];
  return group([
    runController(delivery, ports, options),
    runController({ ...delivery, queue: socketQueue }, ports, options),
    runController(scheduler({ ledger, profile: reader }), ports, options),
    runController(nagController({ ledger, profile: reader }), ports, nagOptions),
    ...Array.from(runners, (name) => {
      const runs = taskController(idle(name, seeInZone), { ledger, clock, profile: reader, hooks });
      return runController(runs, ports, options);
    }),
  ]);
}

function targetsOf({ kind, body }: Planned): readonly string[] {
  if (kind === "page") return [];
  const escalated = kind === "nag" ? body.curve.escalate?.target : undefined;
  return [body.target, ...(escalated === undefined ? [] : [escalated])];
}

function nameOf(record: LedgerRecord<ScheduleKind>): string {
  return slotTask(record, { at: 0, because: "cadence" }).body.name;
}

function zoneOf({ kind, body }: Planned): string | undefined {
  if (kind === "nag") return body.zone;
  return "cadence" in body && "zone" in body.cadence ? body.cadence.zone : undefined;
}

function inert(name: string, see: See): Channel {
  return {
    name,
    async send({ id, text, address, type, follows = id }) {
      // The notification of a nag is not in the real book.
      const shown = type === "nag" ? follows : id;
      see({ what: "say", text, target: `${name}:${address}`, id: shown });
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
