import { basename } from "node:path/posix";
import * as z from "zod";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { Appended, DraftOf } from "../../../kernel/unit.ts";
import { oneLine } from "../../../platform/text.ts";
import { momentOptions, type MomentOptions } from "../../accounts/index.ts";
import { fields, requestKey, checkedRoute, type Route } from "../../notifications/index.ts";
import {
  targetBecause,
  type Runnable,
  runnable,
  timeoutOf,
  type RunSpec,
  textsOf as taskTexts,
} from "../../tasks/index.ts";
import { type ScheduleKind } from "../kind.ts";
import { makeSchedule } from "../make-schedule.ts";
import { textsOf } from "../texts.ts";
import { budgetOf, failuresOf } from "./input-settings.ts";
import { requireWhen, withTime, type When } from "./input-when.ts";
import { settingInputs, whenInputs, fromSeeds, settingAliases } from "./inputs.ts";
import { makingIn, isNameTaken, limitRefusal } from "./limits.ts";
import { scheduleView, shownSchedule } from "./view.ts";

const input = z.strictObject({
  ...whenInputs,
  name: z.string().min(1).optional().describe("what to call it; after what runs, when absent"),
  ...settingInputs,
  key: fields.key,
});
type Input = z.infer<typeof input>;

const output = scheduleView.partial().extend({
  id: z.string(),
  status: z.string().describe("forgotten: it was asked before with the same key, and is gone"),
  fresh: z.boolean().describe("false: it had been asked before with the same key"),
  target_because: targetBecause.optional(),
  assumed: z.string().optional().describe("what the time did not say and was taken"),
  secret: z.string().optional().describe("signs the calls over HTTP; shown only now"),
  unknown_task: z.string().optional().describe("a task that nobody here runs: its runs wait"),
});
type Output = z.infer<typeof output>;

/** A name of our own choice is changed so often when it is taken. */
const namesMax = 60;

export const createSchedule = operation({
  name: "schedule_create",
  summary: "Run something again and again, and tell what it says.",
  input,
  output,
  aliases: settingAliases,
  adapt: fromSeeds,
  effect: "adds",
  example: { when: "every weekday 9am", run: { command: ["./report.sh"] } },
  route: { method: "POST", path: "/v1/schedules" },
  command: { name: "schedule", positionals: ["when"], rest: "command" },
  tool: "always",
  async run(request, context): Promise<Output> {
    const look = momentOptions(context, request.timezone);
    const when = requireWhen(request, look);
    const ran = await runnable(request.run ?? {}, context);
    const route = await checkedRoute(request.target, context);
    const body = bodyOf(request, { when, ran, route, context });
    const { id, record, fresh } = await write(request, body, { look, context });
    if (record === null) return { id, status: "forgotten", fresh: false };
    const view = shownSchedule(record, look);
    if (!fresh) return { ...view, fresh };
    return {
      ...view,
      fresh,
      target_because: route.reason,
      ...(when.assumed === undefined ? {} : { assumed: when.assumed }),
      ...(ran.secret === undefined ? {} : { secret: ran.secret }),
      ...(ran.unknownTask === undefined ? {} : { unknown_task: ran.unknownTask }),
    };
  },
  render(made, { language }) {
    const texts = textsOf(language);
    const { id, name = "", when = "", target = "", status: state, next = [] } = made;
    if (made.name === undefined) return `${texts.scheduledAndForgotten()}\n${id}`;
    if (!made.fresh) return `${texts.scheduledBefore({ name, when, state })}\n${id}`;
    return [
      texts.scheduled({ name, when, target }),
      ...next.map(({ text }) => `  ${text}`),
      ...(made.unknown_task === undefined ? [] : [taskTexts(language).noRunner(made.unknown_task)]),
      ...(made.secret === undefined ? [] : [texts.callSecret(made.secret)]),
      id,
    ].join("\n");
  },
});

interface Read {
  when: When;
  ran: Runnable;
  route: Route;
  context: Context;
}

function bodyOf(request: Input, { when, ran, route, context }: Read): ScheduleKind["body"] {
  const { notify, misfire, overlap, rerun = false, budget } = request;
  return {
    name: request.name ?? nameFor(ran.run),
    cadence: when.cadence,
    whenText: when.whenText,
    run: ran.run,
    notify: notify ?? "always",
    target: route.target,
    origin: context.origin,
    misfire: misfire ?? "latest",
    overlap: overlap ?? "skip",
    rerun,
    timeoutMs: timeoutOf(request.timeout, ran.timeoutMs),
    notifyAfterFailures: 3,
    disableAfterFailures: 5,
    ...failuresOf(request),
    ...(budget == null ? {} : { budget: budgetOf(budget) }),
  };
}

function nameFor(run: RunSpec): string {
  if ("command" in run) return oneLine(basename(run.command[0] ?? ""), 60) || "command";
  if ("task" in run) return run.task;
  if ("http" in run) return oneLine(URL.parse(run.http)?.host ?? "", 60) || "call";
  return "agent" in run ? oneLine(run.agent, 60) : "ping";
}

/** A name that the caller chose must be free; one of ours is changed until it is. */
async function write(
  request: Input,
  body: ScheduleKind["body"],
  { look, context }: { look: MomentOptions; context: Context },
): Promise<Appended<ScheduleKind>> {
  const making = makingIn(context, look.now);
  for (let round = 1; ; round += 1) {
    const name = round === 1 ? body.name : `${body.name} ${round}`;
    const draft = withTime(request, () => makeSchedule({ ...body, name }, making));
    try {
      return await bookOf(context).append(keyed(draft, request, look.now));
    } catch (error) {
      const isOurs = request.name === undefined && round < namesMax;
      if (!isOurs || !isNameTaken(error)) throw limitRefusal(error, { name, limit: making.limit });
    }
  }
}

/** A key stands for what was asked: "every 2h" begins at another moment when it is asked again. */
function keyed(
  draft: DraftOf<ScheduleKind>,
  { key: name, ...asked }: Input,
  now: number,
): DraftOf<ScheduleKind> {
  if (name === undefined) return draft;
  return { ...draft, key: requestKey(name, { ...asked, target: draft.body.target }, now) };
}
