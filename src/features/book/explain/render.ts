import type { ExplainPart, CauseView, ChangeView, WaitView } from "../../../kernel/explain.ts";
import type { Reader } from "../../../kernel/operation.ts";
import { fromIso } from "../../../platform/iso-time.ts";
import { oneLine } from "../../../platform/text.ts";
import { distance, inWords, span } from "../../../time/times.ts";
import { localTime } from "../../accounts/index.ts";
import { textsOf as notificationTexts } from "../../notifications/index.ts";
import { pauseLines } from "../../schedules/index.ts";
import type { Label } from "../en.ts";
import { type Texts, textsOf } from "../texts.ts";
import { attemptLines, noteText } from "./attempts.ts";
import type { Explained } from "./view.ts";

const charsMax = 200;
const linesMax = 12;

/** One record's answer, with the part of its kind and the view of that part. */
interface Page {
  readonly parts: readonly ExplainPart[];
  readonly story: Explained;
  readonly reader: Reader;
  readonly texts: Texts;
  readonly lines: ExplainPart["lines"];
  readonly view: View;
}
type View = Parameters<NonNullable<ExplainPart["lines"]["message"]>>[0];

/** A record's story: its state, causes, request, rules, attempts, changes and next step. */
export function render(parts: readonly ExplainPart[], story: Explained, reader: Reader): string {
  const page = pageOf(parts, story, reader);
  const { texts, lines, view } = page;
  const sections: [Label, readonly string[]][] = [
    ["message", message(page)],
    ["cause", causes(page)],
    ["request", request(page)],
    ["time", lines.time?.(view, reader) ?? []],
    ["rules", joined(rules(page))],
    ["runs", lines.runs?.(view, reader) ?? []],
    ["attempts", shortened(attempts(page), texts)],
    ["sent", lines.sent?.(view, reader) ?? []],
    ["changes", joined(shortened(changes(page), texts))],
    ["next", next(page)],
  ];
  const width = Math.max(...sections.map(([name]) => texts.label(name).length));
  return [
    headline(page),
    ...sections.flatMap(([name, all]) =>
      all.map((text) => `  ${texts.label(name).padEnd(width)}  ${text}`),
    ),
  ].join("\n");
}

function pageOf(parts: readonly ExplainPart[], story: Explained, reader: Reader): Page {
  const part = parts.find(({ key }) => valueAt(story, key) !== null);
  const view = part === undefined ? {} : (valueAt(story, part.key) as View); // as its schema has it
  return { parts, story, reader, texts: textsOf(reader.language), lines: part?.lines ?? {}, view };
}

function valueAt(object: object, key: string): unknown {
  return Reflect.get(object, key);
}

function headline({ story, reader, texts, lines, view }: Page): string {
  const { kind, id, state, ended_at: end } = story;
  const when = end === null ? null : `${localTime(end, reader)} ${reader.zone}`;
  const head = { kind, id, state, when, target: null };
  return lines.headline?.(view, head, reader) ?? texts.headline(head);
}

function message({ lines, view }: Page): string[] {
  const text = lines.message?.(view) ?? null;
  return text === null ? [] : [oneLine(text, charsMax)];
}

function causes({ parts, story, reader, texts, lines, view }: Page): string[] {
  return story.because.flatMap((cause, index) => {
    const first = index === 0 ? lines.firstCause?.(view, cause, reader) : undefined;
    if (first !== undefined) return [first];
    const { part, value } = causePart(parts, cause);
    return part === undefined ? [texts.because(cause)] : [...part.lines(value, cause, reader)];
  });
}

/** The part that shows a cause, and its view of the cause. */
function causePart(
  parts: readonly ExplainPart[],
  cause: CauseView,
): { part?: ExplainPart["cause"]; value: unknown } {
  for (const { key, cause: part } of parts) {
    const value = valueAt(cause, key);
    if (part !== undefined && value !== undefined) return { part, value };
  }
  return { value: undefined };
}

function request({ story, reader, texts, lines, view }: Page): string[] {
  const request = lines.request === undefined ? undefined : lines.request(view);
  // A slot has no request.
  if (request === null) return [];
  const { origin = null, target_because: because = null } = request ?? {};
  const when = localTime(story.created_at, reader);
  const by = texts.requestedBy({ by: story.created_by, when, origin });
  return [
    because === null ? by : `${by}; ${notificationTexts(reader.language).targetBecause(because)}`,
  ];
}

function rules({ parts, story, reader, lines, view }: Page): string[] {
  const [cause] = story.because;
  const { part, value } = cause === undefined ? { value: undefined } : causePart(parts, cause);
  const causeRules = part?.rules?.(value, reader) ?? [];
  return [
    ...(lines.rules?.(view, story, { reader, causeRules }) ?? []),
    ...parts.flatMap(({ fields }) => [...(fields?.rules?.(story, reader) ?? [])]),
  ];
}

function attempts({ story: { history }, reader, texts, lines }: Page): string[] {
  if (lines.hasAttempts === false) return [];
  const all = history.filter(({ what }) => what === "lapsed" || what === "settled");
  return attemptLines(all, { reader, texts });
}

function changes({ story: { history }, reader, texts, lines }: Page): readonly string[] {
  if (lines.changes !== undefined) return lines.changes(history, reader);
  const textOf = {
    edited: texts.edited,
    cancelling: texts.cancelRequested,
    cancelled: texts.cancelledBy,
  };
  return history.flatMap((change, index) => {
    const { what, by, at, state } = change;
    if (what !== "edited" && what !== "cancelling" && what !== "cancelled") return [];
    const before = history[index - 1];
    const isDone = state === "done" && before !== undefined && before.state !== state;
    if (what === "edited" && !isDone && !isByPerson(change, before, history[index + 1])) return [];
    const text = isDone ? texts.doneBy : textOf[what];
    return [`${text({ by, when: localTime(at, reader) })}${noteText(change.note, texts)}`];
  });
}

/** Whether a person edited it. A cancel may edit it in the same unit, and its end may be written as an edit. */
function isByPerson(
  { at, state }: ChangeView,
  before: ChangeView | undefined,
  after: ChangeView | undefined,
): boolean {
  const isCancel = after?.at === at && ["cancelled", "cancelling"].includes(after.what);
  return !isCancel && (before === undefined || before.state === state);
}

function next({ story, reader, texts, lines, view }: Page): string[] {
  const { waits, held_back: held } = story;
  if (waits === null) return [];
  if (held !== null) return pauseLines(held, reader);
  return [lines.next?.(view, waits, reader) ?? wakeLine(waits, texts, reader)];
}

/** When it is claimed next, or which node has it now. */
function wakeLine(waits: WaitView, texts: Texts, { zone, language, now }: Reader): string {
  const { at, holder, parked: isParked, cancelling: isCancelling } = waits;
  if (at === null) return texts.waitsForNothing();
  const ms = fromIso(at);
  if (ms <= now) return texts.overdue({ span: span(now - ms, language), cutOff: holder });
  if (holder !== null) return texts.atWork({ by: holder, isCancelling });
  const far = distance(ms - now, language);
  return texts.comes({ when: inWords(ms, zone, language), far, isParked });
}

function shortened(lines: readonly string[], texts: Texts): readonly string[] {
  const left = lines.length - linesMax;
  return left > 0 ? [texts.earlierLeftOut(String(left)), ...lines.slice(left)] : lines;
}

function joined(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [lines.join(" · ")];
}
