import { createRequire } from "node:module";
import * as z from "zod";
import type * as Cadences from "../rules/cadence.ts";
import { readLength } from "../rules/cadence/length.ts";
import { about } from "./about.ts";
import { httpUrl, zone, zoneForm } from "./forms.ts";
import { target } from "./owner.ts";

/** Some moment: whether a text can be read does not depend on which. */
const someTime = 1_800_000_000_000;

/** Loaded for a file that has schedules: every command reads the settings, and most run without. */
function cadences(): typeof Cadences {
  const extension = import.meta.url.slice(-3);
  return createRequire(import.meta.url)(`../rules/cadence${extension}`) as typeof Cadences;
}

/** Times that come again: once is asked for by a reminder, and would be over at the next start. */
const when = z.string().refine((text) => {
  return works(() => {
    const { readWhen, checkCadence } = cadences();
    const { cadence } = readWhen(text, { now: someTime, zone: "UTC", language: "en" });
    checkCadence(cadence, someTime, 0);
    return cadence.type !== "once";
  });
});

const length = z.string().refine((text) => works(() => readLength(text) > 0));

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

/** A schedule that is set down in the file, by its name. */
const schedule = z.strictObject({
  owner: z.string().min(1).max(256).default("me").register(about, {
    words: "Whose it is.",
    write: "the name of an owner",
  }),
  when: when.register(about, {
    words: "When it runs, in words or as a cron line.",
    write: 'a time that comes again, like "weekdays 08:30", "every 2h" or "0 3 * * *"',
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
  notify: z.enum(["always", "conditional", "never"]).default("always").register(about, {
    words: "Whether what a run says is told.",
    write: '"always", "conditional" (when it begins with [NOTIFY]) or "never"',
  }),
  misfire: z.enum(["latest", "all", "none"]).default("latest").register(about, {
    words: "What runs of the times that nobody could run.",
    write: '"latest", "all" or "none"',
  }),
  overlap: z.enum(["skip", "queue", "cancel", "allow"]).default("skip").register(about, {
    words: "What happens while the run before is at work.",
    write: '"skip", "queue", "cancel" or "allow"',
  }),
  rerun: z.boolean().default(false).register(about, {
    words: "Whether a run that a crash cut off is made again.",
    write: "true or false",
  }),
  timeout: length.default("10m").register(about, {
    words: "How long a run may take.",
    write: 'a length of time like "10m"',
  }),
  notifyAfterFailures: failures.default(3).register(about, {
    words: "Failures in a row until the owner is told; 0 for never.",
    write: "a whole number from 0 to 1000",
  }),
  disableAfterFailures: failures.default(5).register(about, {
    words: "Failures in a row until it is disabled; 0 for never.",
    write: "a whole number from 0 to 1000",
  }),
  adopt: z.boolean().default(false).register(about, {
    words: "Whether what was changed elsewhere stays, until it is changed here.",
    write: "true or false",
  }),
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
