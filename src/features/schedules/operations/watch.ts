import * as z from "zod";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import { atPath } from "../../../platform/at-path.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { readLength } from "../../../time/cadence/length.ts";
import { span } from "../../../time/times.ts";
import { momentOptions } from "../../accounts/index.ts";
import { checkedRoute } from "../../notifications/index.ts";
import { type ScheduleKind, scheduleKind } from "../kind.ts";
import { pingHash, pingSecret, pingSecretBytes, pingToken } from "../ping.ts";
import { textsOf } from "../texts.ts";
import { makeWatch } from "../watch.ts";
import { readWhenInput, withTime, type When } from "./input-when.ts";
import { settingInputs, whenInputs } from "./inputs.ts";
import { makingIn, limitRefusal } from "./limits.ts";
import { scheduleView, shownSchedule } from "./view.ts";

const length = z.union([z.string(), z.number()]);
const input = z.strictObject({
  name: z.string().min(1).describe("what to call it"),
  every: length.optional().describe('how often it reports, such as "1d"; or say `when`'),
  ...whenInputs,
  grace: length.default("1h").describe('how late it may be before you are told, such as "1h"'),
  target: settingInputs.target,
  notify_after_failures: settingInputs.notify_after_failures,
});
type Input = z.infer<typeof input>;

const output = scheduleView.extend({
  ping_url: z.string().describe("what it asks for to report; shown only now"),
  token: z.string().describe("the part of the address that is secret"),
});

export const createWatch = operation({
  name: "watch_create",
  summary: "Wait for a job elsewhere to report, and tell when it does not.",
  input,
  output,
  effect: "adds",
  example: { name: "backup", every: "1d", grace: "1h" },
  route: { method: "POST", path: "/v1/watches" },
  command: { name: "watch", positionals: ["name"] },
  async run(request, context): Promise<z.infer<typeof output>> {
    const look = momentOptions(context, request.timezone);
    const when = withTime(request, () => readWhenInput(timesOf(request), look));
    if (when === undefined || when.cadence.type === "once") {
      const sentence =
        'A watch waits again and again: say "every", such as "1d", or a time that comes again.';
      throw new DaybookError("invalid", sentence, { details: { path: "when" } });
    }
    const { target } = await checkedRoute(request.target, context);
    const secret = pingSecret(context.randomBytes(pingSecretBytes));
    const body = bodyOf(request, { when, target, secret, context });
    const making = makingIn(context, look.now);
    const draft = withTime(request, () => makeWatch(body, making));
    const book = bookOf(context);
    const { id } = await book.append(draft).catch((error: unknown) => {
      throw limitRefusal(error, { name: request.name, limit: making.limit });
    });
    const token = pingToken(context.owner, id, secret);
    const ping = `${(context.baseUrl?.() ?? "").replace(/\/$/, "")}/ping/${token}`;
    return { ...shownSchedule(await find(book, scheduleKind, id), look), ping_url: ping, token };
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
  throw new DaybookError("invalid", '"every" and "when" say the same: give one of them.', {
    details: { path: "every" },
  });
}

interface Read {
  when: When;
  target: string;
  secret: string;
  context: Context;
}

function bodyOf(request: Input, { when, target, secret, context }: Read): ScheduleKind["body"] {
  return {
    name: request.name,
    cadence: when.cadence,
    whenText: when.whenText,
    run: { ping: pingHash(secret), graceMs: atPath("grace", () => readLength(request.grace)) },
    notify: "never",
    target,
    origin: context.origin,
    misfire: "latest",
    overlap: "skip",
    rerun: false,
    timeoutMs: 60_000, // nothing runs here
    notifyAfterFailures: request.notify_after_failures ?? 1,
    disableAfterFailures: 0, // it could only be deaf then
  };
}
