import * as z from "zod";
import { messageOf } from "../../platform/errors.ts";
import { present } from "../../platform/json.ts";
import { about } from "../../platform/settings/about.ts";
import { target } from "../accounts/index.ts";
import { checkCurve, type Curve, type Distance } from "./curve.ts";

const length = z.string().regex(/^[1-9]\d{0,5}[mhd]$/);
const lengthForm = 'a length of time like "5m", "1h" or "2d"';
const hours = /^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)$/;

const escalate = z.strictObject({
  after: z.int().min(1).max(1_000_000).register(about, {
    summary: "From which number on.",
    write: "a whole number from 1",
  }),
  target: target.register(about, {
    summary: "Where it goes too.",
    write: "a target like ntfy:my-topic",
  }),
});

const entry = z.strictObject({
  base: length.register(about, {
    summary: "How far the second is from the first.",
    write: lengthForm,
  }),
  factor: z.number().min(1).max(1_000).default(1).register(about, {
    summary: "How many times as far each next one is.",
    write: "a number from 1 to 1000",
  }),
  cap: length.default("256d").register(about, {
    summary: "The furthest that one is from the one before.",
    write: lengthForm,
  }),
  jitter: z.number().min(0).max(1).exactOptional().register(about, {
    summary: "By up to which share of the distance it comes sooner, by chance.",
    write: "a number from 0 to 1",
  }),
  countMax: z.int().min(1).max(1_000_000).exactOptional().register(about, {
    summary: "After so many it rests.",
    write: "a whole number from 1",
  }),
  sleep: z.string().regex(hours).exactOptional().register(about, {
    summary: "When nobody is woken, in the owner's zone: it is said at the end of that.",
    write: 'two times of day like "22:00-07:00"',
  }),
  weekdays: z.boolean().default(false).register(about, {
    summary: "Whether only on Monday to Friday.",
    write: "true or false",
  }),
  wholeHours: z.boolean().default(false).register(about, {
    summary: "Whether at whole hours of the owner's clock.",
    write: "true or false",
  }),
  escalate: escalate
    .exactOptional()
    .register(about, { summary: "Who hears it too, after a while." }),
});

/** What is wrong with a part of it is told there, and this only once that is right. */
const curve = entry
  .superRefine((one, context) => {
    try {
      checkCurve(curveOf(one));
    } catch (error) {
      const says = `does not work: ${messageOf(error).replace(/\.$/, "")}`;
      context.addIssue({ code: "custom", params: { says } });
    }
  })
  .transform(curveOf);

/** How far apart things are said until they are done, by name. */
export const curves = z
  .record(z.string().regex(/^[\w.-]{1,100}$/), curve)
  .prefault({})
  .register(about, {
    summary: "How far apart things are said until they are done, by name.",
    write: "a name of letters, digits, dots and dashes, and what belongs to it under it",
  });

export type CurvesOption = z.input<typeof curves>;

function curveOf(one: z.output<typeof entry>): Curve {
  const [, from, to] = hours.exec(one.sleep ?? "") ?? [];
  return present({
    ...one,
    base: distanceOf(one.base),
    cap: distanceOf(one.cap),
    sleep: from === undefined || to === undefined ? undefined : { from, to },
    weekdays: one.weekdays || undefined,
    wholeHours: one.wholeHours || undefined,
  });
}

const units = { m: "minutes", h: "hours", d: "days" } as const;

function distanceOf(text: string): Distance {
  const unit = (["m", "h", "d"] as const).find((each) => text.endsWith(each)) ?? "d";
  return { count: Number(text.slice(0, -1)), unit: units[unit] };
}
