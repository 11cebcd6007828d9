import { DaybookError } from "../../platform/errors.ts";
import { nearest } from "../../platform/nearest.ts";
import { quote } from "../../platform/text.ts";
import type { CommandEntry } from "./command.ts";
import { secondOf } from "./find.ts";
import { flagOf, isPositional, type Input } from "./inputs.ts";

/** What may stand after a command. */
interface Place {
  readonly command: CommandEntry;
  /** Every flag, and the positional inputs, which may be typed as flags too. */
  readonly known: readonly Input[];
  /** The commands that begin with its name, such as `schedule list` or `cancel --all`. */
  readonly family: readonly CommandEntry[];
}

/** A word, or a flag with the word it stood in. */
type Token =
  | { readonly kind: "positional"; readonly value: string }
  | { readonly kind: "option"; readonly name: string; readonly word: string };

/** The error for a word or a flag that the command does not take. */
export function unknownToken(token: Token, place: Place): DaybookError {
  return token.kind === "option" ? unknownFlag(token, place) : extraWord(token.value, place);
}

function unknownFlag({ name, word }: Token & { kind: "option" }, place: Place): DaybookError {
  const isShort = /^-[a-z]$/i.test(word);
  if (!isShort && !word.startsWith("--")) {
    return invalid(`There is no flag ${quote(word)}: put -- before it if it is a text.`);
  }
  const typed = name.replaceAll("_", "-");
  const shown = shownFlags(place);
  const hidden = place.known.filter(isPositional).map((each) => flagOf(each.name).slice(2));
  const flags = [...shown, ...hidden];
  const meant = isShort
    ? shown.find((flag) => flag.startsWith(typed.toLowerCase()))
    : (flags.find((flag) => synonyms[flag]?.includes(typed)) ?? nearest(typed, flags));
  const advice = meant === undefined ? flagsAdvice(place) : `did you mean --${meant}?`;
  return invalid(`There is no flag ${quote(isShort ? word : `--${name}`)}: ${advice}`);
}

/** What people type for a flag of another name. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  at: ["when", "time", "date", "due", "on", "in"],
  message: ["text", "msg", "body", "title"],
  target: ["to", "channel", "chat"],
  timezone: ["tz", "zone"],
  limit: ["count", "max", "number"],
  reason: ["because", "note", "comment"],
};

function extraWord(word: string, place: Place): DaybookError {
  return invalid(`There is one word too many, ${quote(word)}: ${extraWordAdvice(word, place)}`);
}

function extraWordAdvice(word: string, place: Place): string {
  const { command, family } = place;
  const shown = shownFlags(place);
  const takesWords = command.inputs.some(isPositional);
  // Among the words of a text only a flag's own name is likely to be one.
  const meant = takesWords ? shown.find((flag) => flag === word) : nearest(word, shown);
  if (meant !== undefined) return `did you mean --${meant}?`;
  if (!takesWords) return flagsAdvice(place);
  const last = command.inputs.find(({ kind }) => kind === "rest");
  const rest =
    last === undefined ? "" : `, and put ${last.label.slice(0, 2)} before the ${last.name}`;
  const verbs = secondsOf(family)
    .filter((second) => !second.startsWith("-"))
    .join(", ");
  return verbs === ""
    ? `put texts with spaces in quotes${rest}.`
    : `put texts with spaces in quotes${rest}, or write a verb after ${command.name}: ${verbs}.`;
}

function flagsAdvice(place: Place): string {
  const all = shownFlags(place).map((flag) => `--${flag}`);
  return `the flags of ${place.command.name} are ${all.join(", ")}.`;
}

/** The flags as people type them, without their dashes: those that help lists, and those that make another command. */
function shownFlags({ known, family }: Place): readonly string[] {
  const own = known.filter((each) => !isPositional(each)).map(({ name }) => flagOf(name));
  const others = secondsOf(family).filter((second) => second.startsWith("--"));
  return [...own, ...others].map((flag) => flag.slice(2));
}

function secondsOf(family: readonly CommandEntry[]): readonly string[] {
  return family.map(({ name }) => secondOf(name));
}

function invalid(message: string): DaybookError {
  return new DaybookError("invalid", message);
}
