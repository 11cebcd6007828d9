import type { CommandEntry } from "./command.ts";
import { firstOf } from "./find.ts";

const again: readonly string[] = [
  "schedule",
  "schedules",
  "preview",
  "pause",
  "resume",
  "run-now",
  "backfill",
  "runs",
  "output",
  "show-run",
  "cancel-run",
  "resend",
  "run",
  "answer",
  "watch",
  "ping",
  "wrap",
  "apply",
  "simulate",
];

const when: readonly string[] = [
  "on",
  "emit",
  "events",
  "show-event",
  "cancel-event",
  "tasks",
  "questions",
  "question",
  "answer-question",
  "cancel-question",
  "queue",
  "worker",
  "subscription",
];

const always: readonly string[] = [
  "keep",
  "workspaces",
  "workspace",
  "archive",
  "restore",
  "recover",
  "touch",
  "plan",
];

/** The groups of the help, with the first words of their commands. */
const titles: readonly (readonly [title: string, words: readonly string[]])[] = [
  ["Once", ["remind", "update", "snooze", "done", "cancel", "retry", "import"]],
  ["Until", ["nag", "nags", "page", "pages", "sync"]],
  ["Again", again],
  ["When", when],
  ["Always", always],
  ["See", ["next", "list", "show", "explain", "attach"]],
];
/** The group of all other commands. */
const last = "Run it";

export interface Group {
  readonly title: string;
  readonly commands: readonly CommandEntry[];
}

export function groups(commands: readonly CommandEntry[]): readonly Group[] {
  const named = titles.map(([title, words]) => ({
    title,
    commands: words.flatMap((word) => commands.filter(({ name }) => firstOf(name) === word)),
  }));
  const known = titles.flatMap(([, words]) => words);
  const rest = commands.filter(({ name }) => !known.includes(firstOf(name)));
  return [...named, { title: last, commands: inOrder(rest) }].filter(
    ({ commands }) => commands.length > 0,
  );
}

/** These come first; the others keep their order. */
const leading = ["start", "status", "doctor", "config"];

function inOrder(commands: readonly CommandEntry[]): readonly CommandEntry[] {
  const rank = ({ name }: CommandEntry): number => {
    const at = leading.indexOf(firstOf(name));
    return at === -1 ? leading.length : at;
  };
  return commands.toSorted((a, b) => rank(a) - rank(b));
}
