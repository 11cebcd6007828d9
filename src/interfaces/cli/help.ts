import type { Language } from "../../platform/language.ts";
import type { CommandEntry } from "./command.ts";
import { exampleOf } from "./examples.ts";
import { firstOf, secondOf } from "./find.ts";
import { groups } from "./groups.ts";
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

/** The overview of all commands. */
export function help(commands: readonly CommandEntry[], language: HelpLanguage): string {
  const { translate } = language;
  const rows = groups(commands).flatMap(({ title, commands }) =>
    byFamily(commands)
      .flatMap((family) =>
        usagesOf(family).map((usage, at) => [usage, at === 0 ? translate(summaryOf(family)) : ""]),
      )
      .map((row, at) => [at === 0 ? translate(title) : "", ...row]),
  );
  return [
    translate("Daybook: what must happen, written down once, done on time, with a receipt."),
    "",
    ...columns(rows),
    "",
    `  ${translate("Try: daybook start, and elsewhere:")} ${exampleOf(
      commands.find(({ name }) => name === "remind"),
      language.name,
    )}`,
    ...columns([
      [
        "--json",
        translate("the answer as data"),
        "daybook help COMMAND",
        translate("about one command"),
      ],
      ["--config FILE", translate("the file with the settings")],
    ]),
    `  ${translate("Exit: 0 done · 1 failed · 2 bad input · 3 not found · 4 conflict · 5 not allowed ·")}`,
    `        ${translate("6 cannot reach the book or the daemon")}`,
  ].join("\n");
}

export function helpFor(command: CommandEntry, language: HelpLanguage): string {
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
  const all = hasJson ? [...rows, ["--json", translate("the answer as data")]] : rows;
  const example = exampleOf(command, language.name);
  return [
    translate(command.summary),
    "",
    ...wrapped(`  daybook ${name}`, [...typed, ...(hasJson ? ["[--json]"] : [])]),
    ...(all.length > 0 ? ["", ...columns(all)] : []),
    ...(example === undefined ? [] : ["", `  ${translate("Example:")} ${example}`]),
  ].join("\n");
}

/** Commands that share their first word. */
export function helpForFamily(family: readonly CommandEntry[], language: HelpLanguage): string {
  const { translate } = language;
  const rows = family.map((each) => [`daybook ${usage(each)}`, translate(each.summary)]);
  return [translate(summaryOf(family)), "", ...columns(rows)].join("\n");
}

/** One that is a word of its own stands alone, whatever others begin with it. */
function byFamily(commands: readonly CommandEntry[]): readonly (readonly CommandEntry[])[] {
  const familyOf = ({ name }: CommandEntry): string =>
    name.includes(" ") ? `${firstOf(name)} ` : name;
  return [...Map.groupBy(commands, familyOf).values()];
}

const usageWidthMax = 36;

/** On one line, or on more where one would make all the others too long. */
function usagesOf(family: readonly CommandEntry[]): readonly string[] {
  const [only] = family;
  if (only !== undefined && family.length === 1) return [usage(only)];
  const lines: string[] = [];
  for (const { name } of family) {
    const longer = `${lines.at(-1) ?? ""}|${secondOf(name)}`;
    if (lines.length === 0 || longer.length > usageWidthMax) lines.push(name);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** What a family is for; the summary of its one command when it is alone. */
function summaryOf(family: readonly CommandEntry[]): string {
  const [only] = family;
  const name = firstOf(only?.name ?? "");
  return (family.length > 1 ? familySummaries[name] : undefined) ?? only?.summary ?? "";
}

const familySummaries: Readonly<Record<string, string>> = {
  webhook: "The URLs that messages can be posted to.",
  token: "Who may ask, in which book.",
  config: "The settings: look at them, check them, begin a file.",
  nag: "What is said until it is done: look at it, put it off, end it.",
  page: "A page that things are said of: write it, look at it, delete it.",
  sync: "Pages, and what is said of them, as a client keeps them that was away.",
  schedule: "A schedule: look at it, change it, take it back.",
  workspace: "A workspace: look at it, change it, delete it.",
  subscription: "Programs that hear of changes in the book.",
  queue: "What lies in the queues: look, move, change, do it once more.",
  worker: "Work on handlers' tasks from elsewhere: take, keep, end them.",
};

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
