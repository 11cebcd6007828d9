import * as z from "zod";
import { about } from "../../platform/settings/about.ts";
import { httpUrl } from "../../platform/settings/forms.ts";
import { target } from "../accounts/index.ts";
import type { Budget } from "./kind.ts";
import { settingInputs } from "./operations/inputs.ts";
import { length, lengthForm, onlyOneTime, recurs } from "./settings-times.ts";

/** The workspace that it runs in. */
const workspace = { in: z.string().min(1).max(100).exactOptional() };

/** One value, so that only one of them can be set. */
const run = z.union([
  z.strictObject({
    command: z.array(z.string().min(1)).min(1),
    cwd: z.string().min(1).exactOptional(),
    ...workspace,
  }),
  z.strictObject({ task: z.string().min(1), input: z.json().exactOptional(), ...workspace }),
  z.strictObject({ http: httpUrl, ...workspace }),
  z.strictObject({ agent: z.string().trim().min(1), ...workspace }),
]);

const failures = z.int().min(0).max(1_000);
const countForm = "a whole number from 1";
const costForm = "a number over 0";

const budget = z.strictObject({
  runsPerDay: z.int().min(1).exactOptional().register(about, {
    summary: "The most runs in a day.",
    write: countForm,
  }),
  costPerDay: z.number().gt(0).exactOptional().register(about, {
    summary: "The most that its runs may cost in a day.",
    write: costForm,
  }),
  turnsPerRun: z.int().min(1).exactOptional().register(about, {
    summary: "The most turns of an agent in a run.",
    write: countForm,
  }),
  costPerRun: z.number().gt(0).exactOptional().register(about, {
    summary: "The most that a run of an agent may cost.",
    write: costForm,
  }),
} satisfies Record<keyof Budget, z.ZodType>);

/** The input of `schedule_create` under the names of the file, and the owner. */
const entry = z.strictObject({
  owner: z.string().min(1).max(256).default("me").register(about, {
    summary: "The owner of the schedule. Default: me.",
    write: "the name of an owner",
  }),
  name: z.string().trim().min(1).max(100).exactOptional().register(about, {
    summary: "Its name. Default: its key here.",
    write: "a name of at most 100 characters",
  }),
  ...recurs,
  run: run.register(about, {
    summary: "What it runs.",
    write:
      '{ command: [./backup.sh] }, { task: NAME, input: {} }, { http: URL } or { agent: "a goal" }, with in: WORKSPACE to run in one',
  }),
  target: target.exactOptional().register(about, {
    summary: "The target of its output. Default: the owner's home or inbox.",
    write: "a target like ntfy:my-topic",
  }),
  notify: settingInputs.notify.unwrap().default("always").register(about, {
    summary: "Whether the output of a run is sent. Default: always.",
    write: '"always", "conditional" (when it begins with [NOTIFY]) or "never"',
  }),
  misfire: settingInputs.misfire.unwrap().default("latest").register(about, {
    summary: "Which missed times run. Default: latest.",
    write: '"latest", "all" or "none"',
  }),
  overlap: settingInputs.overlap.unwrap().default("skip").register(about, {
    summary: "What happens while the previous run is still active. Default: skip.",
    write: '"skip", "queue", "cancel" or "allow"',
  }),
  rerun: settingInputs.rerun.unwrap().default(false).register(about, {
    summary: "Whether a run that a crash interrupted is repeated. Default: false.",
    write: "true or false",
  }),
  timeout: length.exactOptional().register(about, {
    summary: "How long a run may take. Default: the timeout of its task, or 10m.",
    write: lengthForm,
  }),
  notifyAfterFailures: failures.default(3).register(about, {
    summary: "Failures in a row before the owner is notified; 0 is never. Default: 3.",
    write: "a whole number from 0 to 1000",
  }),
  disableAfterFailures: failures.default(5).register(about, {
    summary: "Failures in a row before it is disabled; 0 is never. Default: 5.",
    write: "a whole number from 0 to 1000",
  }),
  budget: budget.exactOptional().register(about, { summary: "Limits of its runs." }),
  adopt: z.boolean().default(false).register(about, {
    summary: "Whether changes made elsewhere stay until the schedule changes here. Default: false.",
    write: "true or false",
  }),
});

/** A schedule in the file, under a key. */
const schedule = entry.check(...onlyOneTime);

/** Declared schedules by name: created, changed and deleted to match the file. */
export const scheduleSettings = z
  .record(z.string().regex(/^[\w.-]{1,100}$/), schedule)
  .default({})
  .register(about, {
    summary: "Declared schedules by name: created, changed and deleted to match this file.",
    write: "a name of letters, digits, dots and dashes, with its keys under it",
  });

export type SchedulesOption = z.input<typeof scheduleSettings>;
