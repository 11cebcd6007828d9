import { DaybookError, toErrorData } from "../../platform/errors.ts";
import { harmless } from "../../platform/text.ts";
import { readArguments } from "./arguments.ts";
import { exitOf, exits, type CliPorts, type CommandEntry, type Typed } from "./command.ts";
import { runOf } from "./commands.ts";
import { familyOf, match, noCommand, noSecond, type Found } from "./find.ts";
import type { HelpLanguage } from "./help.ts";
import { isPositional } from "./inputs.ts";

/** Runs one command line and answers the exit status. */
export async function runCli(typed: readonly string[], ports: CliPorts): Promise<number> {
  try {
    return await dispatch(typed, ports);
  } catch (error) {
    return fail(error, asksForJson(typed), ports);
  }
}

async function dispatch(typed: readonly string[], ports: CliPorts): Promise<number> {
  const [first, ...rest] = typed;
  switch (first) {
    case undefined:
    case "help":
    case "--help":
    case "-h":
      ports.out(await helpText(rest, ports));
      return exits.done;
    case "version":
    case "--version":
    case "-v":
    case "-V":
      ports.out(ports.version);
      return exits.done;
    default:
      return runFound(find(typed, ports), ports);
  }
}

async function helpText(typed: readonly string[], ports: CliPorts): Promise<string> {
  if (typed.length === 0) {
    const { help } = await import("./help.ts");
    return help(ports.commands, await languageOf(ports));
  }
  const found = find(typed, ports);
  if ("family" in found && found.rest.length > 0) throw noSecond(found.family, found.rest[0]);
  return helpForFound(found, ports);
}

async function helpForFound(found: Found, ports: CliPorts): Promise<string> {
  const { helpFor, helpForFamily } = await import("./help.ts");
  const language = await languageOf(ports);
  return "command" in found
    ? helpFor(found.command, language, familyOf(found.command.name, ports.commands))
    : helpForFamily(found.family, language);
}

async function languageOf(ports: CliPorts): Promise<HelpLanguage> {
  const { helpLanguage } = await import("./help.ts");
  return helpLanguage((await ports.reader()).language);
}

function find(typed: readonly string[], { commands }: CliPorts): Found {
  const found = match(typed, commands);
  if (found === undefined) throw noCommand(typed[0] ?? "", commands);
  return found;
}

async function runFound(found: Found, ports: CliPorts): Promise<number> {
  if ("command" in found) return run(found.command, found.rest, ports);
  const [next] = found.rest;
  if (next !== "--help" && next !== "-h") throw noSecond(found.family, next);
  ports.out(await helpForFound(found, ports));
  return exits.done;
}

async function run(
  command: CommandEntry,
  rest: readonly string[],
  ports: CliPorts,
): Promise<number> {
  const family = familyOf(command.name, ports.commands);
  const { help, noColor, config, ...typed } = readArguments(command, rest, family);
  const under = config === undefined ? ports : ports.withConfig(config);
  if (!help) {
    const start = await runOf(command, ports.commands);
    return start(typed, noColor ? { ...under, color: false } : under).catch((error: unknown) => {
      throw typed.json ? error : withFlagNames(error, command, typed); // programs use the names of inputs
    });
  }
  ports.out(await helpForFound({ command, rest }, ports));
  return exits.done;
}

/** Programs read errors in English, people in their own language. */
async function fail(error: unknown, json: boolean, ports: CliPorts): Promise<number> {
  const exit = error instanceof DaybookError ? exitOf[error.code] : exits.failed;
  if (json) ports.err(JSON.stringify({ error: toErrorData(error) }));
  else if (error instanceof DaybookError) {
    ports.err(`daybook: ${harmless(await inReadersLanguage(error.message, ports))}`);
  } else ports.err(`daybook: this is a bug in Daybook, please report it.\n${describe(error)}`);
  return exit;
}

/** A daemon that was asked for Korean has answered in it: nothing is loaded to translate that. */
async function inReadersLanguage(sentence: string, ports: CliPorts): Promise<string> {
  if (/[가-힣]/.test(sentence.replaceAll(/"[^"]*"/g, ""))) return sentence;
  const translate = await ports.errorsIn((await ports.reader()).language);
  return translate(sentence);
}

/** Known even when the rest of the line cannot be parsed. */
function asksForJson(typed: readonly string[]): boolean {
  const end = typed.indexOf("--");
  return typed.slice(0, end === -1 ? undefined : end).includes("--json");
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * An error names inputs and settings by their names, but here they were typed as flags. Values stand in quotes too, so a
 * name is replaced only where a sentence is about it, and never where it was typed as a value.
 */
function withFlagNames(
  error: unknown,
  { inputs }: CommandEntry,
  { input }: Pick<Typed, "input">,
): unknown {
  if (!(error instanceof DaybookError) || error.code !== "invalid") return error;
  const values = new Set(Object.values(input).flat());
  let sentence = error.message;
  for (const each of inputs.filter(({ kind }) => kind !== "rest")) {
    const { name, label, within, aliases } = each;
    if (isPositional(each)) continue;
    for (const key of aliases) sentence = sentence.replaceAll(`--${key} is`, `${label} is`);
    if (values.has(name)) continue;
    for (const path of [name, `${within}.${name}`]) {
      sentence = sentence.replaceAll(subjectOrAdvice(path), label);
    }
  }
  const { code, details, cause } = error;
  return new DaybookError(code, sentence, { details, cause });
}

/** The name as the subject of a clause, or after "give" or "say". */
function subjectOrAdvice(name: string): RegExp {
  const quoted = `"${RegExp.escape(name)}"`;
  const begins = `(?<=^|; |\\band )${quoted}(?= (?:(?:and|are|is|must|say|sets|takes)\\b|값))`;
  return new RegExp(`${begins}|(?<=\\b(?:give|say) )${quoted}`, "g");
}
