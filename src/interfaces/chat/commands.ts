import type { CommandLine } from "../../adapters/chats/command-line.ts";
import type { ChatAnswer, ChatCommand, ChatPart, ChatTurn } from "../../kernel/chat.ts";
import type { Feature } from "../../kernel/feature.ts";
import { literal } from "../../platform/markup/literal.ts";
import { nearest } from "../../platform/nearest.ts";
import { textsOf } from "./texts.ts";

/** Loads what the features understand in chats, in their order. */
export async function chatParts(features: readonly Feature[]): Promise<readonly ChatPart[]> {
  return Promise.all(features.flatMap(({ chat }) => chat?.() ?? []));
}

/** The order of the menu; commands that are not named here come before the help. */
const menu = ["remind", "nag", "every", "list", "snooze", "done", "cancel"];
const menuEnd = ["runs", "output", "run", "pause", "resume", "answer", "timezone", "help", "start"];

/** The commands of the features, with those that go across them. */
export function chatCommands(parts: readonly ChatPart[]): readonly ChatCommand[] {
  const all = [...parts.flatMap(({ commands = [] }) => commands), ...acrossFeatures(parts)];
  const help = helpOn(() => sorted.filter(({ name }) => name !== "start"));
  const sorted = [...all, ...help].toSorted((a, b) => menuPlace(a.name) - menuPlace(b.name));
  return sorted;
}

function menuPlace(name: string): number {
  const first = menu.indexOf(name);
  if (first !== -1) return first;
  const last = menuEnd.indexOf(name);
  return menu.length + (last === -1 ? 0 : 1 + last);
}

export function commandNamed(
  commands: readonly ChatCommand[],
  typed: string,
): ChatCommand | undefined {
  return commands.find(({ name, aliases }) => name === typed || aliases.includes(typed));
}

export async function runCommand(
  turn: ChatTurn,
  { name, text }: CommandLine,
  commands: readonly ChatCommand[],
): Promise<ChatAnswer> {
  const command = commandNamed(commands, name);
  if (command !== undefined) return command.run(turn, text);
  const names = commands.map((each) => each.name);
  const texts = textsOf(turn.reader.language);
  return { text: texts.unknownCommand({ name: literal(name), meant: nearest(name, names) }) };
}

function acrossFeatures(parts: readonly ChatPart[]): readonly ChatCommand[] {
  return [
    {
      name: "list",
      aliases: ["목록"],
      texts: {
        en: { summary: 'List what is due here; with "all", everywhere', usage: "" },
        ko: { summary: '여기로 올 알림을 봅니다. "all"을 붙이면 모두 봅니다', usage: "" },
      },
      run: (turn, text) => list(turn, text, parts),
    },
    {
      name: "cancel",
      aliases: ["취소"],
      texts: {
        en: { summary: "Cancel a reminder, a nag, a schedule or a run", usage: "ID" },
        ko: { summary: "알림, 재촉, 예약, 실행을 취소합니다", usage: "ID" },
      },
      run: (turn, text) => cancel(turn, text, parts),
    },
  ];
}

/** `start` shows the help too: a link code is handled before, for people who are not linked yet. */
function helpOn(commands: () => readonly ChatCommand[]): readonly ChatCommand[] {
  const run = async ({ reader: { language } }: ChatTurn): Promise<ChatAnswer> => {
    const lines = commands().map(({ name, texts }) => {
      const { summary, usage } = texts[language];
      return `\`${`/${name} ${usage}`.trim()}\` ${summary}`;
    });
    return { text: textsOf(language).help(lines) };
  };
  return [
    {
      name: "help",
      aliases: ["도움말"],
      texts: {
        en: { summary: "List the commands", usage: "" },
        ko: { summary: "명령을 봅니다", usage: "" },
      },
      run,
    },
    {
      name: "start",
      aliases: ["link", "연결"],
      texts: {
        en: { summary: "Link this chat account with a code", usage: "CODE" },
        ko: { summary: "코드로 이 계정을 연결합니다", usage: "코드" },
      },
      run,
    },
  ];
}

/** One screen. */
const linesMax = 20;

/** `/list`, `/list all` */
async function list(
  turn: ChatTurn,
  typed: string,
  parts: readonly ChatPart[],
): Promise<ChatAnswer> {
  const texts = textsOf(turn.reader.language);
  const isAll = /^(all|모두|전체)$/i.test(typed.trim());
  const all = [];
  for (const part of parts) all.push(...((await part.list?.(turn)) ?? []));
  // Others may read this chat: records with another target are only counted.
  const lines = all.filter(({ target }) => isAll || target === turn.origin);
  const elsewhere = all.length - lines.length;
  const shown =
    lines.length === 0 ? [texts.nothingListed] : lines.slice(0, linesMax).map(({ text }) => text);
  const more = lines.length > linesMax ? [texts.more(lines.length - linesMax)] : [];
  const others = elsewhere > 0 ? [texts.elsewhere(elsewhere)] : [];
  return { text: [...shown, ...more, ...others].join("\n") };
}

/** `/cancel ID`, or as a reply to a message. */
async function cancel(
  turn: ChatTurn,
  typed: string,
  parts: readonly ChatPart[],
): Promise<ChatAnswer> {
  const id = typed.trim();
  const cancels = parts.flatMap((part) => part.cancels ?? []);
  const kinds = cancels.flatMap((each) => each.kinds);
  const found = id === "" ? await turn.replied() : await turn.find(id, kinds);
  const own = cancels.find((each) => each.kinds.some(({ name }) => name === found?.kind));
  if (found === undefined || own === undefined) return { text: turn.texts.whichOne("cancel") };
  return own.cancel(turn, found.id);
}
