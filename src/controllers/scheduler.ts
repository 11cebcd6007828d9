import { hasCode } from "../base/errors.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { plainProfile, type Profile } from "../ledger/profiles.ts";
import { recordsIn } from "../ledger/records.ts";
import { decideSlots, needsRuns, type SlotsSeen } from "../rules/again/slots.ts";
import { decideWatch, isWatch } from "../rules/again/watch.ts";
import type { NoticeReader } from "../rules/once/undeliverable.ts";
import type { Claimed } from "../rules/record.ts";
import type { Controller } from "./controller.ts";

interface SchedulerOptions {
  ledger: Ledger;
  /** Where an owner's days begin and end. */
  profile(owner: string): Promise<Profile>;
}

/** With how its owner reads: who waits for a ping is told that none came. */
type Seen = SlotsSeen & NoticeReader;

/** Turns the slots of schedules into tasks: the cursor and what it has passed are one unit. */
export function scheduler({ ledger, profile }: SchedulerOptions): Controller<"schedule", Seen> {
  const look = async (record: Claimed<"schedule">): Promise<Omit<Seen, "held">> => {
    const { budget, cadence } = record.body;
    const asksForZone = budget !== undefined && !("zone" in cadence);
    const asks = asksForZone || isWatch(record);
    const { zone, language } = asks ? await profile(record.owner) : plainProfile;
    return { zone, language, live: needsRuns(record) ? await liveRuns(ledger, record) : undefined };
  };
  return {
    name: "scheduler",
    kind: "schedule",
    act: async (record) => ({ ...(await look(record)), held: [] }),
    decide: (record, seen, facts) =>
      isWatch(record) ? decideWatch(record, seen, facts) : decideSlots(record, facts, seen),
    async lookAgain(record, seen, refused) {
      const { name } = refused.details;
      if (!hasCode(refused, "held") || typeof name !== "string") {
        return { ...(await look(record)), held: seen.held };
      }
      return { ...seen, held: [...seen.held, name] };
    },
  };
}

async function liveRuns(ledger: Ledger, { owner, by, id }: Claimed<"schedule">): Promise<string[]> {
  const live = recordsIn(ledger.of(owner, by), { kind: "task", parent: id, live: true });
  return Array.fromAsync(live, (run) => run.id);
}
