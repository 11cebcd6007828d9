import * as z from "zod";
import { about } from "../../platform/settings/about.ts";
import { healthDefault } from "./health.ts";

const percentForm = "a number from 1 to 100; 100 is never";

function percent(words: string, otherwise: number) {
  const schema = z.number().min(1).max(100).default(otherwise);
  return schema.register(about, { summary: words, write: percentForm });
}

const { yellow, red } = healthDefault;

/** From how much on the machine has much to do, or too much. */
export const health = z
  .strictObject({
    yellow: z
      .strictObject({
        cpu: percent("Over this only what is urgent is begun: processors, in percent.", yellow.cpu),
        memory: percent("Memory, in percent.", yellow.memory),
        disk: percent("The disk of the home, in percent.", yellow.disk),
      })
      .prefault({})
      .register(about, { summary: "Over these only what is urgent is begun." }),
    red: z
      .strictObject({
        cpu: percent("Over this nothing is begun: processors, in percent.", red.cpu),
        memory: percent("Memory, in percent.", red.memory),
        disk: percent("The disk of the home, in percent.", red.disk),
      })
      .prefault({})
      .register(about, { summary: "Over these nothing is begun." }),
  })
  .superRefine((limits, context) => {
    for (const what of ["cpu", "memory", "disk"] as const) {
      const [much, tooMuch] = [limits.yellow[what], limits.red[what]];
      if (much <= tooMuch) continue;
      const advice = `raise health.red.${what}, or lower health.yellow.${what}`;
      const says = `has ${what} red over ${tooMuch} and yellow over ${much}: ${advice}`;
      context.addIssue({ code: "custom", params: { says } });
    }
  });
