import * as z from "zod";
import { bookOf, findRecord } from "../../../kernel/book.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { readInput } from "../../../platform/input-path.ts";
import { readLength } from "../../../time/cadence/length.ts";
import { span } from "../../../time/times.ts";
import { checkedRoute, outlookOf } from "../../notifications/index.ts";
import { type ScheduleKind, scheduleKind } from "../kind.ts";
import { pingHash, pingSecret, pingSecretBytes, pingToken } from "../ping-token.ts";
import { textsOf } from "../texts.ts";
import { makeWatch } from "../watch.ts";
import { settingInputs, whenInputs } from "./inputs.ts";
import { factsIn, limitRefusal } from "./limits.ts";
import { readWhenInput, withTime, type When } from "./parsed-inputs.ts";
import { scheduleView, viewSchedule } from "./view.ts";

const length = z.union([z.string(), z.number()]);
const input = z.strictObject({
  name: z.string().min(1).describe("its name"),
  every: length
    .optional()
    .describe('how often the job reports, such as "1d". Give either this or `when`'),
  ...whenInputs,
  grace: length
    .default("1h")
    .describe('how late a report may be before you are notified. Default: "1h"'),
  target: settingInputs.target,
  notify_after_failures: settingInputs.notify_after_failures,
});
type Input = z.infer<typeof input>;

const output = scheduleView.extend({
  ping_url: z
    .string()
    .describe("the URL that the job requests to report; shown only in this answer"),
  token: z.string().describe("the secret part of the URL"),
});

export const createWatch = operation({
  name: "create_watch",
  oldNames: ["watch_create"],
  summary: "Watch a job elsewhere, and notify you of missed reports.",
  input,
  output,
  effect: "adds",
  example: { name: "backup", every: "1d", grace: "1h" },
  route: { method: "POST", path: "/v1/watches" },
  command: { name: "watch", positionals: ["name"] },
  async run(request, context): Promise<z.infer<typeof output>> {
    const options = await outlookOf(context, request.timezone);
    const when = withTime(request, () => readWhenInput(timesOf(request), options));
    if (when === undefined || when.cadence.type === "once") {
      const sentence =
        'A watch needs a recurring time: give "every", such as "1d", or a recurring "when".';
      throw new DaybookError("invalid", sentence, { details: { path: "when" } });
    }
    const { target } = await checkedRoute(request.target, context);
    const secret = pingSecret(context.randomBytes(pingSecretBytes));
    const body = bodyOf(request, { when, target, secret, context });
    const facts = factsIn(context, options.now);
    const draft = withTime(request, () => makeWatch(body, facts));
    const book = bookOf(context);
    const { id } = await book.append(draft).catch((error: unknown) => {
      throw limitRefusal(error, { name: request.name, limit: facts.limit });
    });
    const token = pingToken(context.owner, id, secret);
    const ping = `${(context.baseUrl?.() ?? "").replace(/\/$/, "")}/ping/${token}`;
    const record = await findRecord(book, scheduleKind, id);
    return { ...viewSchedule(record, options), ping_url: ping, token };
  },
  render({ id, name, when, run, target, ping_url: url }, { language }) {
    const texts = textsOf(language);
    const grace = span(Number(run["grace"]) * 1_000, language);
    return [texts.watching({ name, when, grace, target }), texts.pingAt(url), id].join("\n");
  },
});

function timesOf({ every, when, cadence, timezone }: Input): Parameters<typeof readWhenInput>[0] {
  if (every === undefined) return { when, cadence, timezone };
  if (when === undefined && cadence === undefined) {
    return { cadence: { type: "interval", every }, timezone };
  }
  throw new DaybookError(
    "invalid",
    '"every" and "when" are two ways to give the time: give one of them.',
    {
      details: { path: "every" },
    },
  );
}

interface ParsedRequest {
  when: When;
  target: string;
  secret: string;
  context: Context;
}

function bodyOf(
  request: Input,
  { when, target, secret, context }: ParsedRequest,
): ScheduleKind["body"] {
  return {
    name: request.name,
    cadence: when.cadence,
    whenText: when.whenText,
    run: { ping: pingHash(secret), graceMs: readInput("grace", () => readLength(request.grace)) },
    notify: "never",
    target,
    origin: context.origin,
    misfire: "latest",
    overlap: "skip",
    rerun: false,
    timeoutMs: 60_000, // unused: nothing runs here
    notifyAfterFailures: request.notify_after_failures ?? 1,
    disableAfterFailures: 0, // a disabled watch would miss nothing
  };
}
