import { createRequire } from "node:module";
import * as z from "zod";
import { settingInputs, whenInputs } from "../operations/schedules/inputs.ts";
import type { Budget } from "../rules/again/schedule.ts";
import type * as Cadences from "../rules/cadence.ts";
import { readLength } from "../rules/cadence/length.ts";
import { about } from "./about.ts";
import { httpUrl, zone, zoneForm } from "./forms.ts";
import { target } from "./owner.ts";
import { isTree } from "./tree.ts";

/** Some moment: whether a text can be read does not depend on which. */
const someTime = 1_800_000_000_000;

/** Loaded for a file that has schedules: every command reads the settings, and most run without. */
function cadences(): typeof Cadences {
  const extension = import.meta.url.slice(-3);
  return createRequire(import.meta.url)(`../rules/cadence${extension}`) as typeof Cadences;
}

const someLook = { now: someTime, zone: "UTC", language: "en" } as const;

/**
 * Times that come again: once is asked for by a reminder, and would be over at the next start. Whether a rule that ends
 * still comes depends on the day, and is looked at when the schedule is made.
 */
function comesAgain(cadence: Cadences.Cadence): boolean {
  if (cadence.type === "rrule") return true;
  cadences().checkCadence(cadence, someTime, 0);
  return cadence.type !== "once";
}

const when = z
  .string()
  .refine((text) => works(() => comesAgain(cadences().readWhen(text, someLook).cadence)));

const cadence = whenInputs.cadence
  .unwrap()
  .refine((asked) => works(() => comesAgain(cadences().readCadence(asked, someLook))));

const length = settingInputs.timeout.unwrap().refine((text) => works(() => readLength(text) > 0));

function works(read: () => boolean): boolean {
  try {
    return read();
  } catch {
    return false;
  }
}

/** One value, so that only one of them can be said. */
const run = z.union([
  z.strictObject({
    command: z.array(z.string().min(1)).min(1),
    cwd: z.string().min(1).exactOptional(),
  }),
  z.strictObject({ task: z.string().min(1), input: z.json().exactOptional() }),
  z.strictObject({ http: httpUrl }),
  z.strictObject({ agent: z.string().trim().min(1) }),
]);

const failures = z.int().min(0).max(1_000);
const wholeForm = "a whole number from 1";
const costForm = "a number over 0";

const budget = z.strictObject({
  runsPerDay: z.int().min(1).exactOptional().register(about, {
    words: "How often it may run in one day.",
    write: wholeForm,
  }),
  costPerDay: z.number().gt(0).exactOptional().register(about, {
    words: "What its runs may cost in one day.",
    write: costForm,
  }),
  turnsPerRun: z.int().min(1).exactOptional().register(about, {
    words: "How many turns an agent may take in a run.",
    write: wholeForm,
  }),
  costPerRun: z.number().gt(0).exactOptional().register(about, {
    words: "What one run of an agent may cost.",
    write: costForm,
  }),
} satisfies Record<keyof Budget, z.ZodType>);

/** What `schedule_create` takes, as the file names it, and whose it is. */
const entry = z.strictObject({
  owner: z.string().min(1).max(256).default("me").register(about, {
    words: "Whose it is.",
    write: "the name of an owner",
  }),
  name: z.string().trim().min(1).max(100).exactOptional().register(about, {
    words: "What it is called; as its key here, unless said.",
    write: "a name of at most 100 characters",
  }),
  when: when.exactOptional().register(about, {
    words: "When it runs, in words or as a cron line.",
    write: 'a time that comes again, like "weekdays 08:30", "every 2h" or "0 3 * * *"',
  }),
  cadence: cadence.exactOptional().register(about, {
    words: "When it runs, as data, instead of in words.",
    write:
      '{ type: cron, expression: "0 3 * * *" }, { type: interval, every: 2h } or { type: rrule, rule: FREQ=DAILY }',
  }),
  timezone: zone.exactOptional().register(about, {
    words: "The time zone it is meant in; the owner's, unless said.",
    write: zoneForm,
  }),
  run: run.register(about, {
    words: "What runs.",
    write:
      '{ command: [./backup.sh] }, { task: NAME, input: {} }, { http: URL } or { agent: "a goal" }',
  }),
  target: target.exactOptional().register(about, {
    words: "Where what it says goes; the owner's home or inbox, unless said.",
    write: "a target like ntfy:my-topic",
  }),
  notify: settingInputs.notify.unwrap().default("always").register(about, {
    words: "Whether what a run says is told.",
    write: '"always", "conditional" (when it begins with [NOTIFY]) or "never"',
  }),
  misfire: settingInputs.misfire.unwrap().default("latest").register(about, {
    words: "What runs of the times that nobody could run.",
    write: '"latest", "all" or "none"',
  }),
  overlap: settingInputs.overlap.unwrap().default("skip").register(about, {
    words: "What happens while the run before is at work.",
    write: '"skip", "queue", "cancel" or "allow"',
  }),
  rerun: settingInputs.rerun.unwrap().default(false).register(about, {
    words: "Whether a run that a crash cut off is made again.",
    write: "true or false",
  }),
  timeout: length.exactOptional().register(about, {
    words: "How long a run may take; 10m or what its task says, unless said.",
    write: 'a length of time like "10m", or seconds',
  }),
  notifyAfterFailures: failures.default(3).register(about, {
    words: "Failures in a row until the owner is told; 0 for never.",
    write: "a whole number from 0 to 1000",
  }),
  disableAfterFailures: failures.default(5).register(about, {
    words: "Failures in a row until it is disabled; 0 for never.",
    write: "a whole number from 0 to 1000",
  }),
  budget: budget.exactOptional().register(about, { words: "What its runs may use." }),
  adopt: z.boolean().default(false).register(about, {
    words: "Whether what was changed elsewhere stays, until it is changed here.",
    write: "true or false",
  }),
});

/** Told beside what else is wrong, and not only once that is right. */
const always = ({ value }: { value: unknown }): boolean => isTree(value);

/** A schedule that is set down in the file, under a key. */
const schedule = entry
  .refine((one) => one.when !== undefined || one.cadence !== undefined, {
    path: ["when"],
    when: always,
  })
  .refine((one) => one.when === undefined || one.cadence === undefined, {
    path: ["cadence"],
    when: always,
    params: { says: 'says when, as "when" does: keep one of them' },
  });

/** Schedules that are made, changed and taken away as the file says, by name. */
export const schedules = z
  .record(z.string().regex(/^[\w.-]{1,100}$/), schedule)
  .default({})
  .register(about, {
    words: "Schedules that are as this file says, by name.",
    write: "a name of letters, digits, dots and dashes, and what belongs to it under it",
  });

export type SchedulesOption = z.input<typeof schedules>;
