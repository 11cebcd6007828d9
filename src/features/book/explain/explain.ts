import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { Change } from "../../../kernel/reading.ts";
import type { AnyRecord, LedgerRecord } from "../../../kernel/record.ts";
import { isoOf, isoOr } from "../../../platform/iso-time.ts";
import { lookOf, type Look } from "../../accounts/moment-view.ts";
import { aboutEvent } from "../../events/explain.ts";
import { eventKind } from "../../events/kind.ts";
import { handledTasks } from "../../events/operations/handled-tasks.ts";
import { shownQuestion } from "../../events/operations/question-view.ts";
import { questionKind } from "../../events/question.ts";
import { aboutNag } from "../../nags/explain.ts";
import { nagKind } from "../../nags/kind.ts";
import { socketQueue, notificationKind } from "../../notifications/kind.ts";
import { partInputs, partly, type Part } from "../../notifications/operations/long-texts.ts";
import { shown } from "../../notifications/operations/view.ts";
import { quietUntil } from "../../notifications/quiet-hours.ts";
import { type ScheduleKind, scheduleKind } from "../../schedules/kind.ts";
import { shownSchedule } from "../../schedules/operations/view.ts";
import { type TaskKind, taskKind } from "../../tasks/kind.ts";
import { isRunHere } from "../../tasks/operations/runnable.ts";
import { shownRunOf } from "../../tasks/operations/view.ts";
import { aboutWorkspace } from "../../workspaces/explain.ts";
import { workspaceKind } from "../../workspaces/kind.ts";
import { budgetOf } from "./budget.ts";
import { type Cause, shownCause } from "./causes.ts";
import { findAny } from "./find.ts";
import { historyOf } from "./history.ts";
import { heldBackBy, pauseNow, pauseThen } from "./pause.ts";
import { tell } from "./render.ts";
import { numberOf, recentRuns, runBefore, saidOf } from "./runs.ts";
import { explainedView, type Explained } from "./view.ts";

type Schedule = LedgerRecord<ScheduleKind>;

const depthMax = 16;

export const explain = operation({
  name: "explain",
  words: "Say why something did, did not, or will happen.",
  input: z.strictObject({
    id: z.string().describe("which one, by its id; a schedule also by its name"),
    ...partInputs,
  }),
  output: explainedView,
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/explain/{id}" },
  command: { name: "explain", positionals: ["id"] },
  tool: "always",
  async run({ id: which, ...asked }, context): Promise<Explained> {
    const book = bookOf(context);
    const record = await findAny(book, which);
    const look = lookOf(context);
    const causes = await causesOf(book, record);
    const { changes, ...past } = await historyOf(book, record);
    const { notification, quiet } = aboutNotification(record, context);
    const { view, part } =
      notification === null ? { view: null, part: whole } : partly(notification, asked);
    const schedule = [record, ...causes].find((each) => is(scheduleKind, each));
    // What a schedule may use is its own matter, whatever run made it.
    const run = is(scheduleKind, record)
      ? undefined
      : [record, ...causes].find((each) => is(taskKind, each));
    return {
      ...standing(record),
      notification: view,
      quiet,
      ...part,
      run: is(taskKind, record) ? await aboutRun(book, record, { schedule, look, context }) : null,
      schedule: is(scheduleKind, record) ? await aboutSchedule(book, record, look) : null,
      nag: is(nagKind, record) ? await aboutNag(record, context) : null,
      event: is(eventKind, record) ? await aboutEvent(record, context) : null,
      question: is(questionKind, record) ? shownQuestion(record) : null,
      workspace: is(workspaceKind, record) ? aboutWorkspace(record) : null,
      because: await shownCauses(book, causes, look),
      budget: budgetOf(schedule, run, look),
      paused: await pausedBy(book, record, { schedule, changes }),
      held_back: await heldBackBy(context, record),
      ...past,
    };
  },
  say: tell,
});

const whole: Part = { next_offset: null, remaining: 0 };

/** What is true of a record of any kind. Its body is not: it may hold a secret. */
function standing(
  record: AnyRecord,
): Pick<Explained, "id" | "kind" | "state" | "created_at" | "created_by" | "ended_at" | "waits"> {
  const { id, kind, state, by, wakeAt, readyAt, lease, cancelling, endedAt, queue } = record;
  const parked = lease === null && wakeAt !== null && readyAt !== null && readyAt < wakeAt;
  const holder = lease?.holder ?? null;
  const waits = { at: isoOr(wakeAt), holder, parked, listener: queue === socketQueue, cancelling };
  return {
    id,
    kind,
    state,
    created_at: isoOf(record.createdAt),
    created_by: by,
    ended_at: isoOr(endedAt),
    waits: endedAt === null ? waits : null,
  };
}

function aboutNotification(
  record: AnyRecord,
  context: Context,
): Pick<Explained, "notification" | "quiet"> {
  if (!is(notificationKind, record)) return { notification: null, quiet: null };
  const { quiet, zone } = context.profile;
  const { at, atText, origin } = record.body;
  return {
    notification: { ...shown(record, lookOf(context)), origin, at_text: atText },
    quiet:
      quiet === null ? null : { ...quiet, in_force: quietUntil(at, quiet, zone) !== undefined },
  };
}

async function aboutRun(
  book: Book,
  record: LedgerRecord<TaskKind>,
  { schedule, look, context }: { schedule: Schedule | undefined; look: Look; context: Context },
): Promise<Explained["run"]> {
  const { name } = record.body;
  const isUnknown = record.endedAt === null && !isRunHere(name, context);
  return {
    ...(await shownRunOf(book, record, handledTasks)),
    number: await numberOf(book, record),
    notify: record.body.slot?.notify ?? null,
    notify_after_failures: schedule?.body.notifyAfterFailures ?? null,
    said: await saidOf(book, record.id),
    ...(isUnknown ? { unknown_task: name } : {}),
    run_before: await runBefore(book, record, look),
  };
}

async function aboutSchedule(
  book: Book,
  record: Schedule,
  look: Look,
): Promise<Explained["schedule"]> {
  return { ...shownSchedule(record, look), runs: await recentRuns(book, record.id, look) };
}

async function pausedBy(
  book: Book,
  record: AnyRecord,
  { schedule, changes }: { schedule: Schedule | undefined; changes: readonly Change[] },
): Promise<Explained["paused"]> {
  if (is(scheduleKind, record)) return pauseNow(record, changes);
  if (!is(taskKind, record) || schedule === undefined) return null;
  const isSkipped = record.state === "skipped" && record.outcome?.reason === "paused";
  return isSkipped ? pauseThen(book, record, schedule) : null;
}

async function causesOf(book: Book, record: AnyRecord): Promise<AnyRecord[]> {
  const found: AnyRecord[] = [];
  let { parent } = record;
  while (parent !== null && found.length < depthMax) {
    const cause = await book.get(parent);
    if (cause === undefined) break;
    found.push(cause);
    ({ parent } = cause);
  }
  return found;
}

async function shownCauses(book: Book, causes: readonly AnyRecord[], look: Look): Promise<Cause[]> {
  const found: Cause[] = [];
  for (const cause of causes) {
    const number = is(taskKind, cause) ? await numberOf(book, cause) : null;
    found.push(shownCause(cause, look, number));
  }
  return found;
}
