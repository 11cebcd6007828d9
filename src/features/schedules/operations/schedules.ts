import * as z from "zod";
import { exampleId, operation } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { atPath } from "../../../platform/at-path.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { oneLine, harmless } from "../../../platform/text.ts";
import { checkCadence } from "../../../time/cadence.ts";
import { renderCadence } from "../../../time/cadence/render.ts";
import { distance } from "../../../time/times.ts";
import { momentOptions, dueView } from "../../accounts/index.ts";
import { fields } from "../../notifications/index.ts";
import type { ScheduleKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { schedulesIn, findSchedule } from "./find-schedule.ts";
import { requireWhen, withTime } from "./input-when.ts";
import { scheduleId, scheduleAliases, whenInputs, fromSeeds } from "./inputs.ts";
import { makingIn } from "./limits.ts";
import {
  lineOf,
  scheduleLine,
  scheduleView,
  shownSchedule,
  firesShownOf,
  shownCadence,
} from "./view.ts";

const input = z.strictObject({
  name: z.string().optional().describe("only what has this in its name"),
  status: scheduleLine.shape.status.optional().describe("only what is in this state"),
  cadence_type: scheduleLine.shape.cadence.shape.type
    .optional()
    .describe("only what has this sort of cadence"),
  notify: scheduleLine.shape.notify.optional().describe("only what is told so"),
  all: z.boolean().default(false).describe("also what has ended"),
  limit: z.coerce.number().int().min(1).max(50).default(20).describe("how many at most"),
  after: fields.after,
});
type Input = z.infer<typeof input>;

const page = z.object({
  schedules: z.array(scheduleLine),
  total: z.number().describe("how many match in all"),
  remaining: z.number().describe("how many follow after this page"),
  next: z.string().nullable().describe("where the next page starts; null on the last"),
});

export const searchSchedules = operation({
  name: "schedule_search",
  summary: "Show what runs again and again.",
  input,
  output: page,
  aliases: { name_contains: "name", notification: "notify", notification_policy: "notify" },
  example: { name: "report" },
  route: { method: "GET", path: "/v1/schedules" },
  command: { name: "schedules", positionals: ["name"] },
  tool: "always",
  async run(request, context) {
    const { status: state, all, limit, after } = request;
    const which = state === undefined ? (all ? {} : { live: true }) : { state };
    const found = (await schedulesIn(bookOf(context), { ...which, order: "newest" })).filter(
      (record) => matches(record, request),
    );
    const rest = after === undefined ? found : found.slice(placeOf(after, found) + 1);
    const page = rest.slice(0, limit);
    const remaining = rest.length - page.length;
    const look = momentOptions(context);
    return {
      schedules: page.map((record) => lineOf(record, look)),
      total: found.length,
      remaining,
      next: remaining === 0 ? null : (page.at(-1)?.id ?? null),
    };
  },
  render({ schedules, total, next }, { language, now }) {
    const texts = textsOf(language);
    if (schedules.length === 0) return texts.noSchedules();
    const lines = schedules.map((one) => {
      const far =
        one.next_run_at === null ? "" : distance(fromIso(one.next_run_at) - now, language);
      const count = one.consecutive_failures;
      const failures = count === 0 ? "" : `  ${texts.lastFailures(count)}`;
      const state = texts.state(one.status).padEnd(9);
      return `${one.id}  ${state}  ${oneLine(one.name, 40)}  ${one.when}  ${far}${failures}`.trimEnd();
    });
    const count = schedules.length;
    const more = next === null ? [] : [texts.ofAll({ count, total }), texts.more(next)];
    return [...lines, ...more].join("\n");
  },
});

function matches(
  { body }: LedgerRecord<ScheduleKind>,
  { name = "", cadence_type: type, notify }: Input,
): boolean {
  return (
    body.name.toLowerCase().includes(name.toLowerCase()) &&
    (type ?? body.cadence.type) === body.cadence.type &&
    (notify ?? body.notify) === body.notify
  );
}

function placeOf(id: string, found: readonly LedgerRecord<ScheduleKind>[]): number {
  const at = found.findIndex((record) => record.id === id);
  if (at !== -1) return at;
  throw new DaybookError("invalid", "The page before is not there any more: begin with the first.");
}

export const showSchedule = operation({
  name: "schedule_get",
  summary: "Show one schedule, whole.",
  input: z.strictObject({ id: scheduleId }),
  output: scheduleView,
  aliases: { schedule_id: scheduleAliases.schedule_id },
  example: { id: exampleId },
  route: { method: "GET", path: "/v1/schedules/{id}" },
  command: { name: "schedule show", positionals: ["id"] },
  run: async ({ id }, context) =>
    shownSchedule(await findSchedule(bookOf(context), id), momentOptions(context)),
  render(one, { language }) {
    const texts = textsOf(language);
    const { id, name, status: state, reason, target, when, next } = one;
    const count = one.consecutive_failures;
    return [
      texts.headline({ kind: "schedule", id, state, when: null, target }),
      `${name}${reason === null ? "" : ` (${texts.reason(reason)})`}`,
      ...(count === 0 ? [] : [texts.lastFailures(count)]),
      ...Object.entries(one.run).map(([part, value]) => `${part}: ${sayPart(value)}`),
      ...(next.length === 0 ? [when, texts.noFires()] : [texts.fires(when)]),
      ...next.map(({ text }) => `  ${text}`),
    ].join("\n");
  },
});

/** A command as it is typed. */
function sayPart(value: unknown): string {
  if (Array.isArray(value)) return value.map(sayWord).join(" ");
  return typeof value === "string" ? harmless(value) : JSON.stringify(value);
}

function sayWord(word: unknown): string {
  const text = String(word);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : JSON.stringify(text);
}

const preview = z.object({
  when: z.string().describe("when it would run, as a sentence"),
  cadence: scheduleView.shape.cadence,
  next: z.array(dueView),
  assumed: z.string().optional().describe("what the time did not say and was taken"),
});

export const previewSchedule = operation({
  name: "schedule_preview",
  summary: "Show when something would run, and write nothing.",
  input: z.strictObject({
    ...whenInputs,
    count: z.coerce.number().int().min(1).max(50).default(5).describe("how many times to show"),
  }),
  output: preview,
  adapt: fromSeeds,
  effect: "none",
  example: { when: "every weekday 9am" },
  route: { method: "POST", path: "/v1/schedules/preview" },
  command: { name: "preview", positionals: ["when"] },
  async run(request, context) {
    const look = momentOptions(context, request.timezone);
    const { cadence, assumed } = requireWhen(request, look);
    const { minGapMs } = makingIn(context, look.now);
    withTime(request, () => atPath("cadence", () => checkCadence(cadence, look.now, minGapMs)));
    return {
      when: renderCadence(cadence, look),
      cadence: shownCadence(cadence),
      next: firesShownOf(cadence, look, request.count),
      ...(assumed === undefined ? {} : { assumed }),
    };
  },
  render: ({ when, next }, { language }) =>
    [textsOf(language).fires(when), ...next.map(({ text }) => `  ${text}`)].join("\n"),
});
