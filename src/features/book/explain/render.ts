import { is } from "../../../kernel/kind.ts";
import type { Reader } from "../../../kernel/operation.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import type { Language } from "../../../platform/language.ts";
import { oneLine, quote } from "../../../platform/text.ts";
import { distance, inWords, span } from "../../../time/times.ts";
import {
  whenMessage,
  whenNext,
  whenRules,
  whenRuns,
  whenSaid,
  whenTime,
} from "../../events/explain.ts";
import { nagNext, nagRules, nagSaid, nagTime } from "../../nags/explain.ts";
import { notificationKind } from "../../notifications/kind.ts";
import {
  nextRun,
  receiptOf,
  recentLines,
  runHeadline,
  runRules,
  saidLines,
} from "../../schedules/explain.ts";
import type { Label, Texts } from "../../texts/shape.ts";
import { textsOf } from "../../texts/texts.ts";
import { workspaceMessage, workspaceNext, workspaceRules } from "../../workspaces/explain.ts";
import { budgetLines } from "./budget.ts";
import { causeLines, slotLines } from "./causes.ts";
import { scheduleChanges } from "./history.ts";
import { restLines } from "./pause.ts";
import type { Explained } from "./view.ts";

const charsMax = 200;
/** More than this many of a sort are not read by anybody. */
const partsMax = 12;

type Change = Explained["history"][number];

/** A record's story: where it stands, why, what was asked, by which rules, what happened, what is next. */
export function tell(story: Explained, reader: Reader): string {
  const texts = textsOf(reader.language);
  const lines: [Label, string[]][] = [
    ["message", message(story)],
    ["because", causes(story, texts, reader)],
    ["asked", asked(story, texts, reader)],
    ["time", time(story, texts, reader)],
    ["rules", joined(rules(story, texts, reader))],
    ["runs", runs(story, texts, reader)],
    ["attempts", shortened(attempts(story, texts, reader), texts)],
    ["said", saids(story, texts, reader)],
    ["changes", joined(shortened(edits(story, texts, reader), texts))],
    ["next", next(story, texts, reader)],
  ];
  const labels = lines.map(([name]) => texts.label(name).length);
  const width = Math.max(...labels);
  return [
    headline(story, texts, reader),
    ...lines.flatMap(([name, all]) =>
      all.map((text) => `  ${texts.label(name).padEnd(width)}  ${text}`),
    ),
  ].join("\n");
}

function headline(story: Explained, texts: Texts, reader: Reader): string {
  const { kind, id, ended_at: end, notification, run, schedule, nag } = story;
  const state = nag?.state ?? story.state;
  if (run !== null) return runHeadline(run, texts, reader);
  const when = end === null ? null : `${said(end, reader)} ${reader.zone}`;
  const named = schedule === null ? id : `${quote(schedule.name)} ${id}`;
  const target = (notification ?? nag)?.target ?? null;
  const head = texts.headline({ kind, id: named, state, when, target });
  if (notification === null) return head;
  const { receipt, maybe_delivered: maybe } = notification;
  const arrived = maybe ? texts.mayHaveArrived(state === "delivered") : "";
  return `${head}${receiptOf(receipt, texts)}${arrived}`;
}

/** What it says, or has said. */
function message(story: Explained): string[] {
  const { notification, run, nag } = story;
  const text =
    notification?.message ??
    nag?.title ??
    run?.output_summary ??
    whenMessage(story) ??
    workspaceMessage(story);
  return text === null ? [] : [oneLine(text, charsMax)];
}

function runs(story: Explained, texts: Texts, reader: Reader): string[] {
  const { schedule } = story;
  return schedule === null ? whenRuns(story, texts) : recentLines(schedule, texts, reader);
}

function saids(story: Explained, texts: Texts, reader: Reader): string[] {
  const { nag, event } = story;
  if (event !== null) return whenSaid(story, texts, reader);
  return nag === null ? saidLines(story, texts, reader) : nagSaid(nag, texts);
}

function causes({ because, notification }: Explained, texts: Texts, reader: Reader): string[] {
  return because.flatMap((cause, index) => {
    const isReplaced =
      index === 0 && is(notificationKind, cause) && notification?.collapse_key != null;
    return isReplaced ? [texts.replaces(cause)] : causeLines(cause, texts, reader);
  });
}

function asked(story: Explained, texts: Texts, reader: Reader): string[] {
  // Nobody asks for a slot: it comes.
  if (story.run?.because === "cadence") return [];
  const when = said(story.created_at, reader);
  const { origin = null, target_because: because = null } = story.notification ?? story.nag ?? {};
  const by = texts.askedBy({ by: story.created_by, when, origin });
  return [because === null ? by : `${by}; ${texts.targetBecause(because)}`];
}

function time(story: Explained, texts: Texts, reader: Reader): string[] {
  const { notification, run, schedule, nag } = story;
  if (nag !== null) return nagTime(nag, texts, reader);
  if (run !== null) return slotLines(run, texts, reader);
  if (schedule !== null) return [schedule.when];
  if (story.event !== null) return whenTime(story, reader);
  if (notification === null) return [];
  const { due, at_text: words, delivered_at: end } = notification;
  const late =
    end === null ? null : span(Math.max(fromIso(end) - fromIso(due.utc), 0), reader.language);
  const when = `${said(due.utc, reader)} ${reader.zone}`;
  return [texts.dueAt({ when, words: quote(words), late })];
}

