import type { Operation } from "../operations/operation.ts";
import { inputsOf, type Input } from "./inputs.ts";

/** What is said when nobody asked for anything in particular. */
export function help(operations: readonly Operation[]): string {
  const rows = operations.map((each) => [usage(each), each.words] as const);
  return [
    "Daybook: what must happen, written down once, done on time, with a receipt.",
    "",
    ...table([["start", "Do what is in the book, until stopped."], ...rows]),
    "",
    '  Try: daybook start, and elsewhere: daybook remind "stand-up" --at +30m',
    "  --json   the answer as data      daybook help COMMAND   about one command",
    "  Exit: 0 done · 1 failed · 2 bad input · 3 not found · 4 conflict · 5 not allowed ·",
    "        6 cannot reach the store",
  ].join("\n");
}

export function helpFor(operation: Operation): string {
  const inputs = inputsOf(operation);
  const optional = inputs.filter(({ isRequired }) => !isRequired).map((each) => `[${typed(each)}]`);
  const rows = inputs.map(({ label, words }) => [label, words] as const);
  return [
    operation.words,
    "",
    `  daybook ${[usage(operation), ...optional, "[--json]"].join(" ")}`,
    "",
    ...table(rows),
  ].join("\n");
}

/** What `start` does, and what can be set. */
export const helpForStart: string = [
  "Do what is in the book, until stopped.",
  "",
  "  daybook start",
  "",
  ...table([
    ["DAYBOOK_HOME", "where the book is kept"],
    [
      "DAYBOOK_STORE",
      "the book itself: sqlite:PATH, file:FOLDER, postgres://…, or memory: for a trial",
    ],
    ["DAYBOOK_TIMEZONE", "how times are shown, such as Asia/Seoul"],
    ["DAYBOOK_LEASE_SECONDS", "after how long a crashed node's work is taken over: 1 to 3600"],
  ]),
].join("\n");

function usage(operation: Operation): string {
  const required = inputsOf(operation).filter(({ isRequired }) => isRequired);
  return [operation.command.name, ...required.map(typed)].join(" ");
}

function typed({ name, label, isSwitch }: Input): string {
  return label.startsWith("--") && !isSwitch ? `${label} ${name.toUpperCase()}` : label;
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 3;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
}
