/** What the chat interface writes itself, as Markdown; other texts are escaped before. */
export const en = {
  help: (lines: readonly string[]): string =>
    ["**Commands**", ...lines, "Write times as `tomorrow 9am`, `+30m` or `내일 오후 3시`."].join(
      "\n",
    ),
  hint: "Unknown command. /remind tomorrow 9am call Bob creates a reminder; /help lists all commands.",
  unknownCommand: ({ name, meant }: { name: string; meant: string | undefined }): string =>
    `Unknown command /${name}.${meant === undefined ? "" : ` Did you mean /${meant}?`} /help lists all commands.`,

  welcome: (owner: string): string =>
    `You are linked: your requests here are written to the book of ${owner}. /help lists the commands.`,
  wrongCode: "This code is wrong, used or expired. Get a new one with `daybook person invite`.",

  forgotten: (id: string): string => `This was requested before, and has ended.\n\`${id}\``,
  noTime: (example: string): string =>
    `No time found at the beginning or the end. Example:\n${example}`,
  whichOne: (command: string): string =>
    `Which one? Reply to its message, or give its id, which /list shows: /${command} 1a2b3c4d`,
  notFound: (typed: string): string => `There is no ${typed} in this book. /list shows the ids.`,
  ambiguous: (typed: string): string =>
    `More than one id ends in ${typed}. Write more characters of the id.`,

  nothingListed: "Nothing is due here.",
  elsewhere: (count: number): string =>
    `${count === 1 ? "1 more is" : `${count} more are`} sent elsewhere: /list all`,
  more: (count: number): string => `… and ${count} more.`,

  tryAgain: "That is not possible right now. Try again in a minute.",
  wentWrong: "Something went wrong. The log has the details. Try again later.",
};

export type Texts = typeof en;
