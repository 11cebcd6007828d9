import type { ChatAnswer } from "../../adapters/chats/chat.ts";
import {
  type CommandLine,
  commandNamed,
  commandNames,
  type CommandName,
} from "../../adapters/chats/command-line.ts";
import { nearest } from "../../platform/nearest.ts";
import { literal } from "./literal.ts";
import { nag, cancel, done, list, remind, snooze } from "./reminder-commands.ts";
import { answer, every, output, runs } from "./schedule-commands.ts";
import type { Turn } from "./turn.ts";

type Command = (turn: Turn, words: string) => Promise<ChatAnswer>;

/** `start` shows the help here: a link code is handled before, for people who are not linked yet. */
const commands: Readonly<Record<CommandName, Command>> = {
  remind,
  nag,
  every,
  list,
  snooze,
  done,
  cancel,
  runs,
  output,
  answer,
  timezone,
  help,
  start: help,
};

export async function runCommand(
  turn: Turn,
  { name, text: words }: CommandLine,
): Promise<ChatAnswer> {
  const known = commandNamed(name);
  if (known !== undefined) return commands[known](turn, words);
  const meant = nearest(name, commandNames);
  return { text: turn.texts.unknownCommand({ name: literal(name), meant }) };
}

/** `/timezone`, `/timezone Asia/Seoul` */
async function timezone(turn: Turn, words: string): Promise<ChatAnswer> {
  const { look, texts, operations } = turn;
  const zone = words.trim();
  if (zone === "") return { text: texts.timezone(literal(look.zone)) };
  const { timezone: set } = await turn.ask(operations.setProfile, { timezone: zone });
  return { text: texts.timezoneSet(literal(set.value)) };
}

async function help({ texts }: Turn): Promise<ChatAnswer> {
  const lines = commandNames
    .filter((name) => name !== "start")
    .map((name) => {
      const usage = [`/${name}`, texts.usage[name]].join(" ").trim();
      return `\`${usage}\` ${texts.commands[name]}`;
    });
  return { text: texts.help(lines) };
}