function rules(story: Explained, texts: Texts, reader: Reader): string[] {
  const { notification, run, schedule, paused, nag } = story;
  if (nag !== null) return nagRules(nag, texts);
  const limits = budgetLines(story, texts);
  if (run !== null) return [...runRules(story, texts, reader), ...limits];
  if (notification !== null) return [...sayingRules(story, texts, reader), ...limits];
  if (schedule === null) return [...whenRules(story, texts), ...workspaceRules(story, reader)];
  const rests = restLines(paused, texts, reader);
  const { reason } = schedule;
  const why = reason === null || rests.length > 0 ? [] : [oneLine(texts.reason(reason), charsMax)];
  return [...rests, ...why, ...limits];
}

function sayingRules(story: Explained, texts: Texts, reader: Reader): string[] {
  const { notification, quiet, because } = story;
  if (notification === null) return [];
  const { priority, expires_at: end, at_most_once: once, collapse_key: key, type } = notification;
  const hours = quiet === null ? "" : `${quiet.from}-${quiet.to}`;
  const policy = type === "run" ? (because[0]?.run?.notify ?? null) : null;
  return [
    ...neverTried(story),
    ...(policy === null ? [] : [texts.told(policy === "conditional")]),
    ...(quiet === null ? [] : [texts.quiet({ hours, isInForce: quiet.in_force })]),
    ...(quiet !== null && priority === "high" ? [texts.urgent()] : []),
    ...(once ? [texts.atMostOnce()] : []),
    ...(end === null ? [] : [texts.expires(said(end, reader))]),
    ...(key === null ? [] : [texts.collapses(quote(key))]),
  ];
}

/** What was written as failed was never tried: no attempt says why. */
function neverTried({ history }: Explained): string[] {
  const first = history.find(({ what, state }) => what === "appended" && state === "failed");
  return first?.note == null ? [] : [oneLine(first.note, charsMax)];
}

function attempts({ history, kind }: Explained, texts: Texts, reader: Reader): string[] {
  // Each slot is an attempt at a schedule, and each time it is said one at a nag: those tell more.
  if (kind === "schedule" || kind === "nag") return [];
  const all = history.filter(({ what }) => what === "lapsed" || what === "settled");
  return all.map((change) => {
    const { what, by, state, claimed_at: start } = change;
    const attempt = String(change.attempt);
    // When the only one was, the first line and its length say.
    const when = start === null || all.length === 1 ? null : said(start, reader);
    if (what === "lapsed") return texts.cutOff({ attempt, by, when });
    const took = start === null ? null : span(fromIso(change.at) - fromIso(start), reader.language);
    return `${texts.attempt({ attempt, by, state, took, when })}${note(change, texts)}`;
  });
}

function edits({ history, kind }: Explained, texts: Texts, reader: Reader): string[] {
  if (kind === "schedule") return scheduleChanges(history, texts, reader);
  const says = {
    edited: texts.edited,
    cancelling: texts.cancelAsked,
    cancelled: texts.cancelledBy,
  };
  return history.flatMap((change) => {
    const { what, by, at } = change;
    if (what !== "edited" && what !== "cancelling" && what !== "cancelled") return [];
    return [`${says[what]({ by, when: said(at, reader) })}${note(change, texts)}`];
  });
}

function next(story: Explained, texts: Texts, reader: Reader): string[] {
  const { waits, held_back: held, schedule, nag } = story;
  if (waits === null) return [];
  if (held !== null) return restLines(held, texts, reader);
  const own = nag === null ? whenNext(story, texts, reader) : nagNext(nag, texts, reader);
  const kept = own ?? workspaceNext(story, reader);
  if (kept !== undefined) return [kept];
  const { at, holder, parked: isParked, cancelling: isCancelling } = waits;
  const ms = at === null ? null : fromIso(at);
  const { zone, language, now } = reader;
  if (ms !== null && ms <= now) return [late(story, now - ms, { texts, language })];
  const coming = schedule === null ? undefined : nextRun(schedule, texts, reader);
  if (coming !== undefined) return [coming];
  if (ms === null) return [texts.waitsForNothing()];
  if (holder !== null) return [texts.atWork({ by: holder, isCancelling })];
  const far = distance(ms - now, language);
  return [texts.comes({ when: inWords(ms, zone, language), far, isParked })];
}

/** Its time has come, and it is still there. */
function late(
  { waits, notification, run }: Explained,
  lateMs: number,
  { texts, language }: { texts: Texts; language: Language },
): string {
  const cutOff = waits?.holder ?? null;
  if (run?.unknown_task !== undefined && cutOff === null) return texts.nobodyRuns(run.unknown_task);
  return waits?.listener === true && notification !== null && cutOff === null
    ? texts.waitsForListener(notification.target)
    : texts.overdue({ span: span(lateMs, language), cutOff });
}

function note({ note }: Change, texts: Texts): string {
  return note === null ? "" : `: ${oneLine(texts.reason(note), charsMax)}`;
}

function said(at: string, { zone, language }: Reader): string {
  return inWords(fromIso(at), zone, language);
}

function shortened(parts: readonly string[], texts: Texts): string[] {
  const left = parts.length - partsMax;
  return left > 0 ? [texts.earlierLeftOut(String(left)), ...parts.slice(left)] : [...parts];
}

function joined(parts: readonly string[]): string[] {
  return parts.length === 0 ? [] : [parts.join(" · ")];
}
