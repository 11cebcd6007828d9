import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { DaybookError } from "../base/errors.ts";
import type { Operation } from "../operations/operation.ts";
import { nearest } from "../rules/nearest.ts";
import { quote } from "../rules/text.ts";
import { inputsOf } from "./inputs.ts";

export interface Asked {
  input: Record<string, unknown>;
  json: boolean;
  help: boolean;
}

/** Reads what was typed after a command, by the operation's own input. */
export function readArguments(operation: Operation, typed: readonly string[]): Asked {
  const options = optionsOf(operation);
  const places = operation.command.positionals.values();
  const given = new Map<string, string | true>();
  for (const token of tokensOf(typed, options)) {
    if (token.kind === "option-terminator") continue;
    const isWord = token.kind === "positional";
    const name = isWord ? places.next().value : token.name;
    if (name === undefined) throw tooMany(token.value);
    const value = isWord ? token.value : valueOf(token, options);
    if (value !== true && given.has(name)) throw invalid(`"${name}" is given twice: say it once.`);
    given.set(name, value);
  }
  const { json, help, ...input } = Object.fromEntries(given);
  return { input, json: json === true, help: help === true };
}

/** A word, or a flag with the word it was part of. */
type Token =
  | { kind: "positional"; value: string }
  | { kind: "option"; name: string; value: string | undefined; inline: boolean; word: string }
  | { kind: "option-terminator"; value?: undefined };

function optionsOf(operation: Operation): ParseArgsOptionsConfig {
  const own = inputsOf(operation).map(
    ({ name, isSwitch }) => [name, { type: isSwitch ? "boolean" : "string" }] as const,
  );
  const shared = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
  return { ...Object.fromEntries(own), ...shared };
}

/** Not strict: its sentences are for programmers, so the checks are ours. */
function tokensOf(typed: readonly string[], options: ParseArgsOptionsConfig): Token[] {
  const parsing = { args: [...typed], options, strict: false, tokens: true } as const;
  const { tokens } = parseArgs({ ...parsing, allowPositionals: true });
  return tokens.map((token) => {
    if (token.kind !== "option") return token;
    const { kind, name, value, inlineValue: inline = false } = token;
    return { kind, name, value, inline, word: typed[token.index] ?? name };
  });
}

function valueOf(
  { name, value, inline, word }: Token & { kind: "option" },
  options: ParseArgsOptionsConfig,
): string | true {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) throw unknownFlag(word, name, Object.keys(options));
  if (option.type === "boolean") {
    if (value === undefined) return true;
    throw invalid(`--${name} stands alone: leave out ${quote(`=${value}`)}.`);
  }
  if (value === undefined) throw invalid(`--${name} needs a value after it.`);
  if (!inline && /^-./.test(value)) {
    const written = quote(`--${name}=${value}`);
    throw invalid(`--${name} needs a value, and ${quote(value)} is like a flag: write ${written}.`);
  }
  return value;
}

function unknownFlag(word: string, name: string, known: readonly string[]): DaybookError {
  if (!word.startsWith("--")) {
    return invalid(`${quote(word)} is like a flag: put -- before it if it is a text.`);
  }
  const meant = nearest(name, known);
  const advice = meant === undefined ? "see --help." : `did you mean --${meant}?`;
  return invalid(`There is no flag ${quote(`--${name}`)}: ${advice}`);
}

function tooMany(word = ""): DaybookError {
  return invalid(`${quote(word)} is one word too many: quote texts that have spaces.`);
}

function invalid(message: string): DaybookError {
  return new DaybookError("invalid", message);
}
