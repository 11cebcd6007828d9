import { basename } from "node:path/posix";
import * as z from "zod";
import { bookOf, recordOf } from "../../../kernel/book.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import type { Appended, DraftOf } from "../../../kernel/unit.ts";
import type { Language } from "../../../platform/language.ts";
import { oneLine } from "../../../platform/text.ts";
import { withGuess } from "../../../time/times.ts";
import { guessView, type MomentOptions } from "../../accounts/index.ts";
import {
  fields,
  requestKey,
  checkedRoute,
  type Route,
  outlookOf,
} from "../../notifications/index.ts";
import {
  targetBecause,
  type Runnable,
  runnable,
  timeoutOf,
  type RunSpec,
  missingWorkspace,
  runNotes,
} from "../../tasks/index.ts";
import { withCondition } from "../condition.ts";
import { makeSchedule } from "../draft.ts";
import { type ScheduleKind, scheduleKind } from "../kind.ts";
import { madeIn, madeRefusal, sameUnderParent } from "../made-by-run.ts";
import { textsOf } from "../texts.ts";
import { settingInputs, whenInputs, fromSeeds, settingAliases } from "./inputs.ts";
import { factsIn, isNameTaken, limitRefusal } from "./limits.ts";
import { budgetOf, requireWhen, withTime, type When } from "./parsed-inputs.ts";
import { scheduleView, viewSchedule } from "./view.ts";

const input = z.strictObject({
  ...whenInputs,
  name: z.string().min(1).optional().describe("its name. Default: after what it runs"),
  ...settingInputs,
  key: fields.key,
});
type Input = z.infer<typeof input>;

const output = scheduleView.partial().extend({
  id: z.string(),
  status: z
    .string()
    .describe("forgotten: the schedule with the same key has ended, and its record was deleted"),
  fresh: z.boolean().describe("false: a schedule with the same key exists already"),
  target_because: targetBecause.optional(),
  ...guessView,
  secret: z.string().optional().describe("signs its HTTP calls; shown only in this answer"),
  unknown_task: z
    .string()
    .optional()
    .describe("the name of a task without a runner here: its runs wait for one"),
  missing_workspace: missingWorkspace,
});
type Output = z.infer<typeof output>;

/** How many numbered variants of a default name are tried. */
const namesMax = 60;

export const createSchedule = operation({
  name: "schedule_create",
  summary: "Schedule a command, task, HTTP call or agent to run repeatedly.",
  input,
  output,
  aliases: settingAliases,
  adapt: (given) => withCondition(fromSeeds(given)),
  effect: "adds",
  example: { when: "every weekday 9am", run: { command: ["./report.sh"] } },
  route: { method: "POST", path: "/v1/schedules" },
  command: { name: "schedule", positionals: ["when"], rest: "command" },
  tool: "always",
  toolInputs: { required: ["when", "run"], hidden: ["cadence"], seldom: ["budget"] },
  async run(request, context): Promise<Output> {
    const options = await outlookOf(context, request.timezone);
    const when = requireWhen(request, options);
    const checked = await runnable(request.run ?? {}, context);
    const route = await checkedRoute(request.target, context);
    const madeBy = await madeIn(context);
    const body = { ...bodyOf(request, { when, checked, route, context }), madeBy };
    const { id, record, fresh } = await write(request, body, { options, context });
    if (record === null) return { id, status: "forgotten", fresh: false };
    const view = viewSchedule(record, options);
    if (!fresh) return { ...view, fresh };
    return {
      ...view,
      fresh,
      target_because: route.reason,
      assumed: when.assumed,
      instead: when.instead,
      secret: checked.secret,
      unknown_task: checked.unknownTask,
      missing_workspace: checked.missingWorkspace,
    };
  },
  render(created, { language }) {
    const texts = textsOf(language);
    const { id, name = "", when = "", target = "", status: state, next = [] } = created;
    if (created.name === undefined) return `${texts.schedulePruned()}\n${id}`;
    if (!created.fresh) return `${texts.scheduleExists({ name, when, state })}\n${id}`;
    return [
      texts.scheduled({ name, when: withGuess(when, created, language), target }),
      ...next.map(({ text }) => `  ${text}`),
      ...runWarnings(created, language),
      id,
    ].join("\n");
  },
});

/** The lines on a run that was just set: what it needs and has not, and its secret. */
export function runWarnings(
  { secret, ...run }: Pick<Output, "unknown_task" | "missing_workspace" | "secret">,
  language: Language,
): string[] {
  return [
    ...runNotes(run, language),
    ...(secret === undefined ? [] : [textsOf(language).callSecret(secret)]),
  ];
}

interface ParsedRequest {
  when: When;
  checked: Runnable;
  route: Route;
  context: Context;
}

function bodyOf(
  request: Input,
  { when, checked, route, context }: ParsedRequest,
): ScheduleKind["body"] {
  const { notify, misfire, overlap, rerun = false, budget } = request;
  return {
    name: request.name ?? nameFor(checked.run),
    cadence: when.cadence,
    whenText: when.whenText,
    run: checked.run,
    notify: notify ?? "always",
    target: route.target,
    origin: context.origin,
    misfire: misfire ?? "latest",
    overlap: overlap ?? "skip",
    rerun,
    timeoutMs: timeoutOf(request.timeout, checked.timeoutMs),
    notifyAfterFailures: request.notify_after_failures ?? 3,
    disableAfterFailures: request.disable_after_failures ?? 5,
    budget: budget ? budgetOf(budget) : undefined,
  };
}

function nameFor(run: RunSpec): string {
  if ("command" in run) return oneLine(basename(run.command[0] ?? ""), 60) || "command";
  if ("task" in run) return run.task;
  if ("http" in run) return oneLine(URL.parse(run.http)?.host ?? "", 60) || "call";
  return "agent" in run ? oneLine(run.agent, 60) : "ping";
}

/** A requested name must be free. A default name is numbered until it is. */
async function write(
  request: Input,
  body: ScheduleKind["body"],
  { options, context }: { options: MomentOptions; context: Context },
): Promise<Appended<ScheduleKind>> {
  const facts = factsIn(context, options.now);
  for (let round = 1; ; round += 1) {
    const name = round === 1 ? body.name : `${body.name} ${round}`;
    const draft = withTime(request, () => makeSchedule({ ...body, name }, facts));
    try {
      return await bookOf(context).append(keyed(draft, request, options.now));
    } catch (error) {
      const same = await recordOf(bookOf(context), scheduleKind, sameUnderParent(error));
      if (same !== undefined) return { id: same.id, record: same, fresh: false };
      const isDefault = request.name === undefined && round < namesMax;
      if (!isDefault || !isNameTaken(error)) {
        throw madeRefusal(limitRefusal(error, { name, limit: facts.limit }));
      }
    }
  }
}

/** The key covers the request as it was typed, because "every 2h" starts at another time when the request is repeated. */
function keyed(
  draft: DraftOf<ScheduleKind>,
  { key: name, ...typed }: Input,
  now: number,
): DraftOf<ScheduleKind> {
  if (name === undefined) return draft;
  return { ...draft, key: requestKey(name, { ...typed, target: draft.body.target }, now) };
}
