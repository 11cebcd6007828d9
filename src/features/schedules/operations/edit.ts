import * as z from "zod";
import { exampleId, operation, type Context } from "../../../kernel/operation.ts";
import { bookOf, untilFresh } from "../../../kernel/own-book.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { EditOf } from "../../../kernel/unit.ts";
import { DaybookError } from "../../../platform/errors.ts";
import type { Cadence } from "../../../time/cadence.ts";
import { checkZone } from "../../../time/zone.ts";
import { momentOptions, type MomentOptions } from "../../accounts/index.ts";
import { revision, type Runnable, textsOf as taskTexts } from "../../tasks/index.ts";
import { countedOn, editedSchedule, pausedSchedule, resumedSchedule } from "../change.ts";
import type { ScheduleKind } from "../kind.ts";
import { scheduleLimits } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { findLive } from "./find-schedule.ts";
import { requestedChanges } from "./input-settings.ts";
import { readWhenInput, withTime, type When } from "./input-when.ts";
import { scheduleId, settingInputs, whenInputs, fromSeeds, scheduleAliases } from "./inputs.ts";
import { limitRefusal } from "./limits.ts";
import { scheduleView, shownSchedule } from "./view.ts";

const input = z.strictObject({
  id: scheduleId,
  ...whenInputs,
  name: z.string().min(1).optional().describe("what to call it instead"),
  ...settingInputs,
  status: z.enum(["active", "paused"]).optional().describe("whether it runs, or is paused"),
  revision,
});
type Input = z.infer<typeof input>;

const output = scheduleView.extend({
  assumed: z.string().optional().describe("what the time did not say and was taken"),
  secret: z.string().optional().describe("signs the calls over HTTP; shown only now"),
  unknown_task: z.string().optional().describe("a task that nobody here runs: its runs wait"),
});

type Schedule = LedgerRecord<ScheduleKind>;
type Body = ScheduleKind["body"];

export const editSchedule = operation({
  name: "schedule_edit",
  summary:
    "Change when something runs, what runs, or who is told. Runs that began are not touched.",
  input,
  output,
  aliases: scheduleAliases,
  adapt: fromSeeds,
  example: { id: exampleId, notify: "conditional" },
  route: { method: "PATCH", path: "/v1/schedules/{id}" },
  command: { name: "schedule edit", positionals: ["id", "when"], rest: "command" },
  tool: "always",
  async run(request, context): Promise<z.infer<typeof output>> {
    const { id: _, revision: known, ...changes } = request;
    if (Object.values(changes).every((value) => value === undefined)) {
      const sentence = "Say what to change: when, name, run, notify, target or another setting.";
      throw new DaybookError("invalid", sentence);
    }
    const look = momentOptions(context, request.timezone);
    const when = readWhenInput(request, look);
    const change = (): Promise<Changed> => write(request, { when, look, context });
    // A revision that the caller named is theirs to read again.
    const { record, ran } = await (known === undefined ? untilFresh(change) : change());
    return {
      ...shownSchedule(record, momentOptions(context)),
      ...(when?.assumed === undefined ? {} : { assumed: when.assumed }),
      ...(ran?.secret === undefined ? {} : { secret: ran.secret }),
      ...(ran?.unknownTask === undefined ? {} : { unknown_task: ran.unknownTask }),
    };
  },
  render(changed, { language }) {
    const texts = textsOf(language);
    const { name, when, status: state, reason, next } = changed;
    return [
      texts.scheduleChanged({ name, when }),
      ...(state === "active" ? [] : [texts.scheduleIs({ name, state, reason })]),
      ...next.map(({ text }) => `  ${text}`),
      ...(changed.unknown_task === undefined
        ? []
        : [taskTexts(language).noRunner(changed.unknown_task)]),
      ...(changed.secret === undefined ? [] : [texts.callSecret(changed.secret)]),
    ].join("\n");
  },
});

interface Changed {
  readonly record: Schedule;
  readonly ran: Runnable | undefined;
}

interface Asking {
  when: When | undefined;
  look: MomentOptions;
  context: Context;
}

async function write(request: Input, { when, look, context }: Asking): Promise<Changed> {
  const book = bookOf(context);
  const before = await findLive(book, request.id);
  const { changes, ran } = await requestedChanges(request, before.body, context);
  const body: Partial<Body> = {
    ...changes,
    ...(request.name === undefined ? {} : { name: request.name }),
    ...(when === undefined ? zoneChange(request, before) : timeChange(when, request, before)),
  };
  const edit = standing(
    editOf(before, body, { asked: request, look, context }),
    before,
    request,
    look,
  );
  const ifRevision = request.revision ?? before.revision;
  try {
    return { record: await book.edit({ ...edit, ifRevision }), ran };
  } catch (error) {
    throw limitRefusal(error, { name: request.name ?? before.body.name, limit: 0 });
  }
}

function editOf(
  before: Schedule,
  body: Partial<Body>,
  { asked, look, context }: { asked: Input; look: MomentOptions; context: Context },
): EditOf<ScheduleKind> {
  const { minGapMs } = context.use(scheduleLimits);
  const edit = withTime(asked, () => editedSchedule(before, body, look.now, minGapMs));
  if (asked.budget !== null || edit.body === undefined) return edit;
  const { budget: _, ...without } = edit.body;
  return { ...edit, body: without };
}

/** Whether it runs, after all else was changed. */
function standing(
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
  // Words for a rule say its time of day, which is its start.
  const saysStart =
    request.cadence?.type === "rrule"
      ? request.cadence.start !== undefined
      : whenText !== body.whenText;
  return { cadence: countedOn(body.cadence, cadence, saysStart), whenText };
}

/** A zone alone is the zone of the time it has. */
function zoneChange({ timezone }: Input, { body }: Schedule): Partial<Body> {
  if (timezone === undefined) return {};
  const { cadence } = body;
  if ("zone" in cadence) {
    const moved: Cadence = { ...cadence, zone: checkZone(timezone) };
    return { cadence: moved };
  }
  const sentence = `It runs ${cadence.type === "once" ? "once" : "at even distances"}, whatever the zone: say "when" too.`;
  throw new DaybookError("invalid", sentence);
}
