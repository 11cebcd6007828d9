import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { DaybookError } from "../../platform/errors.ts";
import { numberOr, quote } from "../../platform/text.ts";
import type { CommandEntry, Typed } from "./command.ts";
import { flagOf, input, isPositional, type Input } from "./inputs.ts";
import { unknownToken } from "./unknown-argument.ts";

export interface Arguments extends Typed {
  readonly help: boolean;
  readonly noColor: boolean;
  /** The settings file from `--config`. */
  readonly config: string | undefined;
}

const shared = [
  input("--config", "use the settings in this file"),
  input("--help", "", { kind: "switch" }),
  input("--no-color", "", { kind: "switch" }),
];
const json = input("--json", "print the answer as JSON", { kind: "switch" });

/** Every flag that a command takes. */
export function flagsOf({ inputs, hasJson }: CommandEntry): readonly Input[] {
  const typed = inputs.filter(({ kind }) => kind !== "rest");
  return [...typed, ...(hasJson ? [json] : []), ...shared];
}

/** Parses what was typed after a command by its own inputs. The family are the commands that begin with its name. */
export function readArguments(
  command: CommandEntry,
  typed: readonly string[],
  family: readonly CommandEntry[],
): Arguments {
  const known = flagsOf(command);
  const positionals = command.inputs.filter(isPositional).values();
  const last = command.inputs.find(({ kind }) => kind === "rest");
  const { line, given } = withoutRest(typed, last);
  const dashes: string[] = [];
  const jsonFrom: Record<string, string> = {};
  for (const token of tokensOf(line, known)) {
    if (token.kind === "option-terminator") continue;
    const isWord = token.kind === "positional";
    const meant = isWord ? positionals.next().value : flagFor(token, known);
    if (meant === undefined) throw unknownToken(token, { command, known, family });
    const { name, kind } = meant;
    const text = isWord ? token.value : valueOf(token, meant);
    if (kind === "list") given.set(name, [...listed(given.get(name)), ...parts(text)]);
    else if (text !== true && given.has(name))
      throw invalid(`${meant.label} is given twice: give it once.`);
    else if (kind === "json" && isJsonSource(text)) {
      jsonFrom[name] = text;
      given.set(name, undefined);
    } else given.set(name, meaningOf(text, meant));
    if (isWord && text === "-") dashes.push(name);
  }
  const { json, help, no_color: noColor, config, ...rest } = Object.fromEntries(given);
  return {
    input: nested(rest, command.inputs),
    dashes,
    jsonFrom,
    json: json === true,
    help: help === true,
    noColor: noColor === true,
    config: typeof config === "string" ? config : undefined,
  };
}

/** The words before `--`, where the command takes all words after it as they are. */
function withoutRest(
  typed: readonly string[],
  last: Input | undefined,
): { line: readonly string[]; given: Map<string, unknown> } {
  const end = typed.indexOf("--");
  if (last === undefined || end === -1) return { line: typed, given: new Map() };
  return { line: typed.slice(0, end), given: new Map([[last.name, typed.slice(end + 1)]]) };
}

/** A word, or a flag with the word it stood in. */
type Token =
  | { kind: "positional"; value: string }
  | { kind: "option"; name: string; value: string | undefined; inline: boolean; word: string }
  | { kind: "option-terminator"; value?: undefined };
type Option = Token & { kind: "option" };

/** Not strict: the errors of `parseArgs` are for programmers, so the checks are ours. */
function tokensOf(typed: readonly string[], known: readonly Input[]): Token[] {
  const options: ParseArgsOptionsConfig = {};
  for (const each of known) {
    const type = each.kind === "switch" ? "boolean" : "string";
    for (const name of spellings(each)) options[name] = { type };
  }
  const parsing = { args: [...typed], options, strict: false, tokens: true } as const;
  const { tokens } = parseArgs({ ...parsing, allowPositionals: true });
  return tokens.map((token) => {
    if (token.kind !== "option") return token;
    const { kind, name, value, inlineValue: inline = false } = token;
    return { kind, name, value, inline, word: typed[token.index] ?? name };
  });
}

/** With `-` as people type flags, with `_` as inputs are called, and under its other names. */
function spellings({ name, label, aliases }: Input): readonly string[] {
  const all = [name, ...aliases].flatMap((each) => [each, flagOf(each).slice(2)]);
  return label === "--help" ? [...all, "h"] : all;
}

function flagFor({ name }: Option, known: readonly Input[]): Input | undefined {
  return known.find((each) => spellings(each).includes(name));
}

function valueOf({ name, value, inline }: Option, { kind }: Input): string | true {
  if (kind === "switch") {
    if (value === undefined) return true;
    throw invalid(`--${name} takes no value: leave out ${quote(`=${value}`)}.`);
  }
  if (value === undefined) throw invalid(`--${name} needs a value after it.`);
  if (!inline && /^-./.test(value)) {
    const written = quote(`--${name}=${value}`);
    throw invalid(`--${name} needs a value, and ${quote(value)} is like a flag: write ${written}.`);
  }
  return value;
}

/** No JSON begins with these. */
function isJsonSource(text: string | true): text is string {
  return text !== true && (text === "-" || text.startsWith("@"));
}

function meaningOf(text: string | true, { kind, name }: Input): unknown {
  if (kind === "json") return jsonOf(name, text);
  return kind === "number" && text !== true ? numberOr(text) : text;
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function parts(text: string | true): readonly string[] {
  return text === true ? [] : text.split(",").map((part) => part.trim());
}

/** Puts parts of an input back into it. */
function nested(
  given: Readonly<Record<string, unknown>>,
  inputs: readonly Input[],
): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const within = inputs.find((each) => each.name === name)?.within;
    if (within === undefined) whole[name] = value;
    else whole[within] = { ...(whole[within] as object | undefined), [name]: value };
  }
  return whole;
}

function jsonOf(name: string, text: string | true): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    throw invalid(`${quote(String(text))} is not JSON: write ${flagOf(name)} '{"name": "value"}'.`);
  }
}

function invalid(message: string): DaybookError {
  return new DaybookError("invalid", message);
}
