import { createRequire } from "node:module";
import * as z from "zod";
import { about } from "../../platform/settings/about.ts";
import { isTree } from "../../platform/settings/tree.ts";
import type * as Cadences from "../../time/cadence.ts";
import { readLength } from "../../time/cadence/length.ts";
import { zone, zoneForm } from "../../time/settings.ts";
import { settingInputs, whenInputs } from "./operations/inputs.ts";

/** Some moment: whether a text can be read does not depend on which. */
const someTime = 1_800_000_000_000;

/** Loaded for a file that has schedules: every command reads the settings, and most run without. */
function cadences(): typeof Cadences {
  const extension = import.meta.url.slice(-3);
  return createRequire(import.meta.url)(`../../time/cadence${extension}`) as typeof Cadences;
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

/** Told apart from what cannot be read: the day of a cron line may be one that no month has. */
function neverFires(cadence: Cadences.Cadence): boolean {
  return cadence.type === "cron" && cadences().firesAfter(cadence, someTime, 1).length === 0;
}
const never = { abort: true, params: { says: "never fires: correct its day or month" } };

const when = z
  .string()
  .refine((text) => !works(() => neverFires(cadences().readWhen(text, someLook).cadence)), never)
  .refine((text) => works(() => comesAgain(cadences().readWhen(text, someLook).cadence)));
const whenForm = 'a time that comes again, like "weekdays 08:30", "every 2h" or "0 3 * * *"';

const cadence = whenInputs.cadence
  .unwrap()
  .refine((request) => !works(() => neverFires(cadences().readCadence(request, someLook))), never)
  .refine((request) => works(() => comesAgain(cadences().readCadence(request, someLook))));
const cadenceForm =
  '{ type: cron, expression: "0 3 * * *" }, { type: interval, every: 2h } or { type: rrule, rule: FREQ=DAILY }';

export const length = settingInputs.timeout
  .unwrap()
  .refine((text) => works(() => readLength(text) > 0), { abort: true });
export const lengthForm = 'a length of time like "10m", or seconds';

function works(read: () => boolean): boolean {
  try {
    return read();
  } catch {
    return false;
  }
}

interface Timed {
  when?: unknown;
  cadence?: unknown;
}

/** Told beside what else is wrong, and not only once that is right. */
const always = ({ value }: { value: unknown }): boolean => isTree(value);

/** It is said when, in one of two ways. */
export const onlyOneTime = [
  z.refine<Timed>((one) => one.when !== undefined || one.cadence !== undefined, {
    path: ["when"],
    when: always,
  }),
  z.refine<Timed>((one) => one.when === undefined || one.cadence === undefined, {
    path: ["cadence"],
    when: always,
    params: { says: 'says when, as "when" does: keep one of them' },
  }),
] as const;

/** When something comes again, as a file says it. */
export const recurs = {
  when: when.exactOptional().register(about, {
    summary: "When it runs, in words or as a cron line.",
    write: whenForm,
  }),
  cadence: cadence.exactOptional().register(about, {
    summary: "When it runs, as data, instead of in words.",
    write: cadenceForm,
  }),
  timezone: zone.exactOptional().register(about, {
    summary: "The time zone it is meant in; the owner's, unless said.",
    write: zoneForm,
  }),
};
