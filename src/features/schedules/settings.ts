import * as z from "zod";
import { about } from "../../platform/settings/about.ts";
import { httpUrl } from "../../platform/settings/forms.ts";
import { target } from "../accounts/index.ts";
import type { Budget } from "./kind.ts";
import { settingInputs } from "./operations/inputs.ts";
import { length, lengthForm, onlyOneTime, recurs } from "./settings-times.ts";

/** The workspace that it runs in. */
const place = { in: z.string().min(1).max(100).exactOptional() };

/** One value, so that only one of them can be said. */
const run = z.union([
  z.strictObject({
    command: z.array(z.string().min(1)).min(1),
    cwd: z.string().min(1).exactOptional(),
    ...place,
  }),
  z.strictObject({ task: z.string().min(1), input: z.json().exactOptional(), ...place }),
  z.strictObject({ http: httpUrl, ...place }),
  z.strictObject({ agent: z.string().trim().min(1), ...place }),
]);

const failures = z.int().min(0).max(1_000);
const wholeForm = "a whole number from 1";
const costForm = "a number over 0";

const budget = z.strictObject({
  runsPerDay: z.int().min(1).exactOptional().register(about, {
    summary: "How often it may run in one day.",
    write: wholeForm,
  }),
  costPerDay: z.number().gt(0).exactOptional().register(about, {
    summary: "What its runs may cost in one day.",
    write: costForm,
  }),
  turnsPerRun: z.int().min(1).exactOptional().register(about, {
    summary: "How many turns an agent may take in a run.",
    write: wholeForm,
  }),
  costPerRun: z.number().gt(0).exactOptional().register(about, {
    summary: "What one run of an agent may cost.",
    write: costForm,
  }),
} satisfies Record<keyof Budget, z.ZodType>);

/** What `schedule_create` takes, as the file names it, and whose it is. */
const entry = z.strictObject({
  owner: z.string().min(1).max(256).default("me").register(about, {
    summary: "Whose it is.",
    write: "the name of an owner",
  }),
  name: z.string().trim().min(1).max(100).exactOptional().register(about, {
    summary: "What it is called; as its key here, unless said.",
    write: "a name of at most 100 characters",
  }),
  ...recurs,
  run: run.register(about, {
    summary: "What runs.",
    write:
      '{ command: [./backup.sh] }, { task: NAME, input: {} }, { http: URL } or { agent: "a goal" }, each with in: WORKSPACE if it runs in one',
  }),
  target: target.exactOptional().register(about, {
    summary: "Where what it says goes; the owner's home or inbox, unless said.",
    write: "a target like ntfy:my-topic",
  }),
  notify: settingInputs.notify.unwrap().default("always").register(about, {
    summary: "Whether what a run says is told.",
    write: '"always", "conditional" (when it begins with [NOTIFY]) or "never"',
  }),
  misfire: settingInputs.misfire.unwrap().default("latest").register(about, {
    summary: "What runs of the times that nobody could run.",
    write: '"latest", "all" or "none"',
  }),
  overlap: settingInputs.overlap.unwrap().default("skip").register(about, {
    summary: "What happens while the run before is at work.",
    write: '"skip", "queue", "cancel" or "allow"',
  }),
  rerun: settingInputs.rerun.unwrap().default(false).register(about, {
    summary: "Whether a run that a crash cut off is made again.",
    write: "true or false",
  }),
  timeout: length.exactOptional().register(about, {
    summary: "How long a run may take; 10m or what its task says, unless said.",
    write: lengthForm,
  }),
  notifyAfterFailures: failures.default(3).register(about, {
    summary: "Failures in a row until the owner is told; 0 for never.",
    write: "a whole number from 0 to 1000",
  }),
  disableAfterFailures: failures.default(5).register(about, {
    summary: "Failures in a row until it is disabled; 0 for never.",
    write: "a whole number from 0 to 1000",
  }),
  budget: budget.exactOptional().register(about, { summary: "What its runs may use." }),
  adopt: z.boolean().default(false).register(about, {
    summary: "Whether what was changed elsewhere stays, until it is changed here.",
    write: "true or false",
  }),
});

/** A schedule that is set down in the file, under a key. */
const schedule = entry.check(...onlyOneTime);

/** Schedules that are made, changed and taken away as the file says, by name. */
export const scheduleSettings = z
  .record(z.string().regex(/^[\w.-]{1,100}$/), schedule)
  .default({})
  .register(about, {
    summary: "Schedules that are as this file says, by name.",
    write: "a name of letters, digits, dots and dashes, and what belongs to it under it",
  });

export type SchedulesOption = z.input<typeof scheduleSettings>;
