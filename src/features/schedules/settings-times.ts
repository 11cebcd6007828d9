import { createRequire } from "node:module";
import * as z from "zod";
import { about } from "../../platform/settings/about.ts";
import { isTree } from "../../platform/settings/tree.ts";
import type * as Cadences from "../../time/cadence.ts";
import { readLength } from "../../time/cadence/length.ts";
import { zone, zoneForm } from "../../time/settings.ts";
import { settingInputs, whenInputs } from "./operations/inputs.ts";

/** Any moment: whether a text can be read does not depend on it. */
const someTime = 1_800_000_000_000;

/** Loaded on use: every command reads the settings, and most of them have no schedules. */
function cadences(): typeof Cadences {
  const extension = import.meta.url.slice(-3);
  return createRequire(import.meta.url)(`../../time/cadence${extension}`) as typeof Cadences;
}

const readOptions = { now: someTime, zone: "UTC", language: "en" } as const;

/**
 * A single time is a reminder, and would have passed at the next start. Whether a rule that ends still fires depends on
 * the day, and is checked when the schedule is created.
 */
function recursAtAll(cadence: Cadences.Cadence): boolean {
  if (cadence.type === "rrule") return true;
  cadences().checkCadence(cadence, someTime, 0);
  return cadence.type !== "once";
}

/** Distinct from a text that cannot be read: a cron expression may name a day that no month has. */
function neverFires(cadence: Cadences.Cadence): boolean {
  return cadence.type === "cron" && cadences().firesAfter(cadence, someTime, 1).length === 0;
}
const never = { abort: true, params: { says: "never fires: correct its day or month" } };

const when = z
  .string()
  .refine((text) => !works(() => neverFires(cadences().readWhen(text, readOptions).cadence)), never)
  .refine((text) => works(() => recursAtAll(cadences().readWhen(text, readOptions).cadence)));
const whenForm = 'a recurring time, like "weekdays 08:30", "every 2h" or "0 3 * * *"';

const cadence = whenInputs.cadence
  .unwrap()
  .refine(
    (request) => !works(() => neverFires(cadences().readCadence(request, readOptions).cadence)),
    never,
  )
  .refine((request) =>
    works(() => recursAtAll(cadences().readCadence(request, readOptions).cadence)),
  );
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

/** Reported beside other problems, and not only once those are fixed. */
const isChecked = ({ value }: { value: unknown }): boolean => isTree(value);

/** The time is set in exactly one of two ways. */
export const onlyOneTime = [
  z.refine<Timed>((one) => one.when !== undefined || one.cadence !== undefined, {
    path: ["when"],
    when: isChecked,
  }),
  z.refine<Timed>((one) => one.when === undefined || one.cadence === undefined, {
    path: ["cadence"],
    when: isChecked,
    params: { says: 'sets the time, as "when" does: keep one of them' },
  }),
] as const;

/** The recurrence of a schedule in a file. */
export const recurs = {
  when: when.exactOptional().register(about, {
    summary: "When it runs, in words or as a cron expression.",
    write: whenForm,
  }),
  cadence: cadence.exactOptional().register(about, {
    summary: "When it runs, as data. Use this or when.",
    write: cadenceForm,
  }),
  timezone: zone.exactOptional().register(about, {
    summary: "The time zone of its times. Default: the owner's.",
    write: zoneForm,
  }),
};
