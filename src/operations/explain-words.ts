import { oneLine, quote } from "../rules/text.ts";
import { textsOf, type Label, type Texts } from "../rules/texts/texts.ts";
import { distance, inWords, span } from "../rules/times.ts";
import { causeLines, slotLines } from "./explain-causes.ts";
import type { Explained } from "./explain.ts";
import { fromIso } from "./notification-view.ts";
import type { Reader } from "./operation.ts";

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
    ["asked", [asked(story, texts, reader)]],
    ["time", time(story, texts, reader)],
    ["rules", joined(rules(story, texts, reader))],
    ["attempts", joined(shortened(attempts(story, texts, reader), texts))],
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
  const { kind, id, state, ended_at: end, notification } = story;
  const when = end === null ? null : `${said(end, reader)} ${reader.zone}`;
  const head = texts.headline({ kind, id, state, when, target: notification?.target ?? null });
  if (notification === null) return head;
  const { receipt, maybe_delivered: maybe } = notification;
  const proof =
    receipt === null ? "" : texts.receipt(oneLine(JSON.stringify(receipt) ?? "", charsMax));
  return `${head}${proof}${maybe ? texts.mayHaveArrived(state === "delivered") : ""}`;
}

/** What it says, has said, or is called. */
function message({ notification, run, schedule }: Explained): string[] {
  const text = notification?.message ?? run?.output_summary ?? run?.name ?? schedule?.name;
  return text === undefined ? [] : [oneLine(text, charsMax)];
}

function causes({ because, notification }: Explained, texts: Texts, reader: Reader): string[] {
  return because.flatMap((cause, index) => {
    const isReplaced =
      index === 0 && cause.kind === "notification" && notification?.collapse_key != null;
    return isReplaced ? [texts.replaces(cause)] : causeLines(cause, texts, reader);
  });
}

function asked(story: Explained, texts: Texts, reader: Reader): string {
  const when = said(story.created_at, reader);
  const { origin = null, target_because: because = null } = story.notification ?? {};
  const by = texts.askedBy({ by: story.created_by, when, origin });
  return because === null ? by : `${by}; ${texts.targetBecause(because)}`;
}

function time(story: Explained, texts: Texts, reader: Reader): string[] {
  const { notification, run, schedule } = story;
  if (run !== null) return slotLines(run, texts, reader);
  if (schedule !== null) return [schedule.when];
  if (notification === null) return [];
  const { due, at_text: words, delivered_at: end } = notification;
  const late =
    end === null ? null : span(Math.max(fromIso(end) - fromIso(due.utc), 0), reader.language);
  const when = `${said(due.utc, reader)} ${reader.zone}`;
  return [texts.dueAt({ when, words: quote(words), late })];
}

function rules(story: Explained, texts: Texts, reader: Reader): string[] {
  const { notification, quiet, run, schedule } = story;
  if (notification === null) {
    const reason = run?.reason ?? schedule?.reason ?? null;
    return reason === null ? [] : [oneLine(reason, charsMax)];
  }
  const { priority, expires_at: end, at_most_once: once, collapse_key: key } = notification;
  const hours = quiet === null ? "" : `${quiet.from}-${quiet.to}`;
  return [
    ...(quiet === null ? [] : [texts.quiet({ hours, isInForce: quiet.in_force })]),
    ...(quiet !== null && priority === "high" ? [texts.urgent()] : []),
    ...(once ? [texts.atMostOnce()] : []),
    ...(end === null ? [] : [texts.expires(said(end, reader))]),
    ...(key === null ? [] : [texts.collapses(quote(key))]),
  ];
}

function attempts({ history }: Explained, texts: Texts, reader: Reader): string[] {
  return history.flatMap((change) => {
    const { what, by, state, claimed_at: start } = change;
    const attempt = String(change.attempt);
    if (what === "lapsed") return [texts.cutOff({ attempt, by })];
    if (what !== "settled") return [];
    const took = start === null ? null : span(fromIso(change.at) - fromIso(start), reader.language);
    const left = texts.attempt({ attempt, by, state, took });
    return [`${left}${note(change)}`];
  });
}

function edits({ history }: Explained, texts: Texts, reader: Reader): string[] {
  const says = {
    edited: texts.edited,
    cancelling: texts.cancelAsked,
    cancelled: texts.cancelledBy,
  };
  return history.flatMap((change) => {
    const { what, by, at } = change;
    if (what !== "edited" && what !== "cancelling" && what !== "cancelled") return [];
    return [`${says[what]({ by, when: said(at, reader) })}${note(change)}`];
  });
}

function next({ waits }: Explained, texts: Texts, { zone, language, now }: Reader): string[] {
  if (waits === null) return [];
  const { at, holder, parked: isParked, cancelling: isCancelling } = waits;
  if (at === null) return [texts.waitsForNothing()];
  const ms = fromIso(at);
  if (ms <= now) return [texts.overdue({ span: span(now - ms, language), cutOff: holder })];
  if (holder !== null) return [texts.atWork({ by: holder, isCancelling })];
  const far = distance(ms - now, language);
  return [texts.comes({ when: inWords(ms, zone, language), far, isParked })];
}

function note({ note }: Change): string {
  return note === null ? "" : `: ${oneLine(note, charsMax)}`;
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
