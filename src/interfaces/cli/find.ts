import { DaybookError } from "../../platform/errors.ts";
import { nearest } from "../../platform/nearest.ts";
import { quote } from "../../platform/text.ts";
import type { CommandEntry, OperationEntry } from "./command.ts";
import { isPositional } from "./inputs.ts";

/** A command, or the commands that share a first word, with the words that follow. */
export type Found =
  | { readonly command: CommandEntry; readonly rest: readonly string[] }
  | { readonly family: readonly CommandEntry[]; readonly rest: readonly string[] };

/** Undefined when no command begins with these words. A name comes before another command's old spelling. */
export function match(
  typed: readonly string[],
  commands: readonly CommandEntry[],
): Found | undefined {
  const [first = "", second] = typed;
  const ofAll = allAt(typed, commands);
  if (ofAll !== undefined) return ofAll;
  const two = `${first} ${second}`;
  const found = commands.find(({ name }) => name === two) ?? withAlias(two, commands);
  if (found !== undefined) return { command: found, rest: typed.slice(2) };
  const family = familyOf(first, commands);
  const own = commands.find(({ name }) => name === first);
  const isAlone = [undefined, "--help", "-h"].includes(second);
  const one = own ?? (isAlone && family.length > 0 ? undefined : withAlias(first, commands));
  const isMeantAsVerb =
    isMistyped(typed, own, family) || (own === undefined && isLongerThan(one, typed, family));
  if (one !== undefined && !isMeantAsVerb) return { command: one, rest: typed.slice(1) };
  return family.length === 0 ? undefined : { family, rest: typed.slice(1) };
}

function isMistyped(
  [, second = "", third]: readonly string[],
  own: CommandEntry | undefined,
  family: readonly CommandEntry[],
): boolean {
  if (own !== undefined && !isWord(third)) return false;
  const verbs = family.map(({ name }) => secondOf(name));
  return nearest(second, verbs) !== undefined;
}

/** Whether a noun is followed by more words than its old spelling takes, as in `workspace stop x`. */
function isLongerThan(
  spelling: CommandEntry | undefined,
  typed: readonly string[],
  family: readonly CommandEntry[],
): boolean {
  const taken = spelling?.inputs.filter(isPositional).length ?? 0;
  return family.length > 0 && typed.slice(1, taken + 2).filter(isWord).length > taken;
}

/** A command for many records: `--all` may stand after other flags. */
function allAt(typed: readonly string[], commands: readonly CommandEntry[]): Found | undefined {
  const at = typed.indexOf("--all");
  const command = commands.find(({ name }) => name === `${typed[0]} --all`);
  if (at < 1 || command === undefined) return undefined;
  return { command, rest: [...typed.slice(1, at), ...typed.slice(at + 1)] };
}

/** The commands whose first word of two this is. */
export function familyOf(
  first: string,
  commands: readonly CommandEntry[],
): readonly CommandEntry[] {
  return commands.filter(({ name }) => name.startsWith(`${first} `));
}

function withAlias(typed: string, commands: readonly CommandEntry[]): CommandEntry | undefined {
  return commands.find(({ aliases = [] }) => aliases.includes(typed));
}

/** Where a third word is not a flag, the second is a command name rather than a text such as a time. */
function isWord(typed = "-"): boolean {
  return !typed.startsWith("-");
}

export function noCommand(typed: string, commands: readonly CommandEntry[]): DaybookError {
  if (typed.startsWith("-")) {
    return invalid(`Write the command before ${quote(typed)}: see daybook help.`);
  }
  const full = commands.map(({ name }) => name).filter((name) => secondOf(name) === typed);
  if (full.length > 0) {
    return invalid(`There is no command ${quote(typed)}: write one of ${full.join(", ")}.`);
  }
  const names = commands.flatMap(({ name, aliases = [] }) => [name, firstOf(name), ...aliases]);
  const meant = nearest(typed, ["help", ...names]);
  const advice = meant === undefined ? "see daybook help." : `did you mean ${meant}?`;
  return invalid(`There is no command ${quote(typed)}: ${advice}`);
}

/** The error for a known first word with a wrong second one. */
export function noSecond(family: readonly CommandEntry[], typed: string | undefined): DaybookError {
  const first = firstOf(family[0]?.name ?? "");
  const names = family.map(({ name }) => secondOf(name));
  const known = names.join(", ");
  const meant = typed === undefined ? undefined : nearest(typed, names);
  if (typed === undefined || (typed.startsWith("-") && meant === undefined)) {
    return invalid(`Write a verb after ${first}: ${known}.`);
  }
  const advice =
    meant === undefined ? `the verbs of ${first} are ${known}.` : `did you mean ${first} ${meant}?`;
  return invalid(`There is no command ${quote(`${first} ${typed}`)}: ${advice}`);
}

/** The operation that a command of this machine asks. */
export function operationIn(commands: readonly CommandEntry[], name: string): OperationEntry {
  const found = commands.find(({ operation }) => operation?.name === name)?.operation;
  if (found === undefined) throw new DaybookError("bug", `There is no operation ${name}.`);
  return found;
}

export function firstOf(name: string): string {
  return name.split(" ")[0] ?? name;
}

export function secondOf(name: string): string {
  return name.split(" ")[1] ?? "";
}

function invalid(message: string): DaybookError {
  return new DaybookError("invalid", message);
}
