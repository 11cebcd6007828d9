import type { Reader } from "../../../kernel/operation.ts";
import type { Language } from "../../../platform/language.ts";
import { harmless, oneLine } from "../../../platform/text.ts";
import { span } from "../../../time/times.ts";
import { createdRow, renderSheet, type SheetRow, zonedTime } from "../../accounts/index.ts";
import { runLines, type RunCauseView } from "../../tasks/index.ts";
import { textsOf } from "../texts.ts";
import type { ScheduleView } from "./view.ts";

type Shown = ScheduleView & { readonly runs: readonly RunCauseView[] };

/** A schedule with its settings, its next times and its last runs, for people. */
export function renderSchedule(view: Shown, reader: Reader): string {
  const { language } = reader;
  const texts = textsOf(language);
  const { id, name, status: state, ended_at: end, reason } = view;
  const when = end === null ? null : zonedTime(end, reader);
  const count = view.consecutive_failures;
  const rows: readonly SheetRow[] = [
    ["name", harmless(name)],
    ["why", reason === null ? null : harmless(texts.reason(reason))],
    ["waits", view.waiting?.text ?? null],
    [
      "when",
      view.when === view.when_text ? view.when : `${view.when} (${harmless(view.when_text)})`,
    ],
    ["next", end === null ? nextLines(view, reader) : null],
    ["runs", Object.entries(view.run).map(([part, value]) => `${part}: ${renderPart(value)}`)],
    ["target", view.target],
    ["output", view.notify],
    ["missed", view.misfire],
    ["overlap", view.overlap],
    ["timeout", span(view.timeout * 1_000, language)],
    ["budget", budget(view)],
    ["last", view.runs.flatMap((run) => runLines(run, reader))],
    ["failures", count === 0 ? null : texts.lastFailures(count)],
    ["warning", warningOf(view, language)],
    createdRow(view, reader),
  ];
  return renderSheet(
    texts.headline({ kind: "schedule", id, state, when, target: null }),
    rows,
    reader,
  );
}

function nextLines({ name, status, next }: Shown, { language }: Reader): readonly string[] {
  const texts = textsOf(language);
  if (next.length > 0) return next.map(({ text }) => text);
  const isOff = status === "paused" || status === "disabled";
  return [isOff ? texts.waitsForResume(oneLine(name, 100)) : texts.noFires()];
}

function warningOf({ warning, undelivered_runs: count }: Shown, language: Language): string | null {
  if (warning === null) return null;
  return `⚠ ${textsOf(language).undelivered(count)}: ${harmless(warning)}`;
}

function budget({ budget: limits }: ScheduleView): string | null {
  if (limits === null) return null;
  return Object.entries(limits)
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${value}`)
    .join(", ");
}

/** A command as it is typed. */
function renderPart(value: unknown): string {
  if (Array.isArray(value)) return value.map(renderWord).join(" ");
  return typeof value === "string" ? harmless(value) : JSON.stringify(value);
}

function renderWord(word: unknown): string {
  const text = String(word);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : JSON.stringify(text);
}
