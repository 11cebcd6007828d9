import { inboxOf } from "../../features/notifications/routing.ts";
import type { ScheduleKind } from "../../features/schedules/kind.ts";
import type { Body } from "../../kernel/shape.ts";
import type { Random } from "../../platform/random.ts";
import type { Cadence } from "../../time/cadence.ts";
import { chance, intBelow, pick } from "../chance.ts";
import { monthlyCadence } from "./month-cadences.ts";
import type { Scale } from "./scale.ts";
import { targets } from "./targets.ts";

interface Drawing {
  name: string;
  owner: string;
  random: Random;
  /** How many it drew: no two names are alike. */
  count: number;
  scale: Scale;
}

/** A world lasts a minute: so they come by the second. */
export const minGapMs = 1_000;
/** The name of the only task that is run. */
export const jobName = "job";

/** Something that runs again and again: each cadence and policy occurs. */
export function drawSchedule(drawing: Drawing, now: number): Body<ScheduleKind> {
  const { random, owner, scale } = drawing;
  const inbox = inboxOf(owner);
  // In a month nobody listens to an inbox.
  const isMonth = scale.name === "month";
  const target = pick(random, isMonth ? targets : [...targets, inbox, inbox]);
  return {
    name: drawName(drawing),
    cadence: drawCadence(drawing, now),
    whenText: "then",
    run: { task: jobName, input: { fails: pick(random, [0, 0, 0.5, 1]) } },
    notify: isMonth && chance(random, 0.8) ? "never" : pick(random, policies),
    target,
    origin: target,
    misfire: pick(random, ["latest", "latest", "all", "none"]),
    overlap: pick(random, ["skip", "skip", "queue", "cancel", "allow"]),
    rerun: chance(random, 0.3),
    timeoutMs: 8_000 * scale.stretch,
    notifyAfterFailures: pick(random, [0, 1, 2, 3]),
    disableAfterFailures: pick(random, [0, 0, 2, 4]),
    ...(chance(random, 0.2) ? { budget: { runsPerDay: 1 + intBelow(random, 4) } } : {}),
  };
}

/** What an edit makes of it. */
export function drawChanges(drawing: Drawing, now: number): Partial<Body<ScheduleKind>> {
  const { random } = drawing;
  drawing.count += 1;
  return pick<Partial<Body<ScheduleKind>>>(random, [
    { name: drawName(drawing) },
    { cadence: drawCadence(drawing, now) },
    { overlap: pick(random, ["skip", "queue", "cancel"]) },
    { misfire: pick(random, ["latest", "all", "none"]) },
    { rerun: chance(random, 0.5) },
  ]);
}

const policies = ["always", "conditional", "never"] as const;

function drawName({ name, count }: Drawing): string {
  return `${name} makes ${count}`;
}

function drawCadence({ random, scale }: Drawing, now: number): Cadence {
  if (scale.name === "month") return monthlyCadence(random, now);
  const zone = pick(random, ["UTC", "Asia/Seoul", "Australia/Lord_Howe"]);
  const expressions = ["*/5 * * * * *", "*/15 * * * * *", "3,4,20,50 * * * * *"] as const;
  const rules = ["FREQ=MINUTELY;COUNT=2", "FREQ=MINUTELY"] as const;
  return pick<Cadence>(random, [
    {
      type: "interval",
      everyMs: pick(random, [4_000, 7_000, 15_000, 25_000]),
      anchor: now - intBelow(random, 5_000),
    },
    { type: "cron", expression: pick(random, expressions), zone },
    { type: "once", at: now + 1 + intBelow(random, 30_000) },
    { type: "rrule", rule: pick(random, rules), start: now + intBelow(random, 20_000), zone },
  ]);
}
