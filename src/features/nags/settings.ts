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
    summary: "The number of the first notification that is escalated.",
    write: "a whole number from 1",
  }),
  target: target.register(about, {
    summary: "The additional target.",
    write: "a target like ntfy:my-topic",
  }),
});

const entry = z.strictObject({
  base: length.register(about, {
    summary: "The time between the first notification and the second.",
    write: lengthForm,
  }),
  factor: z.number().min(1).max(1_000).default(1).register(about, {
    summary: "The factor by which the time grows with each notification. Default: 1.",
    write: "a number from 1 to 1000",
  }),
  cap: length.default("256d").register(about, {
    summary: "The longest time between two notifications. Default: 256d.",
    write: lengthForm,
  }),
  jitter: z.number().min(0).max(1).exactOptional().register(about, {
    summary:
      "The largest share of the time by which a notification comes early, at random. Default: 0.",
    write: "a number from 0 to 1",
  }),
  countMax: z.int().min(1).max(1_000_000).exactOptional().register(about, {
    summary: "The number of notifications after which the nag pauses. Default: no limit.",
    write: "a whole number from 1",
  }),
  sleep: z.string().regex(hours).exactOptional().register(about, {
    summary:
      "Hours without notifications, in the owner's time zone; one that falls in them is sent at their end.",
    write: 'two times of day like "22:00-07:00"',
  }),
  weekdays: z.boolean().default(false).register(about, {
    summary: "Whether to send only from Monday to Friday. Default: false.",
    write: "true or false",
  }),
  wholeHours: z.boolean().default(false).register(about, {
    summary: "Whether to send only on the hour, in the owner's time zone. Default: false.",
    write: "true or false",
  }),
  escalate: escalate
    .exactOptional()
    .register(about, { summary: "An additional target after some notifications." }),
});

/** The problems of single values are reported first. */
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

/** Curves of nags, by name. */
export const curves = z
  .record(z.string().regex(/^[\w.-]{1,100}$/), curve)
  .prefault({})
  .register(about, {
    summary: "Curves by name: how the time between the notifications of a nag grows.",
    write: "a name of letters, digits, dots and dashes, with its keys under it",
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
