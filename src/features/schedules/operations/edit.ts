import * as z from "zod";
import { bookOf, retryIfStale } from "../../../kernel/book.ts";
import { exampleId, operation, type Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { EditOf } from "../../../kernel/unit.ts";
import { DaybookError } from "../../../platform/errors.ts";
import type { Cadence } from "../../../time/cadence.ts";
import { withGuess, type Guess } from "../../../time/times.ts";
import { checkZone } from "../../../time/zone.ts";
import { guessView, momentOptions, type MomentOptions } from "../../accounts/index.ts";
import { outlookOf } from "../../notifications/index.ts";
import { missingWorkspace, revision, type Runnable } from "../../tasks/index.ts";
import { editedSchedule, pausedSchedule, resumedSchedule, withSameStart } from "../change.ts";
import type { ScheduleKind } from "../kind.ts";
import { scheduleLimits } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { runWarnings } from "./create.ts";
import { findLive } from "./find-schedule.ts";
import {
  scheduleId,
  settingInputs,
  whenInputs,
  fromSeeds,
  scheduleAliases,
  toolIds,
} from "./inputs.ts";
import { limitRefusal } from "./limits.ts";
import { readWhenInput, settingChanges, withTime, type When } from "./parsed-inputs.ts";
import { scheduleView, viewSchedule } from "./view.ts";

const input = z.strictObject({
  id: scheduleId,
  ...whenInputs,
  name: z.string().min(1).optional().describe("its new name"),
  ...settingInputs,
  status: z
    .enum(["active", "paused"])
    .optional()
    .describe("active to resume it, paused to pause it"),
  revision,
});
type Input = z.infer<typeof input>;

const output = scheduleView.extend({
  ...guessView,
  secret: z.string().optional().describe("signs its HTTP calls; shown only in this answer"),
  unknown_task: z
    .string()
    .optional()
    .describe("the name of a task without a runner here: its runs wait for one"),
  missing_workspace: missingWorkspace,
});

type Schedule = LedgerRecord<ScheduleKind>;
type Body = ScheduleKind["body"];

export const editSchedule = operation({
  name: "schedule_edit",
  summary:
    "Change the time, the run or the settings of a schedule. Runs that have started are unchanged.",
  input,
  output,
  aliases: scheduleAliases,
  adapt: fromSeeds,
  example: { id: exampleId, notify: "conditional" },
  route: { method: "PATCH", path: "/v1/schedules/{id}" },
  command: { name: "schedule edit", positionals: ["id", "when"], rest: "command" },
  tool: "always",
  toolInputs: {
    ...toolIds,
    hidden: ["cadence"],
    seldom: ["budget", "rerun", "notify_after_failures", "disable_after_failures", "revision"],
  },
  async run(request, context): Promise<z.infer<typeof output>> {
    const { id: _, revision: expected, ...changes } = request;
    if (Object.values(changes).every((value) => value === undefined)) {
      const sentence =
        "The request changes nothing: give when, name, run, notify, target or another setting.";
      throw new DaybookError("invalid", sentence);
    }
    const options = momentOptions(context, request.timezone);
    const when = readWhenInput(request, options);
    const change = (): Promise<Changed> => write(request, { when, options, context });
    // The caller reads again after a conflict with the revision that it named.
    const { record, runnable } = await (expected === undefined ? retryIfStale(change) : change());
    const { assumed, instead } = when === undefined ? {} : guessOf(when, record);
    return {
      ...viewSchedule(record, await outlookOf(context)),
      assumed,
      instead,
      secret: runnable?.secret,
      unknown_task: runnable?.unknownTask,
      missing_workspace: runnable?.missingWorkspace,
    };
  },
  render(changed, { language }) {
    const texts = textsOf(language);
    const { name, when, status: state, reason, next } = changed;
    return [
      texts.scheduleChanged({ name, when: withGuess(when, changed, language) }),
      ...(state === "active" ? [] : [texts.scheduleIs({ name, state, reason })]),
      ...next.map(({ text }) => `  ${text}`),
      ...runWarnings(changed, language),
    ].join("\n");
  },
});

/** A rule that kept its start takes nothing from a new one. */
function guessOf({ cadence, ...guess }: When, { body }: Schedule): Guess {
  const [requested, kept] = [cadence, body.cadence].map((each) =>
    each.type === "rrule" ? each.start : undefined,
  );
  return requested === kept ? guess : {};
}

interface Changed {
  readonly record: Schedule;
  readonly runnable: Runnable | undefined;
}

interface ParsedRequest {
  when: When | undefined;
  options: MomentOptions;
  context: Context;
}

async function write(request: Input, { when, options, context }: ParsedRequest): Promise<Changed> {
  const book = bookOf(context);
  const before = await findLive(book, request.id);
  const { changes, runnable } = await settingChanges(request, before.body, context);
  const body: Partial<Body> = {
    ...changes,
    name: request.name ?? before.body.name,
    ...(when === undefined ? zoneChange(request, before) : timeChange(when, request, before)),
  };
  const edited = editOf(before, body, { request, options, context });
  const edit = withStatus(edited, before, request, options);
  const ifRevision = request.revision ?? before.revision;
  try {
    return { record: await book.edit({ ...edit, ifRevision }), runnable };
  } catch (error) {
    throw limitRefusal(error, { name: request.name ?? before.body.name, limit: 0 });
  }
}

function editOf(
  before: Schedule,
  body: Partial<Body>,
  { request, options, context }: { request: Input; options: MomentOptions; context: Context },
): EditOf<ScheduleKind> {
  const { minGapMs } = context.use(scheduleLimits);
  const changes = request.budget === null ? { ...body, budget: undefined } : body;
  return withTime(request, () => editedSchedule(before, changes, options.now, minGapMs));
}

/** Pauses or resumes the schedule, after its other changes. */
function withStatus(
  edit: EditOf<ScheduleKind>,
  before: Schedule,
  { status }: Input,
  { now }: MomentOptions,
): EditOf<ScheduleKind> {
  if (status === undefined) return edit;
  const after: Schedule = {
    ...before,
    body: edit.body ?? before.body,
    outcome: edit.outcome ?? before.outcome,
  };
  const moved =
    status === "active"
      ? resumedSchedule(after, now)
      : pausedSchedule(after, { reason: "paused by an edit" }, now);
  return { ...edit, ...moved };
}

function timeChange(
  { cadence, whenText }: When,
  request: Input,
  { body }: Schedule,
): Partial<Body> {
  // The phrase of a rule has a time of day, which is its start.
  const hasStart =
    request.cadence?.type === "rrule"
      ? request.cadence.start !== undefined
      : whenText !== body.whenText;
  return { cadence: withSameStart(body.cadence, cadence, hasStart), whenText };
}

/** A zone without a time is the new zone of the schedule's time. */
function zoneChange({ timezone }: Input, { body }: Schedule): Partial<Body> {
  if (timezone === undefined) return {};
  const { cadence } = body;
  if ("zone" in cadence) {
    const moved: Cadence = { ...cadence, zone: checkZone(timezone) };
    return { cadence: moved };
  }
  const kind = cadence.type === "once" ? "a single time" : "an interval";
  const sentence = `The schedule has ${kind}, which has no time zone: give "when" too.`;
  throw new DaybookError("invalid", sentence);
}
