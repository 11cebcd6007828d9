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

/** The adverbs that help is ordered by, with the first words of their commands. */
const titles: readonly (readonly [title: string, words: readonly string[]])[] = [
  ["Once", ["remind", "update", "snooze", "done", "cancel", "retry", "import"]],
  ["Until", ["nag", "nags", "page", "pages", "sync"]],
  ["Again", again],
  ["When", when],
  ["Always", always],
  ["See", ["next", "list", "show", "explain", "attach"]],
];
/** Where everything else is. */
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

/** What one needs first comes first; what is not named here comes after, as it came. */
const needed = ["start", "status", "doctor", "config"];

function inOrder(commands: readonly CommandEntry[]): readonly CommandEntry[] {
  const place = ({ name }: CommandEntry): number => {
    const at = needed.indexOf(firstOf(name));
    return at === -1 ? needed.length : at;
  };
  return commands.toSorted((a, b) => place(a) - place(b));
}
