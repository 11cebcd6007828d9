import * as z from "zod";
import { bookOf } from "../../kernel/book.ts";
import { explainPart, type CauseView, type WaitView } from "../../kernel/explain.ts";
import { is } from "../../kernel/kind.ts";
import type { Reader } from "../../kernel/operation.ts";
import type { AnyRecord, LedgerRecord } from "../../kernel/record.ts";
import { fromIso, isoOf } from "../../platform/iso-time.ts";
import { oneLine, quote } from "../../platform/text.ts";
import { renderCadence } from "../../time/cadence/render.ts";
import { distance, inWords } from "../../time/times.ts";
import { momentOptions, localTime } from "../accounts/index.ts";
import { outlookOf } from "../notifications/index.ts";
import { endReason, taskKind, recentRuns, type RunCauseView, runLines } from "../tasks/index.ts";
import { budgetLines, budgetOf, budgetView } from "./budget.ts";
import {
  historyRange,
  scheduleChanges,
  pauseLines,
  pauseNow,
  pauseThen,
  pauseView,
} from "./history.ts";
import { type ScheduleKind, scheduleKind } from "./kind.ts";
import { scheduleView, viewSchedule, type ScheduleView } from "./operations/view.ts";
import { textsOf } from "./texts.ts";

const charsMax = 200;

const cause = z.object({
  name: z.string(),
  when: z.string(),
  created_at: z.string(),
  created_by: z.string(),
  origin: z.string().nullable(),
});

export const explainSchedule = explainPart({
  key: "schedule",
  kind: scheduleKind,
  view: scheduleView,
  nullMeaning: "null: the record is not a schedule",
  links: { runs: { holds: "many", description: "its newest runs" } },
  async build(record, { context }) {
    const runs = await recentRuns(bookOf(context), record.id);
    return { ...viewSchedule(record, await outlookOf(context)), runs };
  },
  cause: {
    schema: cause,
    async build({ body, by, createdAt }, context) {
      const when = renderCadence(body.cadence, momentOptions(context));
      const { name, origin } = body;
      return { name, when, created_at: isoOf(createdAt), created_by: by, origin };
    },
    lines: causeLines,
  },
  fields: {
    schemas: {
      budget: budgetView.nullable(),
      paused: pauseView
        .nullable()
        .describe("the pause of a schedule, or of the schedule of a slot"),
    },
    async build(record, { context, causes, changes }) {
      const schedule = scheduleAmong([record, ...causes]);
      // A schedule shows its own budget, even if a run created it.
      const run = is(scheduleKind, record)
        ? undefined
        : [record, ...causes].find((each) => is(taskKind, each));
      const budget = budgetOf(schedule, run, momentOptions(context));
      if (is(scheduleKind, record)) return { budget, paused: pauseNow(record, changes) };
      if (!is(taskKind, record) || schedule === undefined) return { budget, paused: null };
      const isSkipped = record.state === "skipped" && record.outcome?.reason === "paused";
      const book = bookOf(context);
      return { budget, paused: isSkipped ? await pauseThen(book, record, schedule) : null };
    },
    rules: (story, reader) => [...pauseLines(story.paused, reader), ...budgetLines(story, reader)],
  },
  history: (record, book) => historyRange(book, record),
  lines: {
    headline({ name }, head, { language }) {
      return textsOf(language).headline({ ...head, id: `${quote(name)} ${head.id}` });
    },
    time: ({ when }) => [when],
    rules({ reason }, { paused }, { reader }) {
      if (reason === null || paused !== null) return [];
      return [oneLine(textsOf(reader.language).reason(reason), charsMax)];
    },
    runs: recentLines,
    hasAttempts: false, // its runs show the attempts
    changes: scheduleChanges,
    next: nextRun,
  },
});

/** The failures after which a run's owner is notified, by the schedule among its causes. */
export function noticesAfterFailures(causes: readonly AnyRecord[]): number | null {
  return scheduleAmong(causes)?.body.notifyAfterFailures ?? null;
}

function scheduleAmong(records: readonly AnyRecord[]): LedgerRecord<ScheduleKind> | undefined {
  return records.find((each) => is(scheduleKind, each));
}

function causeLines(
  { name, when, created_at: at, created_by: by, origin }: z.infer<typeof cause>,
  { state }: CauseView,
  reader: Reader,
): string[] {
  const texts = textsOf(reader.language);
  return [
    texts.scheduleAsCause({ name: oneLine(name, 100), when, state }),
    texts.createdBy({ by, when: localTime(at, reader), origin }),
  ];
}

interface Recent extends ScheduleView {
  readonly runs: readonly RunCauseView[];
}

/** The newest runs of a schedule, and its consecutive failures. */
function recentLines({ runs, consecutive_failures: failures }: Recent, reader: Reader): string[] {
  const texts = textsOf(reader.language);
  if (runs.length === 0) return [texts.notRunYet()];
  const lines = runs.flatMap((each) => {
    const reason = each.run?.reason ?? null;
    const suffix = reason === null ? "" : `: ${endReason(reason, reader)}`;
    return runLines(each, reader).map((line) => `${line}${suffix}`);
  });
  return [...lines, ...(failures === 0 ? [] : [texts.lastFailures(failures)])];
}

/** When a schedule runs next; undefined when that is its wake time. */
function nextRun(
  { name, status, next }: ScheduleView,
  { at: wakeAt }: WaitView,
  { zone, language, now }: Reader,
): string | undefined {
  if (wakeAt !== null && fromIso(wakeAt) <= now) return undefined;
  const texts = textsOf(language);
  const [coming] = next;
  if (coming === undefined) {
    const isOff = status === "paused" || status === "disabled";
    return isOff ? texts.waitsForResume(oneLine(name, 100)) : undefined;
  }
  const at = fromIso(coming.utc);
  const far = distance(at - now, language);
  return texts.comes({ when: inWords(at, zone, language), far, isParked: false });
}
