import type { CommandEntry } from "./command.ts";
import { familyOf, firstOf, secondOf } from "./find.ts";

/** What people type every day, in the order of the overview. */
const everyday = [
  "remind",
  "nag",
  "schedule",
  "list",
  "next",
  "done",
  "snooze",
  "cancel",
  "explain",
  "status",
];

/** The nouns, in the order of the overview; a noun that is not named here comes last. */
const order = [
  "notification",
  "nag",
  "page",
  "schedule",
  "run",
  "event",
  "task",
  "question",
  "queue",
  "worker",
  "subscription",
  "workspace",
  "token",
  "person",
  "webhook",
  "config",
];

export interface Overview {
  readonly everyday: readonly CommandEntry[];
  /** Each noun with its verbs. */
  readonly nouns: readonly (readonly [noun: string, verbs: readonly string[]])[];
  readonly others: readonly CommandEntry[];
}

/** Every command is in one part: the everyday ones, those of a noun, or the others. */
export function overview(commands: readonly CommandEntry[]): Overview {
  const families = [...new Set(commands.map(({ name }) => firstOf(name)))].filter(
    (first) => order.includes(first) || familyOf(first, commands).length > 1,
  );
  const nouns = families.toSorted((a, b) => rankIn(order, a) - rankIn(order, b));
  return {
    everyday: everyday.flatMap((word) => commands.filter(({ name }) => name === word)),
    nouns: nouns.map((noun) => [noun, familyOf(noun, commands).map(({ name }) => secondOf(name))]),
    others: commands
      .filter(({ name }) => !everyday.includes(name) && !nouns.includes(firstOf(name)))
      .toSorted((a, b) => rankIn(leading, a.name) - rankIn(leading, b.name)),
  };
}

/** The others that a newcomer needs first. */
const leading = [
  "start",
  "attach",
  "login",
  "doctor",
  "show",
  "simulate",
  "on",
  "watch",
  "ping",
  "wrap",
];

function rankIn(names: readonly string[], name: string): number {
  const at = names.indexOf(name);
  return at === -1 ? names.length : at;
}
