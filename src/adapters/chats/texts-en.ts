import type { CommandName } from "./command-line.ts";

/** The parts of a text. */
type Parts<Name extends string> = Readonly<Record<Name, string>>;

/** What the chat interface writes itself, as Markdown; other texts are escaped before. */
export const en = {
  /** What each command does, in at most 100 characters. */
  commands: {
    remind: "Send a reminder here, once",
    nag: "Send a reminder here again and again, until it is done",
    every: "Let an agent do something on a schedule, and send the result here",
    list: 'List what is due here; with "all", everywhere',
    snooze: "Postpone a reminder; reply to it, or give its id",
    done: "Mark as done; reply to a reminder, or give its id",
    cancel: "Cancel a reminder, a nag, a schedule or a run",
    runs: "Show a schedule's runs",
    output: "Show a run's output",
    answer: "Answer a run's question, or a question by its code",
    timezone: "Show or set the time zone",
    help: "Show the commands",
    start: "Link this chat account with a code",
  } satisfies Record<CommandName, string>,
  /** The arguments of each command. */
  usage: {
    remind: "TIME TEXT",
    nag: "[TIME] TEXT",
    every: "WHEN GOAL",
    list: "",
    snooze: "[ID] TIME",
    done: "[ID]",
    cancel: "ID",
    runs: "[SCHEDULE]",
    output: "RUN",
    answer: "RUN|CODE TEXT",
    timezone: "[ZONE]",
    help: "",
    start: "CODE",
  } satisfies Record<CommandName, string>,
  /** The name of the argument, where a chat asks for it by name. */
  textOption: "text",
  help: (lines: readonly string[]): string =>
    [
      "**What can be asked here**",
      ...lines,
      "Times can be written as `tomorrow 9am`, `+30m` or `내일 오후 3시`.",
    ].join("\n"),
  hint: "That is no command. /remind tomorrow 9am call Bob makes a reminder; /help shows the rest.",
  unknownCommand: ({ name, meant }: Parts<"name"> & { meant: string | undefined }): string =>
    `There is no command /${name}${meant === undefined ? "" : `: did you mean /${meant}?`} /help shows them.`,

  welcome: (owner: string): string =>
    `You are linked: what you ask here is written in the book of ${owner}. /help shows what can be asked.`,
  wrongCode: "This code is wrong, used or over: ask for another, which `daybook link` makes.",
  /** For services that require an answer to everybody. */
  notKnown: "You are not linked: say /start with a code, which `daybook link` makes.",

  planned: ({ when, text, id, past }: Parts<"when" | "text" | "id"> & { past: boolean }): string =>
    `⏰ ${when}\n${text}${past ? "\nThat time is past, so it is said at once." : ""}\n\`${id}\``,
  forgotten: (id: string): string => `That was asked before, and is over.\n\`${id}\``,
  noTime: (example: string): string =>
    `I see no time at its beginning or end. Write it like this:\n${example}`,
  noText: "What shall I say? Write it after the time: /remind tomorrow 9am call Bob",
  nagged: ({ when, text, curve, id }: Parts<"when" | "text" | "curve" | "id">): string =>
    `🔁 ${when}, until it is done (${curve})\n${text}\n\`${id}\``,
  nagNoText: (example: string): string =>
    `What shall I say until it is done? Write it like this:\n${example}`,
  nagLine: ({
    when,
    text,
    said,
    id,
  }: Parts<"text" | "said" | "id"> & { when: string | null }): string =>
    `🔁 ${when === null ? "" : `${when}: `}${text} (${said}) \`${id}\``,
  snoozed: ({ when, text, id }: Parts<"when" | "text" | "id">): string =>
    `⏰ Snoozed: ${when}\n${text}\n\`${id}\``,
  done: (text: string): string => `✓ Done: ${text}`,
  cancelled: (text: string): string => `✗ Cancelled: ${text}`,
  cancelling: (text: string): string =>
    `It is being sent right now: no further attempt starts, but this one may still arrive: ${text}`,
  cancelledBefore: (text: string): string => `It was cancelled before: ${text}`,

  scheduled: ({
    name,
    when,
    next,
    id,
  }: Parts<"name" | "when" | "id"> & { next: string | undefined }): string =>
    `↻ ${when}\n${name}${next === undefined ? "" : `\nNext: ${next}`}\n\`${id}\``,
  noCadence: (example: string): string =>
    `I see nothing that says how often at its beginning or end. Write it like this:\n${example}`,
  noAgent:
    "No agent is set up here, so nothing can be run in words: whoever runs Daybook sets it up under `runners.agent`.",
  scheduleDeleted: (name: string): string => `✗ It runs no more: ${name}`,
  runCancelled: (name: string): string => `✗ The run is cancelled: ${name}`,

  listLine: ({ when, text, id }: Parts<"when" | "text" | "id">): string =>
    `• ${when}: ${text} \`${id}\``,
  scheduleLine: ({
    name,
    when,
    next,
    state,
    id,
  }: Parts<"name" | "when" | "id"> & { next: string | null; state: string | null }): string =>
    `↻ ${name}: ${when}${next === null ? "" : `, next ${next}`}${state === null ? "" : ` (${state})`} \`${id}\``,
  runLine: ({ when, state, said, id }: Parts<"when" | "state" | "said" | "id">): string =>
    `• ${when} ${state}${said === "" ? "" : `: ${said}`} \`${id}\``,
  nothingListed: "Nothing waits here.",
  elsewhere: (count: number): string =>
    `${count === 1 ? "One more goes" : `${count} more go`} elsewhere: /list all`,
  more: (count: number): string => `… and ${count} more.`,
  runsOf: (name: string): string => `**${name}**`,
  noRuns: "It has not run yet.",
  noSchedules: "Nothing runs again and again.",
  whichSchedule: "Which one? /runs with its id or name:",
  noOutput: (isAtWork: boolean): string =>
    isAtWork ? "It has said nothing so far." : "It said nothing.",
  outputLeft: (remaining: number): string =>
    `… and ${remaining} characters more, which \`daybook output\` shows whole.`,
  answered: "Answered: it goes on.",

  whichOne: (command: CommandName): string =>
    `Which one? Answer to its message, or give its id, which /list shows: /${command} 1a2b3c4d`,
  notFound: (typed: string): string =>
    `There is no ${typed} in this book: /list shows what there is.`,
  ambiguous: (typed: string): string => `More than one ends in ${typed}: give more of its id.`,
  timezone: (zone: string): string =>
    `Times are read in ${zone}. /timezone Asia/Seoul sets another.`,
  timezoneSet: (zone: string): string => `Times are read in ${zone} from now on.`,

  tryAgain: "That cannot be done right now: try again in a minute.",
  wentWrong: "Something went wrong here, which the log tells about: try again later.",
};

export type Texts = typeof en;
