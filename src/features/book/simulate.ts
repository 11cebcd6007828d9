import * as z from "zod";
import { operation } from "../../kernel/operation.ts";
import { DaybookError } from "../../platform/errors.ts";
import { isoOf, fromIso } from "../../platform/iso-time.ts";
import { oneLine } from "../../platform/text.ts";
import { inWords, parseTime } from "../../time/times.ts";
import { momentOptions } from "../accounts/index.ts";
import { pauseView, restingFor, restLines } from "./pauses.ts";
import { simulation } from "./ports.ts";
import { textsOf } from "./texts.ts";

const linesMax = 10_000;

export const simulate = operation({
  name: "simulate",
  summary: "Show all that would be said and run until a time. Nothing happens.",
  input: z.strictObject({
    from: z
      .string()
      .default("now")
      .describe('where it begins, such as "tomorrow", which is its first moment; now when absent'),
    to: z
      .string()
      .default("+7d")
      .describe(
        'where it ends, such as "+7d", or "friday", which is its last moment; a week after now when absent',
      ),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(linesMax)
      .default(1_000)
      .describe("how many lines at most"),
  }),
  output: z.object({
    from: z.string(),
    to: z.string(),
    lines: z.array(
      z.object({
        at: z.string(),
        what: z.enum(["say", "run"]),
        text: z.string().describe("the message, or the schedule's name"),
        target: z.string(),
        id: z.string().describe("of the notification, the nag or the schedule"),
        day_hours: z.number().nullable().describe("of a day on which the clocks change"),
      }),
    ),
    cut: z.boolean().describe("there would be more"),
    resting: z
      .array(pauseView)
      .optional()
      .describe("what is paused, if anything is: it is left out until it goes on"),
  }),
  example: { to: "+30d" },
  route: { method: "GET", path: "/v1/simulation" },
  command: { name: "simulate", positionals: [] },
  async run({ limit, ...asked }, context) {
    const simulated = context.use(simulation);
    if (simulated === undefined) {
      throw new DaybookError("unsupported", "Nothing can be simulated here: ask a daemon.");
    }
    const look = momentOptions(context);
    const from = parseTime(asked.from, { ...look, edge: "start" }).at;
    const to = parseTime(asked.to, { ...look, edge: "end" }).at;
    const { owner, profile } = context;
    const span = { now: look.now, from, to, profile, limit };
    const { lines, isCut } = await simulated(owner, span);
    const resting = await restingFor(context);
    return {
      ...(resting.length === 0 ? {} : { resting }),
      from: isoOf(from),
      to: isoOf(to),
      lines: lines.map(({ at, dayHours, ...line }) => ({
        at: isoOf(at),
        ...line,
        day_hours: dayHours,
      })),
      cut: isCut,
    };
  },
  render({ lines, cut, resting = [] }, reader) {
    const { language, zone } = reader;
    const texts = textsOf(language);
    const rests = restLines(resting, reader);
    if (lines.length === 0) return [...rests, texts.nothingForeseen()].join("\n");
    const said = lines.map(({ at, what, text, target, day_hours: hours }) => {
      const when = inWords(fromIso(at), zone, language);
      const clocks = hours === null ? "" : `  ${texts.clocksChange(hours)}`;
      return `${when}  ${texts.foreseen(what)}  ${oneLine(text, 60)} → ${target}${clocks}`;
    });
    return [...rests, ...said, ...(cut ? [texts.moreForeseen(lines.length)] : [])].join("\n");
  },
});
