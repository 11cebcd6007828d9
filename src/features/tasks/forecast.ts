import type { Context } from "../../kernel/operation.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { isoOr } from "../../platform/iso-time.ts";
import { oneLine } from "../../platform/text.ts";
import { inWords } from "../../time/times.ts";
import {
  type Outlook,
  outlookOf,
  pauseHold,
  released,
  shownWaiting,
  waitOf,
  type WaitingView,
} from "../notifications/index.ts";
import { isInLine, waitsForEnd } from "./capacity.ts";
import { attemptOf, type TaskKind } from "./kind.ts";
import { isRunLocally } from "./operations/runnable.ts";
import { textsOf } from "./texts.ts";

type Task = LedgerRecord<TaskKind>;

/** What decides when a task runs, beside its own record. */
export interface RunOutlook extends Outlook {
  /** Whether a program here runs tasks of this name. */
  isRunLocally(name: string): boolean;
}

export async function runOutlookOf(context: Context): Promise<RunOutlook> {
  return {
    ...(await outlookOf(context)),
    isRunLocally: (name) => isRunLocally(name, context),
  };
}

interface RunForecast {
  /** Null: at no known time. Before now: it is due. */
  readonly at: number | null;
  readonly waiting: WaitingView | null;
}

const nothing: RunForecast = { at: null, waiting: null };
const charsMax = 200;

/** When a task runs next, and why not sooner. */
export function forecastOf(record: Task, outlook: RunOutlook): RunForecast {
  const { endedAt, wakeAt, lease } = record;
  if (endedAt !== null) return nothing;
  const { now } = outlook;
  if (lease !== null && wakeAt !== null && wakeAt > now) {
    return { at: now, waiting: shownWaiting({ for: "attempt", by: lease.holder }, outlook) };
  }
  const asleep = sleepOf(record, outlook);
  if (asleep !== undefined) return { at: null, waiting: asleep };
  if (wakeAt === null) return nothing;
  const { at, hold } = released(Math.max(wakeAt, now), (time) => pauseHold(record, time, outlook));
  if (hold !== undefined) return { at, waiting: shownWaiting(hold, outlook) };
  return { at: wakeAt, waiting: rateLimitOf(record, outlook) ?? blockOf(record, outlook) };
}

/** An answer or a callback wakes it, and not a time. */
function sleepOf({ state, outcome, id }: Task, { language }: Outlook): WaitingView | undefined {
  const texts = textsOf(language).waits;
  if (state === "needs_human") {
    return { for: "answer", until: isoOr(outcome?.askedUntil), text: texts.answer(id) };
  }
  const until = outcome?.callback === undefined ? outcome?.awaitsUntil : undefined;
  return until === undefined
    ? undefined
    : { for: "callback", until: isoOr(until), text: texts.callback() };
}

/** The rate of its handler is used up. */
function rateLimitOf({ body, outcome }: Task, outlook: RunOutlook): WaitingView | undefined {
  const { now, zone, language } = outlook;
  const at = outcome?.rateUntil;
  if (at === undefined || at <= now) return undefined;
  const until = `${inWords(at, zone, language)} ${zone}`;
  const text = textsOf(language).waits.rate({ handler: body.rate?.name ?? body.name, until });
  return { for: "rate", until: isoOr(at), text: oneLine(text, charsMax) };
}

/** What a task whose time has come, or that was claimed and put back, waits for. */
function blockOf(record: Task, outlook: RunOutlook): WaitingView | null {
  const { body, outcome, wakeAt, lease } = record;
  const texts = textsOf(outlook.language);
  const waits = (reason: WaitingView["for"], text: string): WaitingView => {
    return { for: reason, until: null, text: oneLine(text, charsMax) };
  };
  if (isInLine(record)) return waits("capacity", texts.waits.capacity());
  if (waitsForEnd(record, outlook.now)) return waits("turn", texts.waits.turn());
  if (outcome !== null && (outcome.reason !== null || lease !== null)) {
    return shownOr(waitOf({ ...record, attempt: attemptOf(record) }, outlook.now, outcome.reason));
  }
  if (outcome !== null && body.in !== undefined && lease === null) {
    return waits("workspace", texts.waits.workspace(body.in));
  }
  if ((wakeAt ?? Infinity) > outlook.now) return shownOr(waitOf(record, outlook.now, null));
  const { event, name } = body;
  if (event !== undefined && name === event.handler) {
    return waits("worker", texts.waitsForWorker({ handler: event.handler }));
  }
  if (!outlook.isRunLocally(name)) return waits("worker", texts.noRunner(name));
  return shownOr(waitOf(record, outlook.now, null));

  function shownOr(waiting: ReturnType<typeof waitOf>): WaitingView | null {
    return waiting === undefined ? null : shownWaiting(waiting, outlook);
  }
}
