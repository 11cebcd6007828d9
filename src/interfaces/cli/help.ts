import type { Language } from "../../platform/language.ts";
import type { CommandEntry } from "./command.ts";
import { exampleOf } from "./examples.ts";
import { overview } from "./groups.ts";
import { isPositional, readsStdin, type Input } from "./inputs.ts";
import { columns } from "./terminal-text.ts";

/** The language that help is written in. */
export interface HelpLanguage {
  readonly name: Language;
  /** Translates an English text of the help; one without a translation stays English. */
  translate(text: string): string;
}

export async function helpLanguage(name: Language): Promise<HelpLanguage> {
  if (name === "en") return { name, translate: (text) => text };
  const { default: korean } = await import("./help-ko.json", { with: { type: "json" } });
  const texts = new Map(Object.entries(korean));
  return { name, translate: (text) => texts.get(text) ?? text };
}

/** The overview of all commands, on one screen. */
export function help(commands: readonly CommandEntry[], language: HelpLanguage): string {
  const { translate } = language;
  const { everyday, nouns, others } = overview(commands);
  const examples = ["start", "remind", "schedule"].map((name) =>
    exampleOf(
      commands.find((each) => each.name === name),
      language.name,
    ),
  );
  return [
    translate("Daybook: durable reminders, schedules, event handlers and workspaces."),
    "",
    ...columns(everyday.map((each) => [usage(each), translate(each.summary)])),
    "",
    translate("More (daybook help NOUN):"),
    ...columns(nouns.map(([noun, verbs]) => [noun, verbs.join(" ")])),
    ...wrapped(
      " ",
      others.map(({ name }, index) => (index + 1 < others.length ? `${name},` : name)),
    ),
    "",
    translate("Examples:"),
    ...examples.map((each) => `  ${each}`),
    "",
    ...columns([
      ["--json", translate("print the answer as JSON")],
      ["--config FILE", translate("use the settings in this file")],
    ]),
    translate(
      "Exit status: 0 success, 1 failed, 2 invalid input, 3 not found, 4 conflict, 5 refused, 6 unreachable",
    ),
  ].join("\n");
}

/** One command; for a noun that is one too, the commands that begin with it. */
export function helpFor(
  command: CommandEntry,
  language: HelpLanguage,
  family: readonly CommandEntry[] = [],
): string {
  const { translate } = language;
  const { inputs, name, hasJson } = command;
  const typed = inputs.map((each) => (each.isRequired ? written(each) : `[${written(each)}]`));
  const rows = inputs.map((each) => {
    const { label, summary, values } = each;
    const isSaid = values.every((value) => summary.includes(value));
    const more = readsStdin(each)
      ? [translate("- reads it from standard input")]
      : isSaid
        ? []
        : values;
    return [
      label,
      [translate(summary), ...(more.length > 0 ? [`(${more.join(", ")})`] : [])].join(" "),
    ];
  });
  const all = hasJson ? [...rows, ["--json", translate("print the answer as JSON")]] : rows;
  const example = exampleOf(command, language.name);
  return [
    translate(command.summary),
    "",
    ...wrapped(`  daybook ${name}`, [...typed, ...(hasJson ? ["[--json]"] : [])]),
    ...(all.length > 0 ? ["", ...columns(all)] : []),
    ...(example === undefined ? [] : ["", `  ${translate("Example:")} ${example}`]),
    ...(family.length === 0 ? [] : ["", ...familyRows(family, translate)]),
  ].join("\n");
}

/** Commands that share their first word. */
export function helpForFamily(
  family: readonly CommandEntry[],
  { translate }: HelpLanguage,
): string {
  return familyRows(family, translate).join("\n");
}

function familyRows(
  family: readonly CommandEntry[],
  translate: HelpLanguage["translate"],
): readonly string[] {
  return columns(family.map((each) => [`daybook ${usage(each)}`, translate(each.summary)]));
}

function usage({ name, inputs }: CommandEntry): string {
  const shown = inputs.filter(
    (each) => each.isRequired || isPositional(each) || each.kind === "rest",
  );
  const typed = shown.map((each) => (each.isRequired ? written(each) : `[${written(each)}]`));
  return [name, ...typed].join(" ");
}

function written(input: Input): string {
  const { label, name, kind } = input;
  const value = kind === "number" ? "NUMBER" : name.split("_").at(-1)?.toUpperCase();
  const isAlone = kind === "switch" || kind === "rest";
  return isPositional(input) || isAlone ? label : `${label} ${value}`;
}

const widthMax = 96;

/** Goes on below itself where a line would be too long. */
function wrapped(start: string, parts: readonly string[]): string[] {
  const lines = [start];
  for (const part of parts) {
    const line = lines.at(-1) ?? "";
    if (line.length + part.length < widthMax) lines[lines.length - 1] = `${line} ${part}`;
    else lines.push(`${" ".repeat(start.length)} ${part}`);
  }
  return lines;
}
