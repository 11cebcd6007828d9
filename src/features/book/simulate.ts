import * as z from "zod";
import { operation } from "../../kernel/operation.ts";
import { DaybookError } from "../../platform/errors.ts";
import { isoOf, fromIso } from "../../platform/iso-time.ts";
import { present } from "../../platform/json.ts";
import { oneLine } from "../../platform/text.ts";
import { inWords, parseTime } from "../../time/times.ts";
import { outlookOf, shownWaiting, waitingView } from "../notifications/index.ts";
import { pauseView, pausesFor, pauseLines } from "./pauses.ts";
import { simulation } from "./ports.ts";
import { textsOf } from "./texts.ts";

const linesMax = 10_000;

export const simulate = operation({
  name: "simulate",
  summary: "Show what would be sent and run until a time, without doing it.",
  input: z.strictObject({
    from: z
      .string()
      .default("now")
      .describe('the start, such as "tomorrow", which starts at its first minute. Default: now'),
    to: z
      .string()
      .default("+7d")
      .describe('the end, such as "+7d", or "friday", which ends at its last minute. Default: +7d'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(linesMax)
      .default(1_000)
      .describe("how many lines at most. Default: 1000"),
  }),
  output: z.object({
    from: z.string(),
    to: z.string(),
    lines: z.array(
      z.object({
        at: z.string(),
        what: z.enum(["say", "run"]),
        text: z.string().describe("the message, or the name of the schedule or the task"),
        target: z.string(),
        id: z.string().describe("the id of the notification, the nag, the schedule or the task"),
        waiting: waitingView
          .nullable()
          .describe("what holds it back until then; null: it happens at its own time"),
        day_hours: z
          .number()
          .nullable()
          .describe("the hours of its day, if the clocks change on that day"),
      }),
    ),
    cut: z.boolean().describe("true: there are more than the limit"),
    pauses: z
      .array(pauseView)
      .optional()
      .describe("the pauses in force, if any. What they cover is left out until they end"),
  }),
  example: { to: "+30d" },
  route: { method: "GET", path: "/v1/simulation" },
  command: { name: "simulate", positionals: [] },
  async run({ limit, ...span }, context) {
    const simulateSpan = context.use(simulation);
    if (simulateSpan === undefined) {
      throw new DaybookError(
        "unsupported",
        "Simulation is not available here: use a running daemon.",
      );
    }
    const options = await outlookOf(context);
    const from = parseTime(span.from, { ...options, edge: "start" }).at;
    const to = parseTime(span.to, { ...options, edge: "end" }).at;
    const { owner, profile } = context;
    const request = { now: options.now, from, to, profile, limit };
    const { lines, isCut } = await simulateSpan(owner, request);
    const pauses = await pausesFor(context);
    return {
      ...present({ pauses: pauses.length === 0 ? undefined : pauses }),
      from: isoOf(from),
      to: isoOf(to),
      lines: lines.map(({ at, dayHours, hold, ...line }) => ({
        at: isoOf(at),
        ...line,
        waiting: hold === undefined ? null : shownWaiting(hold, options),
        day_hours: dayHours,
      })),
      cut: isCut,
    };
  },
  render({ lines, cut, pauses = [] }, reader) {
    const { language, zone } = reader;
    const texts = textsOf(language);
    const paused = pauseLines(pauses, reader);
    if (lines.length === 0) return [...paused, texts.nothingForeseen()].join("\n");
    const rendered = lines.map(({ at, what, text, target, waiting, day_hours: hours }) => {
      const when = inWords(fromIso(at), zone, language);
      const clocks = hours === null ? "" : `  ${texts.clocksChange(hours)}`;
      const why = waiting === null ? "" : `  (${waiting.text})`;
      return `${when}  ${texts.foreseen(what)}  ${oneLine(text, 60)} → ${target}${why}${clocks}`;
    });
    return [...paused, ...rendered, ...(cut ? [texts.moreForeseen(lines.length)] : [])].join("\n");
  },
});
