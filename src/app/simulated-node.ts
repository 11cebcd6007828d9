import type { Foreseen } from "../features/book/index.ts";
import { handlerRuns } from "../features/events/index.ts";
import { nagController } from "../features/nags/index.ts";
import { type Pause, unpausedWork } from "../features/nodes/index.ts";
import {
  type Channel,
  deliverer,
  type Hold,
  membersOf,
  type NotificationKind,
  notificationKind,
  type Outlook,
  pauseHold,
  sendHold,
  socketQueue,
} from "../features/notifications/index.ts";
import { scheduler, scheduleKind, scheduleRuns, slotTask } from "../features/schedules/index.ts";
import { taskController, taskKind, type Job, type Runner } from "../features/tasks/index.ts";
import { recordOf } from "../kernel/book.ts";
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
import { runningWorkspaces, taskText } from "./simulated-task.ts";

const dayMs = 86_400_000;
const yearMs = 366 * dayMs;

type Line = Omit<Foreseen, "at" | "dayHours">;

/** Takes a line of the simulation, with the time zone of its record if that has one. */
export type See = (line: Line, zone?: string) => void;

/** What held a line back until now, if it was due before. */
type HoldOf = (
  due: number,
  holdAt: (at: number, outlook: Outlook) => Hold | undefined,
) => Hold | undefined;

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
  const holdOf = holdsUntilNow(time, { profile, pauses });
  const messages = (id: string, owner: string) => messagesOf(ledger, owner, id);
  const channels = Array.from(names, (name) => inert(name, { see: seeInZone, holdOf, messages }));
  const delivery = deliverer({ channels, clock, ledger, profile: reader });
  const runners = new Set(records.flatMap(runnersOf));
  const texts = new Map(
    records.flatMap((each) => (is(taskKind, each) ? [[each.id, taskText(each)]] : [])),
  );
  const textOf = ({ id, slot }: Job, name: string) => texts.get(id) ?? slot?.name ?? name;
  const hooks = [scheduleRuns(ledger), handlerRuns({ ledger })];
  return group([
    runController(delivery, ports, options),
    runController({ ...delivery, queue: socketQueue }, ports, options),
    runController(scheduler({ ledger, profile: reader }), ports, options),
    runController(nagController({ ledger, profile: reader }), ports, nagOptions),
    ...Array.from(runners, (name) => {
      const runs = taskController(idle(name, { see: seeInZone, holdOf, textOf }), {
        ledger,
        clock,
        profile: reader,
        hooks,
        workspaces: runningWorkspaces,
      });
      return runController(runs, ports, options);
    }),
  ]);
}

function targetsOf({ kind, body }: Planned): readonly string[] {
  if (kind === "page") return [];
  const escalated = kind === "nag" ? body.curve.escalate?.target : undefined;
  return [body.target, ...(escalated === undefined ? [] : [escalated])];
}

/** The names of its runners. */
function runnersOf(record: Planned): readonly string[] {
  if (is(taskKind, record)) return [record.body.name];
  return is(scheduleKind, record)
    ? [slotTask(record, { at: 0, because: "cadence" }).body.name]
    : [];
}

function zoneOf({ kind, body }: Planned): string | undefined {
  if (kind === "nag") return body.zone;
  return "cadence" in body && "zone" in body.cadence ? body.cadence.zone : undefined;
}

interface Inert {
  readonly see: See;
  readonly holdOf: HoldOf;
  /** The notification, or those that a digest sends. */
  messages(id: string, owner: string): Promise<readonly LedgerRecord<NotificationKind>[]>;
}

function inert(name: string, { see, holdOf, messages }: Inert): Channel {
  return {
    name,
    async send({ id, owner, address, text }) {
      const target = `${name}:${address}`;
      for (const record of await messages(id, owner)) {
        const hold = holdOf(record.body.at, (at, outlook) => heldSend(record, at, outlook));
        // The notification of a nag is not in the real book.
        const { type, message } = record.body;
        const shown = type === "nag" ? (record.parent ?? record.id) : record.id;
        see({ what: "say", text: record.id === id ? text : message, target, id: shown, hold });
      }
      return { result: "delivered", receipt: "simulated" };
    },
  };
}

/** What holds the notification back, or the nag that sends it. */
function heldSend(
  record: LedgerRecord<NotificationKind>,
  at: number,
  outlook: Outlook,
): Hold | undefined {
  const held = sendHold(record, at, outlook);
  if (held !== undefined || record.body.type !== "nag") return held;
  return pauseHold({ kind: "nag", owner: record.owner, lane: null }, at, outlook);
}

async function messagesOf(
  ledger: Ledger,
  owner: string,
  id: string,
): Promise<readonly LedgerRecord<NotificationKind>[]> {
  const book = ledger.of(owner, owner);
  const record = await recordOf(book, notificationKind, id);
  if (record === undefined) return [];
  const members = record.body.type === "digest" ? membersOf(record) : undefined;
  if (members === undefined) return [record];
  const found = await Promise.all(members.map((each) => recordOf(book, notificationKind, each)));
  return found.flatMap((each) => each ?? []);
}

function holdsUntilNow(
  { now }: VirtualTime,
  { profile, pauses }: { profile: Profile; pauses: readonly Pause[] },
): HoldOf {
  const { quiet, zone } = profile;
  return (due, holdAt) => {
    const at = now();
    if (due >= at) return undefined;
    const outlook = { ...profile, quiet, ownZone: zone, pauses, now: at };
    const hold = holdAt(at - 1, outlook);
    return hold?.until === at ? hold : undefined;
  };
}

interface Idle extends Pick<Inert, "see" | "holdOf"> {
  textOf(job: Job, name: string): string;
}

function idle(name: string, { see, holdOf, textOf }: Idle): Runner {
  return {
    name,
    async run(job) {
      const { slot, target, id, owner } = job;
      const hold = holdOf(
        slot?.at ?? Infinity,
        (at, outlook) =>
          pauseHold({ kind: "schedule", owner, lane: null }, at, outlook) ??
          pauseHold({ kind: "task", owner, lane: null }, at, outlook),
      );
      see({ what: "run", text: textOf(job, name), target, id: slot?.schedule ?? id, hold });
      return { result: "completed" };
    },
  };
}
