import type { Texts } from "./texts-shape.ts";

export const en: Texts = {
  commands: {
    remind: "Say something here, once, on time",
    nag: "Say something here again and again, until it is done",
    every: "Let an agent do something again and again, and tell it here",
    list: 'Show what will be said and run here; with "all", everywhere',
    snooze: "Say it later; answer to a reminder, or give its id",
    done: "It is done; answer to a reminder, or give its id",
    cancel: "Take back a reminder, a nag, a schedule or a run",
    runs: "Show what became of a schedule's runs",
    output: "Show what a run said",
    answer: "Answer what a run asks, or a question by its code",
    timezone: "Show or set the time zone",
    help: "Show what can be asked",
    start: "Link this chat account with a code",
  },
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
  },
  words: "text",
  help: (lines) =>
    [
      "**What can be asked here**",
      ...lines,
      "Times can be written as `tomorrow 9am`, `+30m` or `내일 오후 3시`.",
    ].join("\n"),
  hint: "That is no command. /remind tomorrow 9am call Bob makes a reminder; /help shows the rest.",
  unknownCommand: ({ name, meant }) =>
    `There is no command /${name}${meant === undefined ? "" : `: did you mean /${meant}?`} /help shows them.`,

  welcome: (owner) =>
    `You are linked: what you ask here is written in the book of ${owner}. /help shows what can be asked.`,
  wrongCode: "This code is wrong, used or over: ask for another, which `daybook link` makes.",
  notKnown: "You are not linked: say /start with a code, which `daybook link` makes.",

  planned: ({ when, text, id, past }) =>
    `⏰ ${when}\n${text}${past ? "\nThat time is past, so it is said at once." : ""}\n\`${id}\``,
  forgotten: (id) => `That was asked before, and is over.\n\`${id}\``,
  noTime: (example) => `I see no time at its beginning or end. Write it like this:\n${example}`,
  noText: "What shall I say? Write it after the time: /remind tomorrow 9am call Bob",
  nagged: ({ when, text, curve, id }) =>
    `🔁 ${when}, until it is done (${curve})\n${text}\n\`${id}\``,
  nagNoText: (example) => `What shall I say until it is done? Write it like this:\n${example}`,
  nagLine: ({ when, text, said, id }) =>
    `🔁 ${when === null ? "" : `${when}: `}${text} (${said}) \`${id}\``,
  snoozed: ({ when, text, id }) => `⏰ Put off: ${when}\n${text}\n\`${id}\``,
  done: (text) => `✓ Done: ${text}`,
  cancelled: (text) => `✗ Cancelled: ${text}`,
  cancelling: (text) =>
    `It is being sent right now: no further attempt starts, but this one may still arrive: ${text}`,
  cancelledBefore: (text) => `It was cancelled before: ${text}`,

  scheduled: ({ name, when, next, id }) =>
    `↻ ${when}\n${name}${next === undefined ? "" : `\nNext: ${next}`}\n\`${id}\``,
  noCadence: (example) =>
    `I see nothing that says how often at its beginning or end. Write it like this:\n${example}`,
  noAgent:
    "No agent is set up here, so nothing can be run in words: whoever runs Daybook sets it up under `runners.agent`.",
  scheduleDeleted: (name) => `✗ It runs no more: ${name}`,
  runCancelled: (name) => `✗ The run is cancelled: ${name}`,

  listLine: ({ when, text, id }) => `• ${when}: ${text} \`${id}\``,
  scheduleLine: ({ name, when, next, state, id }) =>
    `↻ ${name}: ${when}${next === null ? "" : `, next ${next}`}${state === null ? "" : ` (${state})`} \`${id}\``,
  runLine: ({ when, state, said, id }) =>
    `• ${when} ${state}${said === "" ? "" : `: ${said}`} \`${id}\``,
  nothingListed: "Nothing waits here.",
  elsewhere: (count) =>
    `${count === 1 ? "One more goes" : `${count} more go`} elsewhere: /list all`,
  more: (count) => `… and ${count} more.`,
  runsOf: (name) => `**${name}**`,
  noRuns: "It has not run yet.",
  noSchedules: "Nothing runs again and again.",
  whichSchedule: "Which one? /runs with its id or name:",
  noOutput: (isAtWork) => (isAtWork ? "It has said nothing so far." : "It said nothing."),
  outputLeft: (remaining) =>
    `… and ${remaining} characters more, which \`daybook output\` shows whole.`,
  answered: "Answered: it goes on.",

  whichOne: (command) =>
    `Which one? Answer to its message, or give its id, which /list shows: /${command} 1a2b3c4d`,
  notFound: (typed) => `There is no ${typed} in this book: /list shows what there is.`,
  ambiguous: (typed) => `More than one ends in ${typed}: give more of its id.`,
  timezone: (zone) => `Times are read in ${zone}. /timezone Asia/Seoul sets another.`,
  timezoneSet: (zone) => `Times are read in ${zone} from now on.`,

  tryAgain: "That cannot be done right now: try again in a minute.",
  wentWrong: "Something went wrong here, which the log tells about: try again later.",
};
