import type { Controller } from "../../kernel/controller.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import { hasCode } from "../../platform/errors.ts";
import { dayOf } from "../../time/zone.ts";
import { plainProfile } from "../accounts/index.ts";
import { readNewestPauses } from "../nodes/index.ts";
import type { Numbers, NoticeReader } from "../notifications/index.ts";
import { taskKind } from "../tasks/index.ts";
import type { Labels } from "./handler-slot.ts";
import { type ScheduleKind, scheduleKind } from "./kind.ts";
import { isLate } from "./misfire.ts";
import { decideSlots, labelsNeeded, needsRuns, type SlotFacts } from "./verdict.ts";
import { decideWatch, isWatch } from "./watch.ts";

interface SchedulerOptions {
  ledger: Ledger;
  /** Gives the zone of an owner's days, and the language of notices. */
  profile(owner: string): Promise<Profile>;
  /** Numbers the tasks of handlers; absent: the store gives them ids. */
  numbers?: Numbers;
}

/** The facts, and the language and zone of the owner, who is notified of a missing ping. */
type Seen = SlotFacts & NoticeReader;

/** Turns the slots of schedules into tasks: the cursor and what it has passed are one unit. */
export function scheduler(options: SchedulerOptions): Controller<ScheduleKind, Seen> {
  const { ledger, profile } = options;
  const observe = async (record: Claimed<ScheduleKind>): Promise<Omit<Seen, "held">> => {
    const { budget, cadence } = record.body;
    const needsZone = budget !== undefined && !("zone" in cadence);
    const needsProfile = needsZone || isWatch(record);
    const { zone, language } = needsProfile ? await profile(record.owner) : plainProfile;
    const live = needsRuns(record) ? await liveRuns(ledger, record) : undefined;
    const pauses = isLate(record) ? await readNewestPauses(ledger) : undefined;
    return { zone, language, live, pauses, labels: await labelsFor(record, options) };
  };
  return {
    name: "scheduler",
    kind: scheduleKind,
    act: async (record) => ({ ...(await observe(record)), held: [] }),
    decide: (record, seen, facts) =>
      isWatch(record) ? decideWatch(record, seen, facts) : decideSlots(record, facts, seen),
    async observeAgain(record, seen, refused) {
      const { name } = refused.details;
      if (!hasCode(refused, "held") || typeof name !== "string") {
        return { ...(await observe(record)), held: seen.held };
      }
      return { ...seen, held: [...seen.held, name] };
    },
  };
}

/** Names for a handler's tasks, numbered by the owner's local day. */
async function labelsFor(
  record: Claimed<ScheduleKind>,
  { numbers, profile }: SchedulerOptions,
): Promise<readonly Labels[] | undefined> {
  const needed = labelsNeeded(record);
  if (numbers === undefined || needed === 0) return undefined;
  const { zone } = await profile(record.owner);
  const day = dayOf(record.lease.claimedAt, zone);
  const labels: Labels[] = [];
  while (labels.length < needed) {
    const task = await numbers.label("task", day);
    labels.push({ task, message: await numbers.label("msg", day) });
  }
  return labels;
}

async function liveRuns(
  ledger: Ledger,
  { owner, by, id }: Claimed<ScheduleKind>,
): Promise<string[]> {
  const live = recordsIn(ledger.of(owner, by), { kind: taskKind, parent: id, live: true });
  return Array.fromAsync(live, (run) => run.id);
}
